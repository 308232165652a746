-- A scope whose latest fetch brought records that should be prices, and which has no price that holds; a walk over all
-- regions has none, and offers of Capacity Blocks are a table of their own.
select source, scope, last_complete_at, records, excluded, rejected
from sources
where records > 0 and open_prices = 0 and scope not like '*/%' and source <> 'aws_capacity_blocks'
