-- The facts of a round (rows of outcome `fact`, in its column `fact`): each stands for itself, whatever other fetches say.
create or replace temp table round_facts as
select scope_id, fetches.observed_at, fact
from parsed join landed using (record_id) join fetches using (scope_id)
where outcome = 'fact';

create temp table if not exists fold_facts as from round_facts limit 0;

insert into fold_facts from round_facts;
