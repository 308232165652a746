-- The first whole fetch of a scope (`step`) judges what was back-filled from its windows: an offer that no fetch has seen
-- and to which it gives no price, or another one, doesn't chain up to anything, so none of it stands.
create or replace temp table unchained as
with filled as (
    select scope_id, price_key, first_seen_at from open_rows
    union all
    select scope_id, price_key, first_seen_at from closed_rows
),
unseen as (
    select scope_id, price_key
    from filled join step using (scope_id)
    group by scope_id, price_key
    having min(first_seen_at) > any_value(step.observed_at)
)
select scope_id, price_key
from unseen u
join open_rows o using (scope_id, price_key)
left join stage s using (scope_id, price_key)
where not coalesce(s.known and s.price.hourly_price = o.price.hourly_price
                   and s.price.upfront_price = o.price.upfront_price, false);

delete from open_rows where (scope_id, price_key) in (select (scope_id, price_key) from unchained);
delete from closed_rows where (scope_id, price_key) in (select (scope_id, price_key) from unchained);
