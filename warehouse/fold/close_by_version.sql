-- A newer version shows how long the previous one was in force: what that one lacked for 20 hours is closed.
insert into closed_rows
select scope_id, price_key, offer, price, valid_from, missing_since, valid_from_basis, first_seen_at, last_seen_at,
       'absent', step.observed_at
from open_rows join step using (scope_id)
where closes_previous and missing_since + interval 20 hours <= step.as_of and missing_since > valid_from;

delete from open_rows
using step
where step.scope_id = open_rows.scope_id and closes_previous and missing_since + interval 20 hours <= step.as_of;
