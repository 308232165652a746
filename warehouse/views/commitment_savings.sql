-- What each commitment on sale saves against on demand at the same moment, and when it pays.
-- grain: provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
--     payment_option, term_months, currency
-- provider: aws or azure
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- zone_id: availability zone where the provider prices by zone (AWS zone ids), else ''
-- instance_type: the provider's name of the size
-- operating_system: linux or windows (licence included)
-- purchase_option: on_demand, spot, reserved, savings_plan
-- offering_class: reserved on AWS: standard or convertible; savings plans: compute or ec2_instance; else ''
-- payment_option: no_upfront, partial_upfront, all_upfront, or any (Azure: paid monthly or at once, same price); else
--     ''
-- term_months: length of the commitment in months (12, 36, 60), 0 for none
-- currency: ISO 4217; the partition's own, in which all prices of the row are
-- hourly_price: paid for each hour of one instance; 0 only if all is paid at the start
-- upfront_price: paid once at the start of the term for one instance
-- total_price: paid over the whole term for one instance, running or not; NULL without a term
-- effective_hourly_price: hourly price with the upfront spread over the term (8,760 hours a year), for one instance
-- price_basis: published (as the provider gives it) or derived (an Azure reservation: total / hours; on Windows:
--     reserved Linux + Windows - Linux on demand)
-- on_demand_hourly_price: on-demand price of the same provider, region, size, system and currency in force at the
--     release's as_of; NULL if there is none
-- saving_ratio: 1 - effective / on demand; negative: dearer than on demand
-- break_even_utilization: effective / on demand: share of the term the instance must run to be worth the commitment;
--     over 1: never
-- break_even_month: month from which running all the time on demand would have cost as much as the whole term (a
--     month is 730 hours); NULL: not within the term
-- payback_month: month in which the upfront payment is won back against on demand, running all the time; 0 without
--     one; beyond the term: not within it; NULL: never, as each hour costs as much or more
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- price_per_gpu_hour: effective hourly price of one whole GPU (a slice is scaled up)
-- valid_from: when the price began to hold, inclusive (UTC)
-- last_seen_at: when we last saw it (UTC); of a price still in force, its scope's last complete fetch
-- source: feed the price comes from
with on_demand as (
    select
        provider, partition, region_id, instance_type, operating_system, currency,
        min(hourly_price) as on_demand_hourly_price
    from prices
    where purchase_option = 'on_demand' and zone_id = ''
    group by all
),
paired as (
    select
        p.*, d.on_demand_hourly_price,
        -- Whole numbers of 10^-10, so that the months are exact: a DOUBLE could round a whole quotient up.
        cast(cast(d.on_demand_hourly_price as decimal(38, 10)) * 10000000000 as hugeint) * 730 as on_demand_month,
        cast(cast(d.on_demand_hourly_price - p.hourly_price as decimal(38, 10)) * 10000000000 as hugeint) * 730 as saved_month,
        cast(cast(p.total_price as decimal(38, 6)) * 10000000000 as hugeint) as total,
        cast(cast(p.upfront_price as decimal(38, 6)) * 10000000000 as hugeint) as upfront
    from prices p
    left join on_demand d using (provider, partition, region_id, instance_type, operating_system, currency)
    where p.purchase_option in ('reserved', 'savings_plan')
)
select
    provider, partition, region_id, zone_id, instance_type, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    hourly_price, upfront_price, total_price, effective_hourly_price, price_basis,
    on_demand_hourly_price,
    1 - effective_hourly_price / on_demand_hourly_price as saving_ratio,
    effective_hourly_price / on_demand_hourly_price as break_even_utilization,
    cast(
        if(total <= on_demand_month * term_months, (total + on_demand_month - 1) // nullif(on_demand_month, 0), null)
        as integer
    ) as break_even_month,
    cast(if(saved_month > 0, (upfront + saved_month - 1) // nullif(saved_month, 0), null) as integer) as payback_month,
    gpu_model, gpu_count, price_per_gpu_hour, valid_from, last_seen_at, source
from paired
order by
    provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency
