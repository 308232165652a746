-- What a plan may choose from: every way to buy a size of some GPU models, regions and zones alike.
-- grain: that of prices
-- $gpu_models: our names. $operating_system: as in the table. $currencies: of list prices. $longest_term: months. $region: a pattern (us*).
-- Each of $region, $provider may be NULL: any.
select
    provider, partition, region_id, zone_id, instance_type, gpu_model, gpu_numerator, gpu_denominator, operating_system,
    purchase_option, offering_class, payment_option, term_months, currency,
    hourly_price, upfront_price, effective_hourly_price, price_basis, valid_from, last_seen_at
from prices
where list_contains($gpu_models::varchar[], gpu_model)
    and gpu_numerator >= gpu_denominator
    and operating_system = $operating_system
    and list_contains($currencies::varchar[], currency)
    and term_months <= $longest_term::integer
    and ($provider::varchar is null or provider = $provider)
    and ($region::varchar is null or region_id glob $region)
order by provider, region_id, zone_id, instance_type, purchase_option, offering_class, payment_option, term_months
