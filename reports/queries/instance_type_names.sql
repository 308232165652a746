-- Every size that can be asked for.
-- grain: instance_type
select distinct instance_type
from instance_types
order by instance_type
