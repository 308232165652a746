-- What is loaded of the scope in `scope_now`: one row. Failed attempts have no place in the order of history.
select
    (select coalesce(list(observed_at), []) from observations join scope_now using (source, scope)) as observed,
    (select max((as_of, observed_at, sha256)) from observations join scope_now using (source, scope)
     where effective_status <> 'failed') as latest,
    (select max(observed_at) from observations join scope_now using (source, scope)
     where effective_status <> 'failed') as last_look,
    (select coalesce(list((observed_at, decided_by, note) order by observed_at), [])
     from decisions join scope_now using (source, scope)) as decisions,
    (select any_value(dictionary_hash) from dictionaries join scope_now using (source, scope)) as dictionary_hash;
