-- A newer version shows how long the previous one was in force: what that one lacked for 20 hours is closed.
insert into closed_rows
select price_key, offer, price, valid_from, missing_since, valid_from_basis, first_seen_at, last_seen_at,
       'absent', step.observed_at
from open_rows, step
where missing_since + interval 20 hours <= step.as_of and missing_since > valid_from;

delete from open_rows
where missing_since + interval 20 hours <= (select as_of from step);
