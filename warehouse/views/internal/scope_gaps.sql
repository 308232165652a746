-- The times for which a scope was no longer fetched, though its feed was: seen from the fetches alone, by no clock. What
-- a back-fill lands is no fetch of today: it keeps no scope fetched, and leaves no other behind.
-- grain: source, scope, last_look_at
-- source: feed
-- scope: what one fetch covers
-- last_look_at: observed_at of the last fetch that said something, before the gap
-- next_look_at: of the next one; NULL while there is none
-- known_at: when it was known: another scope of the feed had been fetched three times since, over 72 hours at least
with looks as (
    select
        source, scope, observed_at as last_look_at,
        lead(observed_at) over (partition by source, scope order by observed_at) as next_look_at,
        max(observed_at) over (partition by source) as latest_at
    from scope_looks
    where not fills_history
),
-- The others can't have been fetched over 72 hours in less: on most days no scope is left to look at.
long as (
    select source, scope, last_look_at, next_look_at
    from looks
    where coalesce(next_look_at, latest_at) > last_look_at + interval 72 hours
),
others as (
    select
        l.source, l.scope, l.last_look_at, l.next_look_at, o.observed_at,
        row_number() over since_then as looks,
        first_value(o.observed_at) over since_then as first_at
    from long l
    join scope_looks o
        on o.source = l.source and o.scope <> l.scope and not o.fills_history
        and o.observed_at > l.last_look_at and o.observed_at < coalesce(l.next_look_at, 'infinity'::timestamp)
    window since_then as (
        partition by l.source, l.scope, l.last_look_at, o.scope order by o.observed_at
        rows between unbounded preceding and current row
    )
)
select source, scope, last_look_at, next_look_at, min(observed_at) as known_at
from others
where looks >= 3 and observed_at >= first_at + interval 72 hours
group by source, scope, last_look_at, next_look_at
