-- What changed, as it became known, the latest first; of one moment the largest move first.
-- grain: that of price_changes
-- $since: changes known from this day on (UTC). $gpu_models: our names, or NULL. $region: a pattern (eu-*).
-- Each of $change, $provider, $region, $purchase_option, $operating_system may be NULL: any; without $change, coverage is left out.
select
    changed_at, known_at, change, provider, region_id, zone_id, instance_type, gpu_model, gpu_count, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    previous_effective_hourly_price, effective_hourly_price, change_ratio,
    previous_price_per_gpu_hour, price_per_gpu_hour, source
from price_changes
where known_at >= $since::timestamp and not backfilled
    and ($gpu_models::varchar[] is null or list_contains($gpu_models::varchar[], gpu_model))
    and (change = $change or ($change::varchar is null and change <> 'coverage'))
    and ($provider::varchar is null or provider = $provider)
    and ($region::varchar is null or region_id glob $region)
    and ($purchase_option::varchar is null or purchase_option = $purchase_option)
    and ($operating_system::varchar is null or operating_system = $operating_system)
order by
    known_at desc, changed_at desc, abs(change_ratio) desc nulls last, provider, region_id, zone_id, instance_type,
    operating_system, purchase_option, term_months, offering_class, payment_option, currency, source, scope, change
