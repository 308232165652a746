-- The table of the source being folded, if it has one of its own: it bears the source's name.
select table_name from duckdb_tables()
where database_name = 'warehouse' and table_name in (select source from scope_now);
