-- The scopes that leave the fold as they were.
delete from scope_now where scope_id in (select scope_id from leaving);
delete from open_rows where scope_id not in (select scope_id from scope_now);
delete from closed_rows where scope_id not in (select scope_id from scope_now);
delete from fold_rejects where scope_id not in (select scope_id from scope_now);
delete from fold_announced where scope_id not in (select scope_id from scope_now);
