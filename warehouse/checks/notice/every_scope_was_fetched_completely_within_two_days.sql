-- A scope without a complete fetch in the 48 hours before as_of; the walk over all regions is weekly.
select s.source, s.scope, s.last_complete_at, s.last_attempt_at, s.last_attempt_status, s.last_error
from sources s
cross join publication p
where s.scope not like '*/%' and coalesce(s.last_complete_at < p.as_of - interval 48 hours, true)
