-- Every price ever announced, with its GPU and the price it is to replace: the one in force just before it starts.
-- grain: source, scope, the eleven words of the key, starts_at, hourly_price, upfront_price
-- Its columns are described in announced_prices. Only the partition's own currency is an offer.
select
    a.* exclude (last_seen_at, partial_seen_at),
    coalesce(a.last_seen_at, a.partial_seen_at, l.last_complete_at) as last_seen_at,
    a.last_seen_at is null as standing,
    t.gpu_model,
    t.gpu_numerator / t.gpu_denominator as gpu_count,
    try_cast(
        cast(a.effective_hourly_price as decimal(38, 10)) * t.gpu_denominator / t.gpu_numerator as decimal(18, 10)
    ) as price_per_gpu_hour,
    b.hourly_price as previous_hourly_price,
    b.upfront_price as previous_upfront_price,
    b.effective_hourly_price as previous_effective_hourly_price,
    b.price_per_gpu_hour as previous_price_per_gpu_hour
from announced a
left join ref_partitions p on p.partition = a.partition
left join ref_instance_types t on t.provider = a.provider and t.instance_type = a.instance_type
left join (select source, scope, any_value(last_complete_at) as last_complete_at from scope_looks group by source, scope) l
    on l.source = a.source and l.scope = a.scope
left join priced_intervals b
    on (b.source, b.scope, b.provider, b.partition, b.region_id, b.zone_id, b.instance_type, b.operating_system,
        b.purchase_option, b.offering_class, b.payment_option, b.term_months, b.currency)
        = (a.source, a.scope, a.provider, a.partition, a.region_id, a.zone_id, a.instance_type, a.operating_system,
           a.purchase_option, a.offering_class, a.payment_option, a.term_months, a.currency)
    and b.valid_from < a.starts_at and (b.valid_to is null or b.valid_to >= a.starts_at)
where a.currency = coalesce(p.currency, a.currency)
