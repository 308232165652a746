-- A size with prices whose GPU is in no reference table: a new GPU, a new size, or one that is to be excluded.
-- grain: provider, instance_type
-- provider: aws or azure
-- instance_type: the provider's name of the size
-- open_prices: prices of it with no end known
-- regions: places that have or had a price of it
-- example_region_id: one of those places
-- first_seen_at: when we first saw it (UTC)
-- last_seen_at: when we last saw it (UTC)
select
    provider, instance_type,
    count(*) filter (where valid_to is null) as open_prices,
    count(distinct (partition, region_id)) as regions,
    min(region_id) as example_region_id,
    min(first_seen_at) as first_seen_at,
    max(last_seen_at) as last_seen_at
from price_history
where gpu_model is null
group by provider, instance_type
order by provider, instance_type
