-- Rejected records and announced prices of one fetch: stored once, with first and last sighting. They stand until a
-- complete fetch lacks them: last_seen_at is NULL so long. partial_seen_at: a later sighting in a partial fetch.
create or replace temp table fold_rejects as
with found as (
    select distinct on (outcomes.scope_id, reason, record, price_key)
        outcomes.scope_id, outcomes.reason, landed.record::varchar as record, outcomes.price_key, outcomes.offer
    from outcomes join landed using (record_id)
    where outcomes.outcome = 'rejected'
    order by outcomes.scope_id, reason, record, price_key, outcomes.offer
),
beside as (
    select
        scope_id, reason, record, price_key,
        coalesce(r.offer, f.offer) as offer,
        {first: r.first_seen_at, last: r.last_seen_at, partial: r.partial_seen_at} as before,
        r.clean as was_clean,
        f.offer is not null as sighted
    from fold_rejects r
    full join found f using (scope_id, reason, record, price_key)
),
seen as (
    select scope_id, reason, record, price_key, offer, before, was_clean,
        if(sighted, least(before.first, step.observed_at), before.first) as first_seen_at,
        case when sighted then null
             when step.complete then coalesce(before.last, before.partial, step.previous_complete_observed_at)
             else before.last end as last_seen_at,
        case when step.complete then null when sighted then step.observed_at else before.partial end as partial_seen_at
    from beside join step using (scope_id)
)
select * exclude (before, was_clean),
    coalesce(was_clean, false)
        and before is not distinct from {first: first_seen_at, last: last_seen_at, partial: partial_seen_at} as clean
from seen
union all by name
from fold_rejects where scope_id not in (select scope_id from step);

create or replace temp table fold_announced as
with found as (
    select distinct on (scope_id, price_key, starts_at, price.hourly_price, price.upfront_price)
        scope_id, price_key, price.provider_effective_date as starts_at, offer,
        {hourly_price: price.hourly_price, upfront_price: price.upfront_price, total_price: price.total_price,
         effective_hourly_price: price.effective_hourly_price, price_basis: price.price_basis} as price
    from checked
    where outcome = 'announced'
    order by scope_id, price_key, starts_at, price.hourly_price, price.upfront_price, record_id
),
beside as (
    select
        coalesce(a.scope_id, f.scope_id) as scope_id,
        coalesce(a.price_key, f.price_key) as price_key,
        coalesce(a.offer, f.offer) as offer,
        coalesce(a.price, f.price) as price,
        coalesce(a.starts_at, f.starts_at) as starts_at,
        {first: a.first_seen_at, last: a.last_seen_at, partial: a.partial_seen_at} as before,
        a.clean as was_clean,
        f.price_key is not null as sighted
    from fold_announced a
    full join found f on f.scope_id = a.scope_id and f.price_key = a.price_key and f.starts_at = a.starts_at
        and f.price.hourly_price = a.price.hourly_price and f.price.upfront_price = a.price.upfront_price
),
seen as (
    select scope_id, price_key, offer, price, starts_at, before, was_clean,
        if(sighted, least(before.first, step.observed_at), before.first) as first_seen_at,
        case when sighted then null
             when step.complete then coalesce(before.last, before.partial, step.previous_complete_observed_at)
             else before.last end as last_seen_at,
        case when step.complete then null when sighted then step.observed_at else before.partial end as partial_seen_at
    from beside join step using (scope_id)
)
select * exclude (before, was_clean),
    coalesce(was_clean, false)
        and before is not distinct from {first: first_seen_at, last: last_seen_at, partial: partial_seen_at} as clean
from seen
union all by name
from fold_announced where scope_id not in (select scope_id from step);
