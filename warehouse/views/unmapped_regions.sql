-- A place with prices that is in no reference table: a new region or zone.
-- grain: provider, region_id
-- provider: aws or azure
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- open_prices: prices there with no end known
-- instance_types: sizes that have or had a price there
-- first_seen_at: when we first saw it (UTC)
-- last_seen_at: when we last saw it (UTC)
select
    provider, region_id,
    min(partition) as partition,
    count(*) filter (where valid_to is null) as open_prices,
    count(distinct instance_type) as instance_types,
    min(first_seen_at) as first_seen_at,
    max(last_seen_at) as last_seen_at
from price_history
where region_kind is null
group by provider, region_id
order by provider, region_id
