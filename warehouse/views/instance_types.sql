-- A size with GPUs: those of our tables and those that have had a price.
-- grain: provider, instance_type
-- provider: aws or azure
-- instance_type: the provider's name of the size
-- gpu_model: our name of the GPU (table gpu_models); NULL: priced, but in no reference table yet
-- gpu_numerator: GPUs of the instance as a fraction: numerator (a sixth of a GPU is 1/6)
-- gpu_denominator: GPUs of the instance as a fraction: denominator
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- gpu_memory_gb: GPU memory of the instance, GB: count times the whole device's
-- priced_as: the name under which its prices stand, usually its own; NULL: its prices are left out (a promotional
--     name)
-- purchase_options: ways to buy it at as_of
-- regions_on_sale: places (regions, Local and Wavelength Zones) with a price at as_of
-- first_seen_at: when we first saw a price of it (UTC); NULL: never
-- last_seen_at: when we last saw one (UTC); NULL: never
-- source: where the GPU and their number come from; NULL: not known yet
with ever as (
    select provider, instance_type, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at
    from price_history
    group by provider, instance_type
),
on_sale as (
    select
        provider, instance_type,
        list(distinct purchase_option order by purchase_option) as purchase_options,
        count(distinct (partition, region_id)) as regions_on_sale
    from prices
    group by provider, instance_type
),
names as (
    select provider, instance_type from ref_instance_types
    union
    select provider, instance_type from ever
)
select
    n.provider, n.instance_type,
    t.gpu_model, t.gpu_numerator, t.gpu_denominator,
    t.gpu_numerator / t.gpu_denominator as gpu_count,
    cast(m.memory_gb * t.gpu_numerator / t.gpu_denominator as decimal(10, 3)) as gpu_memory_gb,
    if(a.alias is null, n.instance_type, nullif(a.instance_type, '')) as priced_as,
    coalesce(o.purchase_options, []) as purchase_options,
    coalesce(o.regions_on_sale, 0) as regions_on_sale,
    e.first_seen_at, e.last_seen_at,
    t.source
from names n
left join ref_instance_types t on t.provider = n.provider and t.instance_type = n.instance_type
left join ref_gpu_models m on m.gpu_model = t.gpu_model
left join ref_instance_aliases a on a.provider = n.provider and a.alias = n.instance_type
left join ever e on e.provider = n.provider and e.instance_type = n.instance_type
left join on_sale o on o.provider = n.provider and o.instance_type = n.instance_type
order by n.provider, n.instance_type
