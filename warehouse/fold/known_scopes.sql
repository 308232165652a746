-- What is loaded, by scope, and the reading under which it was. Failed attempts have no place in the order of history.
-- grain: source, scope
with observed as (
    select source, scope,
        list(observed_at) as observed,
        max({as_of: as_of, observed_at: observed_at, sha256: sha256}) filter (where effective_status <> 'failed') as latest,
        max(observed_at) filter (where effective_status <> 'failed') as last_look
    from observations
    group by source, scope
),
decided as (
    select source, scope,
        list({observed_at: observed_at, decided_by: decided_by, note: note} order by observed_at) as decisions
    from decisions
    group by source, scope
)
select source, scope, dictionary_hash, coalesce(decisions, []) as decisions, observed, latest, last_look
from dictionaries
join observed using (source, scope)
left join decided using (source, scope);
