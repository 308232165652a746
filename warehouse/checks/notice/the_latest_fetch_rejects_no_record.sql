-- A scope whose latest fetch brought records that can't be used.
select source, scope, last_attempt_at, records, rejected
from sources
where rejected > 0
