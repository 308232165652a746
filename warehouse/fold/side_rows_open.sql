-- Whether a reject or announcement of an earlier fetch is still without an end.
select exists (from fold_rejects where last_seen_at is null) or exists (from fold_announced where last_seen_at is null);
