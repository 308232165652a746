-- The checks that found something; $every: all checks.
-- grain: check_name
select replace(check_name, '_', ' ') as must_hold, kind, passed, rows, example
from check_results
where $every or not passed
order by kind, check_name
