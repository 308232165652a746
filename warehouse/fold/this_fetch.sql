-- The fetch whose records are in `landed`, for the source's .sql: one row.
create or replace temp table this_fetch as
select ?::varchar as source, ?::varchar as scope, ?::timestamp as as_of, ?::timestamp as observed_at, ?::varchar as version;
