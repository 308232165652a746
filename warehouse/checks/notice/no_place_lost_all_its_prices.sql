-- A region or zone that had prices and has none left.
select
    provider, partition, region_id, max(valid_to) as last_price_ended_at,
    count(distinct instance_type) as instance_types
from price_history
group by provider, partition, region_id
having count(*) filter (where valid_to is null) = 0
