-- Every price of every offer, with its GPU, its place and its price per GPU: prices and price_history select from it.
-- grain: source, scope, the eleven words of the key, valid_from
-- Its columns are described in price_history. Only the partition's own currency is an offer.
with offers as (
    -- `effective` has room for what a slice's price is multiplied by
    select *, cast(effective_hourly_price as decimal(38, 10)) as effective from price_intervals
    union all by name
    select *, cast(effective_hourly_price as decimal(38, 10)) as effective from windows_reservations
),
scopes as (
    select source, scope, any_value(last_complete_at) as last_complete_at
    from scope_looks
    group by source, scope
)
select
    o.provider, o.partition, o.region_id, o.zone_id, o.instance_type, o.operating_system,
    o.purchase_option, o.offering_class, o.payment_option, o.term_months, o.currency,
    o.hourly_price, o.upfront_price, o.total_price, o.effective_hourly_price, o.price_basis,
    t.gpu_model, t.gpu_numerator, t.gpu_denominator,
    t.gpu_numerator / t.gpu_denominator as gpu_count,
    cast(m.memory_gb * t.gpu_numerator / t.gpu_denominator as decimal(10, 3)) as gpu_memory_gb,
    -- Division makes a DOUBLE of decimals. Here it is done in whole numbers of 10^-10, rounded half up, so that the last
    -- digit is right; below each quotient is cast back once. An absurd price becomes NULL, no error.
    try_cast(cast((2 * cast(o.effective * 10000000000 as hugeint) * t.gpu_denominator + t.gpu_numerator)
                  // (2 * t.gpu_numerator) as decimal(27, 0)) * 0.0000000001 as decimal(18, 10)) as price_per_gpu_hour,
    try_cast(o.effective * t.gpu_denominator / (t.gpu_numerator * m.memory_gb) as decimal(18, 10)) as price_per_gb_hour,
    try_cast(o.effective * t.gpu_denominator / (t.gpu_numerator * m.fp16_tensor_dense_tflops) as decimal(18, 10))
        as price_per_tflop_hour,
    try_cast(o.effective * t.gpu_denominator / (t.gpu_numerator * m.fp32_tflops) as decimal(18, 10))
        as price_per_fp32_tflop_hour,
    r.display_name as region_name, r.kind as region_kind,
    o.valid_from, o.valid_to, o.valid_from_basis, o.provider_effective_date,
    o.first_seen_at,
    coalesce(o.last_seen_at, s.last_complete_at) as last_seen_at,
    o.missing_since, o.close_reason, o.closed_known_at,
    o.source, o.scope, o.sku_id, o.rate_id
from offers o
left join scopes s on s.source = o.source and s.scope = o.scope
left join ref_partitions p on p.partition = o.partition
left join ref_regions r on r.provider = o.provider and r.region_id = o.region_id
left join ref_instance_types t on t.provider = o.provider and t.instance_type = o.instance_type
left join ref_gpu_models m on m.gpu_model = t.gpu_model
where o.currency = coalesce(p.currency, o.currency)
