-- What the fold is about to write: one row. A new price counts as changed if it closes another, else as opened.
select
    (select count(*) from open_rows where not clean and first_seen_at in (select observed_at from fold_observations))
        + (select count(*) from closed_rows where first_seen_at in (select observed_at from fold_observations))
        - (select count(*) from closed_rows where close_reason = 'changed') as opened,
    (select count(*) from closed_rows where close_reason = 'changed') as changed,
    (select count(*) from closed_rows where close_reason = 'absent') as closed,
    (select coalesce(arg_max(effective_status, (as_of, observed_at)) filter (where effective_status <> 'failed') = 'held', false)
     from fold_observations) as held;
