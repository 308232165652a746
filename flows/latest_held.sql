-- The latest fetch of a scope that is held back, if its held run still stands: no complete fetch came after it.
-- grain: at most one row
-- observed_at: when it was fetched (UTC)
select max(held.observed_at) as observed_at
from observations held
where held.source = $source and held.scope = $scope and held.effective_status = 'held'
    and not exists (
        from observations later
        where later.source = held.source and later.scope = held.scope and later.effective_status = 'complete'
            and (later.as_of, later.observed_at, later.sha256) > (held.as_of, held.observed_at, held.sha256)
    )
having max(held.observed_at) is not null
