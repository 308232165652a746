-- Offers of Capacity Blocks, as each fetch saw them; runs inside the transaction of fold/finish.sql.
delete from aws_capacity_blocks t using scope_now n where n.anew and t.source = n.source and t.scope = n.scope;

insert into aws_capacity_blocks by name
select source, scope, observed_at, unnest(fact)
from fold_facts join scope_now using (scope_id);
