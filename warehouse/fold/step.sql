-- The fetches of the round being folded, one a scope: how each is read. reach: until when it speaks.
create or replace temp table step as
select scope_id, as_of, observed_at, versioned, fills_history, complete, reach, previous_observed_at, previous_complete_as_of,
       previous_complete_observed_at, closes_previous
from round_steps;
