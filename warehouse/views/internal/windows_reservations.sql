-- Azure reservations on Windows: the feed prices the compute alone, so reserved Linux + (Windows - Linux) on demand,
--     while all three hold.
-- grain: source, scope, the eleven words of the key, valid_from
-- The columns are those of price_intervals.
with reserved as (
    select * from price_intervals
    where provider = 'azure' and purchase_option = 'reserved' and operating_system = 'linux'
),
-- should the feed ever price one itself, that price stands
published as (
    select * from price_intervals
    where provider = 'azure' and purchase_option = 'reserved' and operating_system = 'windows'
),
on_demand as (
    select * from price_intervals where provider = 'azure' and purchase_option = 'on_demand'
),
together as (
    select
        r.*,
        greatest(r.valid_from, w.valid_from, l.valid_from) as begins,
        least(r.valid_to, w.valid_to, l.valid_to) as ends,
        try_cast(r.effective_hourly_price + w.effective_hourly_price - l.effective_hourly_price as decimal(18, 10))
            as hourly,
        w, l
    from reserved r
    join on_demand w
        on w.operating_system = 'windows'
        and (w.source, w.scope, w.region_id, w.zone_id, w.instance_type, w.currency)
            = (r.source, r.scope, r.region_id, r.zone_id, r.instance_type, r.currency)
    join on_demand l
        on l.operating_system = 'linux'
        and (l.source, l.scope, l.region_id, l.zone_id, l.instance_type, l.currency)
            = (r.source, r.scope, r.region_id, r.zone_id, r.instance_type, r.currency)
    anti join published p
        on (p.source, p.scope, p.region_id, p.zone_id, p.instance_type, p.currency, p.term_months)
            = (r.source, r.scope, r.region_id, r.zone_id, r.instance_type, r.currency, r.term_months)
)
select
    * exclude (begins, ends, hourly, w, l) replace (
        'windows' as operating_system,
        begins as valid_from,
        ends as valid_to,
        hourly as hourly_price,
        hourly as effective_hourly_price,
        -- From the published total, which the derived hourly price has lost digits of.
        cast(total_price + cast(w.effective_hourly_price - l.effective_hourly_price as decimal(38, 10)) * 730 * term_months
             as decimal(24, 6)) as total_price,
        'derived' as price_basis,
        case begins when valid_from then valid_from_basis when w.valid_from then w.valid_from_basis
            else l.valid_from_basis end as valid_from_basis,
        least(missing_since, w.missing_since, l.missing_since) as missing_since,
        greatest(first_seen_at, w.first_seen_at, l.first_seen_at) as first_seen_at,
        least(last_seen_at, w.last_seen_at, l.last_seen_at) as last_seen_at,
        case ends when valid_to then close_reason when w.valid_to then w.close_reason when l.valid_to then l.close_reason
            else '' end as close_reason,
        case ends when valid_to then closed_known_at when w.valid_to then w.closed_known_at
            when l.valid_to then l.closed_known_at end as closed_known_at
    )
from together
where (ends is null or ends > begins) and hourly > 0
