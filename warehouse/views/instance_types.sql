-- A size with GPUs: those of our tables and those that have had a price.
-- grain: provider, instance_type
-- provider: aws or azure
-- instance_type: the provider's name of the size
-- gpu_model: our name of the GPU (table gpu_models); NULL: priced, but in no reference table yet
-- gpu_numerator: GPUs of the instance as a fraction: numerator (a sixth of a GPU is 1/6)
-- gpu_denominator: GPUs of the instance as a fraction: denominator
-- gpu_count: GPUs of the instance, for display: numerator / denominator
-- gpu_memory_gb: GPU memory of the instance, GB: count times the whole device's
-- vcpus: virtual CPUs; NULL here and below: no public record
-- memory_gib: main memory, GiB
-- memory_to_gpu_memory_ratio: main memory / GPU memory, GiB for nominal GB (80 GB are 80 GiB on most devices)
-- vcpus_per_gpu: virtual CPUs for each whole GPU
-- network_gbps: network bandwidth that lasts, Gbit/s, InfiniBand not counted
-- network_burst_gbps: network bandwidth for some time ("up to"), Gbit/s
-- local_nvme_gb: local NVMe storage, GB; 0: none
-- architecture: x86_64 or arm64
-- meets_memory_rule: the usual rule for training: main memory at least 1.5 times the GPU memory
-- meets_network_rule: the usual rule for training on several machines: network_gbps at least 25
-- availability: sold; retiring: the provider has named the day; retired: it has passed at as_of
-- retires_on: last day of the size, as announced; NULL: none is known
-- priced_as: the name under which its prices stand, usually its own; NULL: its prices are left out (a promotional
--     name)
-- purchase_options: ways to buy it at as_of
-- regions_on_sale: places (regions, Local and Wavelength Zones) with a price at as_of
-- first_seen_at: when we first saw a price of it (UTC); NULL: never
-- last_seen_at: when we last saw one (UTC); NULL: never
-- source: where the GPU and their number come from; NULL: not known yet
-- size_source: where CPUs, memory, network and disks come from
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
    s.vcpus, s.memory_gib,
    s.memory_gib * t.gpu_denominator / (m.memory_gb * t.gpu_numerator) as memory_to_gpu_memory_ratio,
    s.vcpus * t.gpu_denominator / t.gpu_numerator as vcpus_per_gpu,
    s.network_gbps, s.network_burst_gbps, s.local_nvme_gb, s.architecture,
    s.memory_gib * t.gpu_denominator * 2 >= m.memory_gb * t.gpu_numerator * 3 as meets_memory_rule,
    s.network_gbps >= 25 as meets_network_rule,
    case when s.retires_on < publication.as_of::date then 'retired'
         when s.retires_on is not null then 'retiring'
         else 'sold' end as availability,
    s.retires_on,
    if(a.alias is null, n.instance_type, nullif(a.instance_type, '')) as priced_as,
    coalesce(o.purchase_options, []) as purchase_options,
    coalesce(o.regions_on_sale, 0) as regions_on_sale,
    e.first_seen_at, e.last_seen_at,
    t.source, s.source as size_source
from names n
cross join publication
left join ref_instance_types t on t.provider = n.provider and t.instance_type = n.instance_type
left join ref_instance_sizes s on s.provider = n.provider and s.instance_type = n.instance_type
left join ref_gpu_models m on m.gpu_model = t.gpu_model
left join ref_instance_aliases a on a.provider = n.provider and a.alias = n.instance_type
left join ever e on e.provider = n.provider and e.instance_type = n.instance_type
left join on_sale o on o.provider = n.provider and o.instance_type = n.instance_type
order by n.provider, n.instance_type
