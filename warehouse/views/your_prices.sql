-- Today's prices beside what you pay: the discounts of discounts.csv in the home, if there is one. All else is list price.
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
-- effective_hourly_price: hourly price with the upfront spread over the term (8,760 hours a year), for one instance
-- price_per_gpu_hour: effective hourly price of one whole GPU (a slice is scaled up)
-- discount_ratio: your discount on it, by provider and purchase option (0.09 is nine percent less); 0: none is given
-- your_hourly_price: hourly_price less your discount
-- your_upfront_price: upfront_price less your discount
-- your_effective_hourly_price: effective_hourly_price less your discount
-- your_price_per_gpu_hour: price_per_gpu_hour less your discount
-- gpu_model: our name of the GPU (table gpu_models); NULL if the size is in no reference table yet
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- valid_from: when the price began to hold, inclusive (UTC)
-- last_seen_at: when we last saw it (UTC); of a price still in force, its scope's last complete fetch
-- source: feed the price comes from
select
    p.provider, p.partition, p.region_id, p.zone_id, p.instance_type, p.operating_system,
    p.purchase_option, p.offering_class, p.payment_option, p.term_months, p.currency,
    p.hourly_price, p.upfront_price, p.effective_hourly_price, p.price_per_gpu_hour,
    coalesce(d.discount_ratio, 0) as discount_ratio,
    cast(p.hourly_price * (1 - coalesce(d.discount_ratio, 0)) as decimal(18, 10)) as your_hourly_price,
    cast(p.upfront_price * (1 - coalesce(d.discount_ratio, 0)) as decimal(24, 6)) as your_upfront_price,
    cast(p.effective_hourly_price * (1 - coalesce(d.discount_ratio, 0)) as decimal(18, 10)) as your_effective_hourly_price,
    cast(p.price_per_gpu_hour * (1 - coalesce(d.discount_ratio, 0)) as decimal(18, 10)) as your_price_per_gpu_hour,
    p.gpu_model, p.gpu_count, p.valid_from, p.last_seen_at, p.source
from prices p
left join discounts d using (provider, purchase_option)
order by
    p.provider, p.partition, p.region_id, p.zone_id, p.instance_type, p.operating_system, p.purchase_option,
    p.offering_class, p.payment_option, p.term_months, p.currency
