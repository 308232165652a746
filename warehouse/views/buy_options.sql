-- The ways to buy one whole GPU of a model in a place, each on the size that sells it cheapest that way.
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
-- paid_when_idle: whether the hours in which it does not run are paid too, as they are of a commitment
-- instance_type: the size with that price, of those with at least one GPU; of several the one with the fewest
-- zone_id: availability zone with that price where the provider prices by zone (AWS zone ids), else ''
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- hourly_price: paid for each hour of one instance; 0 only if all is paid at the start
-- upfront_price: paid once at the start of the term for one instance
-- total_price: paid over the whole term for one instance, running or not; NULL without a term
-- effective_hourly_price: hourly price with the upfront spread over the term (8,760 hours a year), for one instance
-- price_basis: published (as the provider gives it) or derived (an Azure reservation: total / hours; on Windows:
--     reserved Linux + Windows - Linux on demand)
-- on_demand_price_per_gpu_hour: lowest on-demand price of one whole GPU of the model in the same place and system;
--     NULL if it is not sold on demand there
-- saving_ratio: 1 - price / that on-demand price; negative: dearer
-- break_even_utilization: price / that on-demand price, of a commitment: the share of the term it must run to be worth
--     it; over 1: never; NULL of what is paid only when it runs
-- valid_from: when the price began to hold, inclusive (UTC)
-- last_seen_at: when we last saw it (UTC); of a price still in force, its scope's last complete fetch
-- source: feed the price comes from
with cheapest as (
    select
        provider, partition, region_id, gpu_model, operating_system, purchase_option, offering_class, payment_option,
        term_months, currency,
        min(price_per_gpu_hour) as price_per_gpu_hour,
        arg_min(p, (price_per_gpu_hour, gpu_numerator, instance_type, zone_id)) as size
    from prices p
    where gpu_numerator >= gpu_denominator and price_per_gpu_hour is not null
    group by all
)
select
    c.provider, c.partition, c.region_id, c.gpu_model, c.operating_system, c.purchase_option, c.offering_class,
    c.payment_option, c.term_months, c.currency,
    c.price_per_gpu_hour,
    c.term_months > 0 as paid_when_idle,
    c.size.instance_type, c.size.zone_id, c.size.gpu_count, c.size.hourly_price, c.size.upfront_price,
    c.size.total_price, c.size.effective_hourly_price, c.size.price_basis,
    d.price_per_gpu_hour as on_demand_price_per_gpu_hour,
    1 - c.price_per_gpu_hour / d.price_per_gpu_hour as saving_ratio,
    if(c.term_months > 0, c.price_per_gpu_hour / d.price_per_gpu_hour, null) as break_even_utilization,
    c.size.valid_from, c.size.last_seen_at, c.size.source
from cheapest c
left join cheapest d
    on d.purchase_option = 'on_demand' and d.provider = c.provider and d.partition = c.partition
    and d.region_id = c.region_id and d.gpu_model = c.gpu_model and d.operating_system = c.operating_system
    and d.currency = c.currency
order by
    provider, partition, c.region_id, gpu_model, operating_system, purchase_option, offering_class, payment_option,
    term_months, currency
