-- The scope being folded: one row. anew: from its first landing file.
create or replace temp table scope_now as select ?::varchar as source, ?::varchar as scope, ?::boolean as anew;
