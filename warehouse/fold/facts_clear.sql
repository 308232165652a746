-- What a source's own table has of the scopes that are folded from nothing; runs inside the transaction of finish.sql.
delete from {table} t using scope_now n where n.anew and t.source = n.source and t.scope = n.scope;
