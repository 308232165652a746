-- What a GPU costs in each region that sells it, the cheapest region first; one block for each model, provider and way to buy.
-- grain: that of gpu_regional_spread
-- $gpu_models: our names. $region: a pattern (eu-*).
-- Each of $provider, $region, $purchase_option, $operating_system may be NULL: any.
-- $currencies: of list prices, or NULL: any.
select
    s.gpu_model, s.provider, s.partition, s.operating_system,
    s.purchase_option, s.offering_class, s.payment_option, s.term_months, s.currency,
    s.region_rank, s.region_id, r.display_name as region_name, s.price_per_gpu_hour, s.instance_type, s.gpu_count, s.hourly_price,
    s.premium_over_cheapest_ratio, s.premium_over_home_ratio,
    s.regions, s.cheapest_price, s.cheapest_region_id, s.median_price, s.dearest_price, s.spread_ratio
from gpu_regional_spread s
left join regions r on r.provider = s.provider and r.region_id = s.region_id
where list_contains($gpu_models::varchar[], s.gpu_model)
    and ($provider::varchar is null or s.provider = $provider)
    and ($region::varchar is null or s.region_id glob $region)
    and ($purchase_option::varchar is null or s.purchase_option = $purchase_option)
    and ($operating_system::varchar is null or s.operating_system = $operating_system)
    and ($currencies::varchar[] is null or list_contains($currencies::varchar[], s.currency))
order by
    s.gpu_model, s.provider, s.partition, s.operating_system, s.purchase_option, s.term_months, s.offering_class,
    s.payment_option, s.currency, s.region_rank, s.region_id
