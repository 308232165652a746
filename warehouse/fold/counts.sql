-- What the fold is about to write. A new price counts as changed if it closes another, else as opened.
-- grain: scope_id
with began as (
    select scope_id, first_seen_at, clean from open_rows
    union all
    select scope_id, first_seen_at, false from closed_rows
),
looks as (
    select scope_id, observed_at from fold_observations join scope_now using (source, scope)
),
opened as (
    select scope_id, count(*) as began
    from began semi join looks on looks.scope_id = began.scope_id and looks.observed_at = began.first_seen_at
    where not clean group by scope_id
),
ended as (
    select scope_id,
        count(*) filter (where close_reason = 'changed') as changed,
        count(*) filter (where close_reason = 'absent') as closed
    from closed_rows group by scope_id
),
newest as (
    select scope_id,
        arg_max(effective_status, (as_of, observed_at)) filter (where effective_status <> 'failed') = 'held' as held
    from fold_observations join scope_now using (source, scope) group by scope_id
)
select scope_id, coalesce(began, 0) - coalesce(changed, 0) as opened, coalesce(changed, 0) as changed,
       coalesce(closed, 0) as closed, coalesce(held, false) as held
from scope_now
left join opened using (scope_id)
left join ended using (scope_id)
left join newest using (scope_id);
