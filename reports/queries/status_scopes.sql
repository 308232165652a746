-- The scopes that want a look: held back, not fetched whole last time, or with prices that are missing now. $every: all scopes.
-- grain: source, scope
select
    source, scope, last_attempt_status, last_read_as, last_attempt_at, last_complete_at, last_as_of, last_version,
    held, held_since, held_reason, missing_now, open_prices,
    records, loaded, duplicates, excluded, rejected, last_error
from sources
where $every or held or missing_now > 0 or last_read_as <> 'complete'
order by source, scope
