-- The rows of prices beside what they cost you, by the discounts in your discounts.csv; no other table knows of those.
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
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_numerator: GPUs of the instance as a fraction: numerator (a sixth of a GPU is 1/6)
-- gpu_denominator: GPUs of the instance as a fraction: denominator
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- gpu_memory_gb: GPU memory of the instance, GB: count times the whole device's
-- price_per_gpu_hour: effective hourly price of one whole GPU (a slice is scaled up)
-- price_per_gb_hour: effective hourly price of one GB of GPU memory
-- price_per_tflop_hour: effective hourly price of one dense FP16 tensor TFLOPS; NULL for GPUs without tensor or
--     matrix cores
-- price_per_fp32_tflop_hour: effective hourly price of one FP32 TFLOPS
-- region_name: the provider's name of the place; NULL if it is in no reference table yet
-- region_kind: region, local_zone or wavelength_zone; NULL if the place is in no reference table yet
-- valid_from: when the price began to hold, inclusive (UTC)
-- valid_from_basis: how valid_from is known: published (the version's publication), window (the feed's own start,
--     between two of our fetches), observed (first sighting), backfilled (from an older version of the
--     feed, fetched afterwards)
-- provider_effective_date: start the feed itself gives (UTC); decides nothing on AWS
-- first_seen_at: when we first saw it (UTC)
-- last_seen_at: when we last saw it (UTC); of a price still in force, its scope's last complete fetch
-- missing_since: complete fetches have lacked the offer since then (UTC); it is closed once that has lasted 20 hours;
--     NULL: not missing
-- source: feed the price comes from
-- scope: what one fetch of that feed covers, usually region/currency
-- sku_id: the provider's id of the product; '' if none
-- rate_id: the provider's id of the rate or meter; '' if none
-- discount_ratio: what discounts.csv takes off this provider's list prices of this way to buy (0.15: 15 % off); 0 if it
--     names none
-- your_hourly_price: hourly_price * (1 - discount_ratio)
-- your_upfront_price: upfront_price * (1 - discount_ratio)
-- your_effective_hourly_price: effective_hourly_price * (1 - discount_ratio)
-- your_price_per_gpu_hour: price_per_gpu_hour * (1 - discount_ratio)
with offers as (
    select
        p.*,
        cast(coalesce(d.discount_ratio, 0) as decimal(7, 6)) as discount_ratio,
        cast(1 - coalesce(d.discount_ratio, 0) as decimal(7, 6)) as factor
    from prices p
    left join discounts d using (provider, purchase_option)
)
select
    * exclude (factor),
    -- Each product is rounded once, to the decimals of the list price.
    cast(cast(hourly_price as decimal(28, 10)) * factor as decimal(18, 10)) as your_hourly_price,
    cast(cast(upfront_price as decimal(28, 6)) * factor as decimal(24, 6)) as your_upfront_price,
    cast(cast(effective_hourly_price as decimal(28, 10)) * factor as decimal(18, 10)) as your_effective_hourly_price,
    cast(cast(price_per_gpu_hour as decimal(28, 10)) * factor as decimal(18, 10)) as your_price_per_gpu_hour
from offers
order by
    provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency
