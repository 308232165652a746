-- What offers have cost since we know them, oldest price first.
-- grain: that of price_history
-- $gpu_models: our names, or NULL. $instance_type: the provider's name, or NULL. $region: a pattern (eu-*).
-- Each of $provider, $region, $purchase_option, $operating_system may be NULL: any.
-- $currencies: of list prices, or NULL: any.
-- change_ratio: against the price it took the place of (-0.44 is 44 % less); NULL if it took no price's place
select
    provider, region_id, zone_id, instance_type, gpu_model, gpu_count, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    valid_from, valid_to, hourly_price, upfront_price, effective_hourly_price, price_per_gpu_hour,
    if(lag(valid_to) over offers = valid_from, effective_hourly_price / lag(effective_hourly_price) over offers - 1, null)
        as change_ratio,
    valid_from_basis, close_reason, last_seen_at, source
from price_history
where ($gpu_models::varchar[] is null or list_contains($gpu_models::varchar[], gpu_model))
    and ($instance_type::varchar is null or instance_type = $instance_type)
    and ($provider::varchar is null or provider = $provider)
    and ($region::varchar is null or region_id glob $region)
    and ($purchase_option::varchar is null or purchase_option = $purchase_option)
    and ($operating_system::varchar is null or operating_system = $operating_system)
    and ($currencies::varchar[] is null or list_contains($currencies::varchar[], currency))
window offers as (
    partition by source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
        offering_class, payment_option, term_months, currency
    order by valid_from
)
order by
    provider, region_id, zone_id, instance_type, operating_system, purchase_option, term_months, offering_class,
    payment_option, currency, source, scope, valid_from
