-- What changed in the price lists: an event of an offer, when it held and when we knew.
-- grain: provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
--     payment_option, term_months, currency, source, scope, change, changed_at, hourly_price, upfront_price
-- provider: aws or azure
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- zone_id: availability zone where the provider prices by zone (AWS zone ids), else ''
-- instance_type: the provider's name of the size
-- operating_system: linux or windows (licence included)
-- purchase_option: on_demand, spot, reserved, savings_plan
-- offering_class: reserved on AWS: standard or convertible; savings plans: compute or ec2_instance; else ''
-- payment_option: no_upfront, partial_upfront, all_upfront, or any (Azure: paid monthly or at once, same price); else
--     ''
-- term_months: length of the commitment in months (12, 36, 60), 0 for none
-- currency: ISO 4217; the partition's own, in which all prices of the row are
-- source: feed the price comes from
-- scope: what one fetch of that feed covers, usually region/currency
-- change: price move; blip (a move undone within 48 hours, and its undoing); new offer; removed offer; announced
--     (starts later); coverage (found when its scope was first fetched, or when we began to read the feed otherwise;
--     or no longer fetched: nothing is known to have happened at the provider)
-- changed_at: when it held (UTC); of an announced price, when it is to start; of one no longer fetched, the last look
-- known_at: when the fetch was made that showed it (UTC); the news of a week is what was known in it
-- backfilled: true: it came with history that was fetched afterwards, so it is no news
-- previous_hourly_price: hourly price before; NULL for a new offer
-- hourly_price: hourly price after; NULL for a removed offer, and for one no longer fetched
-- previous_upfront_price: upfront price before; NULL for a new offer
-- upfront_price: upfront price after; NULL for a removed offer, and for one no longer fetched
-- previous_effective_hourly_price: effective hourly price before; NULL for a new offer
-- effective_hourly_price: effective hourly price after; NULL for a removed offer, and for one no longer fetched
-- change_ratio: effective price after / before - 1 (-0.44 is 44 % less); NULL if there is no before or no after
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- previous_price_per_gpu_hour: effective hourly price of one whole GPU before; NULL for a new offer
-- price_per_gpu_hour: effective hourly price of one whole GPU after; NULL for a removed offer, and for one no longer
--     fetched
with moves as (
    select *, if(blip, 'blip', 'price move') as change, valid_from as changed_at, previous_closed_known_at as known_at
    from price_steps
    where follows
),
arrivals as (
    select
        * exclude (
            previous_hourly_price, previous_upfront_price, previous_effective_hourly_price, previous_price_per_gpu_hour
        ),
        'new offer' as change, valid_from as changed_at, first_seen_at as known_at,
        if(valid_from_basis in ('published', 'backfilled'), valid_from, first_seen_at) as shown_at
    from price_steps
    where not follows
),
removals as (
    select
        * exclude (valid_from_basis) replace (
            hourly_price as previous_hourly_price, null as hourly_price,
            upfront_price as previous_upfront_price, null as upfront_price,
            effective_hourly_price as previous_effective_hourly_price, null as effective_hourly_price,
            price_per_gpu_hour as previous_price_per_gpu_hour, null as price_per_gpu_hour
        ),
        'removed offer' as change, valid_to as changed_at, closed_known_at as known_at, valid_to as shown_at
    from price_steps
    where close_reason = 'absent'
),
announcements as (
    select *, 'announced' as change, starts_at as changed_at, first_seen_at as known_at
    from announced_offers
),
-- What was believed to hold when its scope was known to be no longer fetched.
losses as (
    select
        p.* exclude (valid_from_basis) replace (
            p.hourly_price as previous_hourly_price, null as hourly_price,
            p.upfront_price as previous_upfront_price, null as upfront_price,
            p.effective_hourly_price as previous_effective_hourly_price, null as effective_hourly_price,
            p.price_per_gpu_hour as previous_price_per_gpu_hour, null as price_per_gpu_hour
        ),
        'coverage' as change, g.last_look_at as changed_at, g.known_at
    from scope_gaps g
    join price_steps p on p.source = g.source and p.scope = g.scope
        and p.first_seen_at <= g.last_look_at
        and coalesce(p.closed_known_at, 'infinity'::timestamp) > g.known_at
),
events as (
    select * from moves
    union all by name select * from arrivals
    union all by name select * from removals
    union all by name select * from announcements
    union all by name select * from losses
),
-- as_of of the fetches from which on we landed other rows than before
readings as (select distinct source, scope, as_of from scope_looks where reads_otherwise)
select
    e.provider, e.partition, e.region_id, e.zone_id, e.instance_type, e.operating_system,
    e.purchase_option, e.offering_class, e.payment_option, e.term_months, e.currency,
    e.source, e.scope,
    case
        when r.as_of is not null then 'coverage'
        when e.change = 'new offer' and coalesce(e.valid_from <= l.covered_from, true) then 'coverage'
        else e.change
    end as change,
    e.changed_at, e.known_at,
    coalesce(l.superseded, false) or coalesce(e.valid_from_basis = 'backfilled', false) as backfilled,
    e.previous_hourly_price, e.hourly_price,
    e.previous_upfront_price, e.upfront_price,
    e.previous_effective_hourly_price, e.effective_hourly_price,
    e.effective_hourly_price / e.previous_effective_hourly_price - 1 as change_ratio,
    e.gpu_model, e.gpu_count,
    e.previous_price_per_gpu_hour, e.price_per_gpu_hour
from events e
left join scope_looks l on l.source = e.source and l.scope = e.scope and l.observed_at = e.known_at
left join readings r on r.source = e.source and r.scope = e.scope and r.as_of = e.shown_at
order by
    e.provider, e.partition, e.region_id, e.zone_id, e.instance_type, e.operating_system, e.purchase_option,
    e.offering_class, e.payment_option, e.term_months, e.currency, e.source, e.scope, change, e.changed_at,
    e.hourly_price, e.upfront_price
