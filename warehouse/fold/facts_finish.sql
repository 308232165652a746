-- The facts of this fold, into the source's own table; runs inside the transaction of finish.sql.
insert into {table} by name
select source, scope, observed_at, unnest(fact)
from fold_facts join scope_now using (scope_id);
