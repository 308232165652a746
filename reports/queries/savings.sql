-- What commitments save against on demand, the largest saving first.
-- grain: that of commitment_savings
-- $gpu_models: our names. $numerator, $denominator: exactly this many GPUs. $region: a pattern (eu-*).
-- Each of $numerator, $provider, $region, $purchase_option, $operating_system, $term_months may be NULL: any.
-- $currencies: of list prices, or NULL: any.
select
    provider, region_id, instance_type, gpu_model, gpu_count, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    effective_hourly_price, on_demand_hourly_price, saving_ratio,
    break_even_utilization, break_even_month, payback_month,
    upfront_price, total_price, price_per_gpu_hour, price_basis, valid_from, last_seen_at, source
from commitment_savings
where list_contains($gpu_models::varchar[], gpu_model)
    and ($numerator::integer is null or round(gpu_count * $denominator::integer, 6) = $numerator::integer)
    and ($provider::varchar is null or provider = $provider)
    and ($region::varchar is null or region_id glob $region)
    and ($purchase_option::varchar is null or purchase_option = $purchase_option)
    and ($operating_system::varchar is null or operating_system = $operating_system)
    and ($term_months::smallint is null or term_months = $term_months)
    and ($currencies::varchar[] is null or list_contains($currencies::varchar[], currency))
order by
    saving_ratio desc nulls last, provider, region_id, instance_type, operating_system, purchase_option, term_months,
    offering_class, payment_option, currency
