-- A scope whose latest fetches lack so much that they wait for a person or for later fetches.
select source, scope, held_since, held_reason
from sources
where held
