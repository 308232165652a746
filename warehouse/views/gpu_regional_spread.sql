-- What one whole GPU of a model costs in a region, on the size that sells it cheapest there, beside all regions that
--     sell it.
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
-- price_per_gpu_hour: lowest effective hourly price of one whole GPU among the sizes with at least one, on sale here
-- instance_type: the size with that price; of several the one with the fewest GPUs
-- hourly_price: hourly price of one instance of that size
-- effective_hourly_price: effective hourly price of one instance of that size
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- regions: regions that sell it
-- cheapest_price: lowest of the regional prices
-- cheapest_region_id: the region with it; of several the first by name
-- median_price: median of the regional prices, the lower middle one of an even number
-- dearest_price: highest of the regional prices
-- spread_ratio: dearest / cheapest - 1; 0 with one region
-- region_rank: place of this region by price, 1 is the cheapest; equal prices share a place
-- premium_over_cheapest_ratio: price here / cheapest - 1
-- premium_over_home_ratio: price here / price in the home region - 1 (us-east-1, eastus); NULL if it is not sold
--     there
with offers as (
    select p.*
    from prices p
    join ref_regions r on r.provider = p.provider and r.region_id = p.region_id
    where r.kind = 'region' and not r.canary and p.gpu_numerator >= p.gpu_denominator
),
regional as (
    select
        provider, partition, region_id, gpu_model, operating_system,
        purchase_option, offering_class, payment_option, term_months, currency,
        min(price_per_gpu_hour) as price_per_gpu_hour,
        arg_min(o, (price_per_gpu_hour, gpu_numerator, instance_type, zone_id)) as size
    from offers o
    group by all
),
spread as (
    select
        x.provider, x.partition, x.gpu_model, x.operating_system,
        x.purchase_option, x.offering_class, x.payment_option, x.term_months, x.currency,
        count(*) as regions,
        min(x.price_per_gpu_hour) as cheapest_price,
        arg_min(x.region_id, (x.price_per_gpu_hour, x.region_id)) as cheapest_region_id,
        quantile_disc(x.price_per_gpu_hour, 0.5) as median_price,
        max(x.price_per_gpu_hour) as dearest_price,
        max(x.price_per_gpu_hour) filter (where x.region_id = h.home_region_id) as home_price
    from regional x
    left join ref_partitions h on h.partition = x.partition
    group by all
)
select
    x.provider, x.partition, x.region_id, x.gpu_model, x.operating_system,
    x.purchase_option, x.offering_class, x.payment_option, x.term_months, x.currency,
    x.price_per_gpu_hour,
    x.size.instance_type, x.size.hourly_price, x.size.effective_hourly_price, x.size.gpu_count,
    s.regions, s.cheapest_price, s.cheapest_region_id, s.median_price, s.dearest_price,
    s.dearest_price / s.cheapest_price - 1 as spread_ratio,
    rank() over (
        partition by x.provider, x.partition, x.gpu_model, x.operating_system, x.purchase_option, x.offering_class,
            x.payment_option, x.term_months, x.currency
        order by x.price_per_gpu_hour
    ) as region_rank,
    x.price_per_gpu_hour / s.cheapest_price - 1 as premium_over_cheapest_ratio,
    x.price_per_gpu_hour / s.home_price - 1 as premium_over_home_ratio
from regional x
join spread s using (
    provider, partition, gpu_model, operating_system, purchase_option, offering_class, payment_option, term_months,
    currency
)
order by
    provider, partition, x.region_id, gpu_model, operating_system, purchase_option, offering_class, payment_option,
    term_months, currency
