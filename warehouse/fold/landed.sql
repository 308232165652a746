-- What one round of fetches brought, at most one fetch of a scope: its records, numbered through the round in the order
-- of the (sorted) bodies, and for the source's .sql the fetches themselves.
create or replace temp table landed as
select record_id, scope_id, record::json as record from landed_lines;

create or replace temp table fetches as
select scope_id, source, scope, as_of, observed_at, version from round_fetches;
