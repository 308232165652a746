-- A walk over all regions (scope */USD) without a complete one in the nine days before as_of: it is a weekly one.
select s.source, s.scope, s.last_complete_at, s.last_attempt_at, s.last_attempt_status, s.last_error
from sources s
cross join publication p
where s.scope like '*/%' and coalesce(s.last_complete_at < p.as_of - interval 9 days, true)
