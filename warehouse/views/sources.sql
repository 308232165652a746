-- How fresh each scope of each feed is, and what became of the records of its latest fetch.
-- grain: source, scope
-- source: feed the price comes from
-- scope: what one fetch of that feed covers, usually region/currency
-- first_observed_at: the first attempt (UTC)
-- last_attempt_at: the latest attempt (UTC)
-- last_attempt_status: how it ended: complete, unchanged (same version or same content as before), partial, failed
-- last_read_as: how the latest attempt is read: complete, held, failed, or partial (it broke off, or a record in it
--     can't be told from any offer, so that nothing is believed to be gone)
-- last_error: what went wrong in it; NULL if nothing did
-- last_complete_at: the latest complete fetch (UTC), unchanged ones too; NULL: none yet
-- last_as_of: what the latest fetch that brought records speaks for: publication of its version, else when it was
--     fetched (UTC)
-- last_version: the provider's version in it; NULL if the feed has none
-- held: true: the latest complete fetches lack so much that they are held back; release them with gpu-prices accept
--     SOURCE SCOPE
-- held_since: the first fetch of those held back (UTC)
-- held_reason: why, in words
-- open_prices: prices of this scope with no end known
-- missing_now: those of them that its latest complete fetches lacked, not yet closed
-- records: records in the latest fetch that brought any
-- loaded: of those, records that gave a price
-- duplicates: records that repeat a price
-- excluded: records out of scope, left out for a named reason
-- rejected: records that could not be used (table rejected_rows)
-- exclusions: JSON: reason of exclusion -> records
with looks as (
    -- An attempt at what held before something that was seen fills history: it says nothing of how the scope stands.
    select *,
        (version is not null and status = 'failed')
        or coalesce(
            as_of < max(as_of) filter (where effective_status <> 'failed') over (
                partition by source, scope order by observed_at rows unbounded preceding),
            false) as fills_history
    from observations
),
attempts as (
    select
        source, scope,
        min(observed_at) as first_observed_at,
        max(observed_at) as last_attempt_at,
        arg_max(o, observed_at) as latest
    from looks o
    where not fills_history
    group by source, scope
),
fetches as (
    select
        source, scope,
        -- the look that speaks last: an old version that is fetched late makes nothing fresher
        arg_max(observed_at, (as_of, observed_at)) filter (where effective_status = 'complete') as last_complete_at,
        max((as_of, observed_at)) filter (where effective_status = 'complete') as last_complete,
        arg_max(o, (as_of, observed_at)) as latest
    from observations o
    where effective_status <> 'failed'
    group by source, scope
),
held as (
    select o.source, o.scope, min(o.observed_at) as held_since, arg_max(o.held_reason, o.observed_at) as held_reason
    from observations o
    join fetches f on f.source = o.source and f.scope = o.scope
    where o.effective_status = 'held' and coalesce((o.as_of, o.observed_at) > f.last_complete, true)
    group by o.source, o.scope
),
open as (
    select source, scope, count(*) as open_prices, count(missing_since) as missing_now
    from price_intervals
    where valid_to is null
    group by source, scope
)
select
    a.source, a.scope,
    a.first_observed_at, a.last_attempt_at, a.latest.status as last_attempt_status,
    a.latest.effective_status as last_read_as, a.latest.error as last_error,
    f.last_complete_at, f.latest.as_of as last_as_of, f.latest.version as last_version,
    h.held_since is not null as held, h.held_since, h.held_reason,
    coalesce(o.open_prices, 0) as open_prices,
    coalesce(o.missing_now, 0) as missing_now,
    f.latest.records, f.latest.loaded, f.latest.duplicates, f.latest.excluded, f.latest.rejected,
    cast(to_json(f.latest.exclusions) as varchar) as exclusions
from attempts a
left join fetches f using (source, scope)
left join held h using (source, scope)
left join open o using (source, scope)
order by a.source, a.scope
