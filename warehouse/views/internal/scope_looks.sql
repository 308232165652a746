-- The fetches of each scope that say something, each with what the fetches around it say of it.
-- grain: source, scope, observed_at
-- source: feed
-- scope: what one fetch covers
-- observed_at: when it was fetched
-- as_of: what it speaks for: the version's publication, else observed_at
-- covered_from: as_of of the scope's first complete fetch; what held by then was found, it didn't appear
-- reads_otherwise: other rows are landed from here on than before (the predicate changed)
-- superseded: a newer version had been out for over a day when this one was fetched: it fills history, it is no news
-- fills_history: superseded, or of a window that began before it was fetched: it doesn't tell how things stand
-- last_complete_at: observed_at of the scope's last complete fetch, in the order of the fold
with versions as (
    select source, scope, as_of, lead(as_of) over (partition by source, scope order by as_of) as next_as_of
    from observations
    where effective_status <> 'failed'
    group by source, scope, as_of
),
scopes as (
    select
        source, scope,
        min(as_of) filter (where effective_status = 'complete') as covered_from,
        arg_max(observed_at, (as_of, observed_at)) filter (where effective_status = 'complete') as last_complete_at
    from observations
    where effective_status <> 'failed'
    group by source, scope
)
select
    o.source, o.scope, o.observed_at, o.as_of,
    s.covered_from,
    o.predicate <> lag(o.predicate, 1, o.predicate) over (partition by o.source, o.scope order by o.as_of, o.observed_at)
        as reads_otherwise,
    coalesce(v.next_as_of <= o.observed_at - interval 1 day, false) as superseded,
    superseded or (o.version is null and o.as_of < o.observed_at) as fills_history,
    s.last_complete_at
from observations o
join versions v on v.source = o.source and v.scope = o.scope and v.as_of = o.as_of
join scopes s on s.source = o.source and s.scope = o.scope
where o.effective_status <> 'failed'
