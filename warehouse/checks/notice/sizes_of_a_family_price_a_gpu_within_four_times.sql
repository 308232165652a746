-- Linux on demand: the cheapest size with so many GPUs asks over four times as much for one as another of its family.
with cheapest as (
    select
        provider, partition, region_id,
        if(
            provider = 'aws',
            split_part(instance_type, '.', 1),
            regexp_replace(instance_type, '^(Standard_[A-Z]+)[0-9]+', '\1')
        ) as family,
        gpu_model, gpu_numerator, gpu_denominator, currency,
        min(price_per_gpu_hour) as price_per_gpu_hour,
        arg_min(instance_type, (price_per_gpu_hour, instance_type)) as instance_type
    from prices
    where purchase_option = 'on_demand' and operating_system = 'linux' and gpu_model is not null
    group by all
)
select
    provider, region_id, family, gpu_model, instance_type, currency, price_per_gpu_hour,
    min(price_per_gpu_hour) over (partition by provider, partition, region_id, family, gpu_model, currency)
        as lowest_in_family
from cheapest
qualify price_per_gpu_hour > 4 * lowest_in_family::decimal(38, 10)
