-- The reading under which a scope was folded: the hash of its source's .sql and of the reference tables that reads.
-- grain: source, scope
create table if not exists dictionaries (
    source varchar not null,
    scope varchar not null,
    dictionary_hash varchar not null
);
