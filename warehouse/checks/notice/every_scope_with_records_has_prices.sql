-- A scope whose latest fetch brought records, and which has no price that holds; a walk over all regions has none.
select source, scope, last_complete_at, records, excluded, rejected
from sources
where records > 0 and open_prices = 0 and scope not like '*/%'
