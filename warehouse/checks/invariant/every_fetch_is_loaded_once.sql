-- Two observations of one scope with one time.
select source, scope, observed_at, count(*) as times
from observations
group by all
having count(*) > 1
