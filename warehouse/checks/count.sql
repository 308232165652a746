-- Count the rows of `offending`, and keep the first three by their text.
insert into check_outcomes
select $check_name, $kind, count(*), coalesce(list(text order by text)[:3], [])
from (select cast(to_json(offending) as varchar) as text from offending)
