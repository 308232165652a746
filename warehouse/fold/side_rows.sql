-- Rejected records and announced prices of one fetch: stored once, with first and last sighting.
create or replace temp table fold_rejects as
with found as (
    select distinct on (reason, record, price_key)
        outcomes.reason, landed.record::varchar as record, outcomes.price_key, outcomes.offer
    from outcomes join landed using (record_id)
    where outcomes.outcome = 'rejected'
    order by reason, record, price_key, outcomes.offer
)
select
    coalesce(r.reason, f.reason) as reason,
    coalesce(r.record, f.record) as record,
    coalesce(r.price_key, f.price_key) as price_key,
    coalesce(r.offer, f.offer) as offer,
    if(f.record is null, r.first_seen_at, least(r.first_seen_at, step.observed_at)) as first_seen_at,
    if(f.record is null, coalesce(r.last_seen_at, step.previous_observed_at), null) as last_seen_at,
    coalesce(r.clean and (f.record is null) = (r.last_seen_at is not null)
             and (f.record is null or r.first_seen_at <= step.observed_at), false) as clean
from fold_rejects r
full join found f on f.reason = r.reason and f.record = r.record and f.price_key = r.price_key
cross join step;

create or replace temp table fold_announced as
with found as (
    select distinct on (price_key, starts_at, price.hourly_price, price.upfront_price)
        price_key, price.provider_effective_date as starts_at, offer,
        {hourly_price: price.hourly_price, upfront_price: price.upfront_price, total_price: price.total_price,
         effective_hourly_price: price.effective_hourly_price, price_basis: price.price_basis} as price
    from checked
    where outcome = 'announced'
    order by price_key, starts_at, price.hourly_price, price.upfront_price, record_id
)
select
    coalesce(a.price_key, f.price_key) as price_key,
    coalesce(a.offer, f.offer) as offer,
    coalesce(a.price, f.price) as price,
    coalesce(a.starts_at, f.starts_at) as starts_at,
    if(f.price_key is null, a.first_seen_at, least(a.first_seen_at, step.observed_at)) as first_seen_at,
    if(f.price_key is null, coalesce(a.last_seen_at, step.previous_observed_at), null) as last_seen_at,
    coalesce(a.clean and (f.price_key is null) = (a.last_seen_at is not null)
             and (f.price_key is null or a.first_seen_at <= step.observed_at), false) as clean
from fold_announced a
full join found f on f.price_key = a.price_key and f.starts_at = a.starts_at
    and f.price.hourly_price = a.price.hourly_price and f.price.upfront_price = a.price.upfront_price
cross join step;
