-- Capacity Blocks for ML that AWS offered: some instances from a start to an end, for a fee that is paid at once.
-- grain: partition, region_id, availability_zone, instance_type, instance_count, starts_at, ends_at, block_hours,
--     currency, total_price
-- provider: aws or azure
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- availability_zone: the zone's name in the account that asked; another account may call another zone so
-- instance_type: the provider's name of the size
-- instance_count: instances in the block
-- starts_at: when the block begins (UTC)
-- ends_at: when it ends (UTC)
-- block_hours: hours that are paid for
-- currency: ISO 4217; the partition's own, in which all prices of the row are
-- total_price: the fee of the whole block, paid at once when it is bought
-- hourly_price: fee / instances / hours: an hour of one instance; Linux, whatever else the system costs comes on top
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_count: GPUs of one instance, for display: numerator / denominator
-- price_per_gpu_hour: hourly price of one whole GPU
-- on_demand_hourly_price: on-demand price of the size there in Linux, in force at the release's as_of; NULL if none
-- saving_ratio: 1 - hourly price / on demand; negative: dearer
-- is_open: seen in its region's last complete fetch, and it begins after the release's as_of
-- first_seen_at: when we first saw it (UTC)
-- last_seen_at: when we last saw it (UTC)
-- source: feed it comes from
-- scope: what one fetch of that feed covers: a region
with looks as (
    select source, scope, max(observed_at) as last_complete_at
    from observations
    where effective_status = 'complete'
    group by source, scope
),
offers as (
    select
        partition, region_id, availability_zone, instance_type, instance_count, starts_at, ends_at, block_minutes,
        currency, total_price, hourly_price, source, scope,
        min(observed_at) as first_seen_at,
        max(observed_at) as last_seen_at
    from aws_capacity_blocks
    group by all
),
on_demand as (
    select partition, region_id, instance_type, currency, min(hourly_price) as on_demand_hourly_price
    from prices
    where provider = 'aws' and purchase_option = 'on_demand' and operating_system = 'linux' and zone_id = ''
    group by all
)
select
    'aws' as provider, o.partition, o.region_id, o.availability_zone, o.instance_type, o.instance_count,
    o.starts_at, o.ends_at,
    cast(o.block_minutes / 60 as decimal(10, 4)) as block_hours,
    o.currency, o.total_price, o.hourly_price,
    t.gpu_model,
    t.gpu_numerator / t.gpu_denominator as gpu_count,
    try_cast(cast(o.hourly_price as decimal(38, 10)) * t.gpu_denominator / t.gpu_numerator as decimal(18, 10))
        as price_per_gpu_hour,
    d.on_demand_hourly_price,
    1 - o.hourly_price / d.on_demand_hourly_price as saving_ratio,
    o.starts_at > p.as_of and coalesce(o.last_seen_at >= l.last_complete_at, true) as is_open,
    o.first_seen_at, o.last_seen_at, o.source, o.scope
from offers o
cross join publication p
left join looks l on l.source = o.source and l.scope = o.scope
left join ref_instance_types t on t.provider = 'aws' and t.instance_type = o.instance_type
left join on_demand d
    on d.partition = o.partition and d.region_id = o.region_id and d.instance_type = o.instance_type
    and d.currency = o.currency
order by
    o.partition, o.region_id, o.availability_zone, o.instance_type, o.instance_count, o.starts_at, o.ends_at,
    block_hours, o.currency, o.total_price
