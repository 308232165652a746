-- A price the provider has announced and still announces: it starts later than it was last fetched.
-- grain: provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
--     payment_option, term_months, currency, source, scope, starts_at, hourly_price, upfront_price
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
-- starts_at: when it is to begin (UTC)
-- hourly_price: paid for each hour of one instance; 0 only if all is paid at the start
-- upfront_price: paid once at the start of the term for one instance
-- total_price: paid over the whole term for one instance, running or not; NULL without a term
-- effective_hourly_price: hourly price with the upfront spread over the term (8,760 hours a year), for one instance
-- price_basis: published (as the provider gives it) or derived (an Azure reservation: total / hours; on Windows:
--     reserved Linux + Windows - Linux on demand)
-- previous_hourly_price: hourly price in force just before it starts, as far as known; NULL for a new offer
-- previous_upfront_price: upfront price in force just before it starts
-- previous_effective_hourly_price: effective hourly price in force just before it starts
-- change_ratio: effective price announced / in force before - 1; NULL for a new offer
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- price_per_gpu_hour: effective hourly price of one whole GPU (a slice is scaled up)
-- first_seen_at: when we first saw it (UTC)
-- last_seen_at: when it was last announced: the latest fetch of its scope (UTC)
-- source: feed the price comes from
-- scope: what one fetch of that feed covers, usually region/currency
select
    provider, partition, region_id, zone_id, instance_type, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    starts_at,
    hourly_price, upfront_price, total_price, effective_hourly_price, price_basis,
    previous_hourly_price, previous_upfront_price, previous_effective_hourly_price,
    effective_hourly_price / previous_effective_hourly_price - 1 as change_ratio,
    gpu_model, gpu_count, price_per_gpu_hour,
    first_seen_at, last_seen_at,
    source, scope
from announced_offers
where standing
order by
    provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency, source, scope, starts_at, hourly_price, upfront_price
