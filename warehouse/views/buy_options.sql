-- The ways to buy one whole GPU of a model in a place, each on the size that sells it cheapest that way. One more
--     purchase_option stands here: capacity_block, the cheapest one that is open (table capacity_block_offers).
-- grain: provider, partition, region_id, gpu_model, operating_system, purchase_option, offering_class,
--     payment_option, term_months, currency
-- provider: aws or azure
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- gpu_model: our name of the GPU (table gpu_models)
-- operating_system: linux or windows (licence included)
-- purchase_option: on_demand, spot, reserved, savings_plan
-- offering_class: reserved on AWS: standard or convertible; savings plans: compute or ec2_instance; else ''
-- payment_option: no_upfront, partial_upfront, all_upfront, or any (Azure: paid monthly or at once, same price); else
--     ''
-- term_months: length of the commitment in months (12, 36, 60), 0 for none
-- currency: ISO 4217; the partition's own, in which all prices of the row are
-- price_per_gpu_hour: effective hourly price of one whole GPU; of a commitment for each hour of the term, used or not
-- paid_when_idle: whether the hours in which it does not run are paid too, as they are of a commitment or a block
-- instance_type: the size with that price, of those with at least one GPU; of several the one with the fewest
-- zone_id: availability zone with that price where the provider prices by zone (AWS zone ids), else ''
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- hourly_price: paid for each hour of one instance; 0 only if all is paid at the start
-- upfront_price: paid once at the start of the term for one instance
-- total_price: paid over the whole term (of a capacity block: until its end) for one instance, running or not; NULL
--     without a term
-- effective_hourly_price: hourly price with the upfront spread over the term (8,760 hours a year) or the block, for one
--     instance
-- price_basis: published (as the provider gives it) or derived (an Azure reservation: total / hours; on Windows:
--     reserved Linux + Windows - Linux on demand; a capacity block: its fee / instances / hours)
-- on_demand_price_per_gpu_hour: lowest on-demand price of one whole GPU of the model in the same place and system;
--     NULL if it is not sold on demand there
-- saving_ratio: 1 - price / that on-demand price; negative: dearer
-- break_even_utilization: price / that on-demand price, of a commitment or a block: the share of the time it must run to
--     be worth it; over 1: never; NULL of what is paid only when it runs
-- starts_at: when a capacity block begins (UTC); NULL of all else
-- ends_at: when it ends (UTC)
-- valid_from: when the price began to hold, inclusive (UTC); of a capacity block, when it was first seen
-- last_seen_at: when we last saw it (UTC); of a price still in force, its scope's last complete fetch
-- source: feed the price comes from
with cheapest_prices as (
    select
        provider, partition, region_id, gpu_model, operating_system, purchase_option, offering_class, payment_option,
        term_months, currency,
        min(price_per_gpu_hour) as price_per_gpu_hour,
        arg_min(p, (price_per_gpu_hour, gpu_numerator, instance_type, zone_id)) as size
    from prices p
    where gpu_numerator >= gpu_denominator and price_per_gpu_hour is not null
    group by all
),
-- One of the instances of the cheapest block; its share of the fee is paid at once.
cheapest_blocks as (
    select
        provider, partition, region_id, gpu_model, 'linux' as operating_system, 'capacity_block' as purchase_option,
        '' as offering_class, '' as payment_option, 0::smallint as term_months, currency,
        min(price_per_gpu_hour) as price_per_gpu_hour,
        arg_min(b, (price_per_gpu_hour, starts_at, block_hours, instance_count, instance_type, availability_zone)) as block
    from capacity_block_offers b
    where is_open and gpu_count >= 1 and price_per_gpu_hour is not null
    group by all
),
cheapest as (
    select * exclude (size),
        size.instance_type, size.zone_id, size.gpu_count, size.hourly_price, size.upfront_price, size.total_price,
        size.effective_hourly_price, size.price_basis,
        null::timestamp as starts_at, null::timestamp as ends_at,
        size.valid_from, size.last_seen_at, size.source
    from cheapest_prices
    union all by name
    select * exclude (block),
        block.instance_type, '' as zone_id, block.gpu_count, 0 as hourly_price,
        cast(block.total_price / block.instance_count as decimal(24, 6)) as upfront_price, upfront_price as total_price,
        block.hourly_price as effective_hourly_price, 'derived' as price_basis,
        block.starts_at, block.ends_at,
        block.first_seen_at as valid_from, block.last_seen_at, block.source
    from cheapest_blocks
)
select
    c.provider, c.partition, c.region_id, c.gpu_model, c.operating_system, c.purchase_option, c.offering_class,
    c.payment_option, c.term_months, c.currency,
    c.price_per_gpu_hour,
    c.term_months > 0 or c.purchase_option = 'capacity_block' as paid_when_idle,
    c.instance_type, c.zone_id, c.gpu_count, c.hourly_price, c.upfront_price,
    c.total_price, c.effective_hourly_price, c.price_basis,
    d.price_per_gpu_hour as on_demand_price_per_gpu_hour,
    1 - c.price_per_gpu_hour / d.price_per_gpu_hour as saving_ratio,
    if(c.term_months > 0 or c.purchase_option = 'capacity_block', c.price_per_gpu_hour / d.price_per_gpu_hour, null)
        as break_even_utilization,
    c.starts_at, c.ends_at,
    c.valid_from, c.last_seen_at, c.source
from cheapest c
left join cheapest d
    on d.purchase_option = 'on_demand' and d.provider = c.provider and d.partition = c.partition
    and d.region_id = c.region_id and d.gpu_model = c.gpu_model and d.operating_system = c.operating_system
    and d.currency = c.currency
order by
    provider, partition, c.region_id, gpu_model, operating_system, purchase_option, offering_class, payment_option,
    term_months, currency
