-- A GPU that AWS or Azure rents out, with what its price is compared by.
-- grain: gpu_model
-- gpu_model: our name, with what changes its price: A100-40GB, A100-80GB, A100-PCIe-80GB
-- vendor: NVIDIA or AMD
-- device_name: the vendor's name
-- architecture: generation of the chip
-- memory_gb: memory of one whole device in nominal GB, as the provider exposes it
-- memory_type: kind of memory
-- memory_bandwidth_gbs: memory bandwidth of one device, GB a second
-- fp32_tflops: FP32 rate of one device, TFLOPS, without tensor cores
-- fp16_tensor_dense_tflops: dense (not sparse) FP16 rate of the tensor or matrix cores, TFLOPS; NULL without such
--     cores
-- fp8_dense_tflops: dense FP8 rate, TFLOPS; NULL if it has none
-- tensor_cores: tensor or matrix cores of one device; 0: none, NULL: no public figure
-- form_factor: how it is built in
-- release_year: year it came out
-- compute_capability: CUDA compute capability; NULL for AMD
-- typical_use: what it is mostly rented for, in a few words
-- aliases: other words people use for it, lower case; a word may mean several models
-- instance_types: sizes in our tables that have it
-- instance_types_on_sale: sizes of those that have a price at as_of
-- source: where the figures come from
with aliases as (
    select gpu_model, list(alias order by alias) as aliases
    from ref_gpu_aliases
    group by gpu_model
),
sizes as (select gpu_model, count(*) as instance_types from ref_instance_types group by gpu_model),
on_sale as (
    select gpu_model, count(distinct (provider, instance_type)) as instance_types_on_sale
    from prices
    where gpu_model is not null
    group by gpu_model
)
select
    m.gpu_model, m.vendor, m.device_name, m.architecture,
    m.memory_gb, m.memory_type, m.memory_bandwidth_gbs,
    m.fp32_tflops, m.fp16_tensor_dense_tflops, m.fp8_dense_tflops, m.tensor_cores,
    m.form_factor, m.release_year, m.compute_capability, m.typical_use,
    coalesce(a.aliases, []) as aliases,
    coalesce(s.instance_types, 0) as instance_types,
    coalesce(o.instance_types_on_sale, 0) as instance_types_on_sale,
    m.source
from ref_gpu_models m
left join aliases a using (gpu_model)
left join sizes s using (gpu_model)
left join on_sale o using (gpu_model)
order by m.gpu_model
