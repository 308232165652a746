-- Offers of some GPU models, the cheapest hour of one whole GPU first.
-- grain: that of prices
-- $gpu_models: our names. $numerator, $denominator: exactly this many GPUs. $region: a pattern (eu-*).
-- Each of $numerator, $provider, $region, $purchase_option, $operating_system may be NULL: any.
-- $currencies: of list prices, or NULL: any. Of USD and another, those in USD are sorted by what they are in the other.
-- hours_since_seen: from the last sighting to the publication's as_of
with rate as (
    select to_currency, rate
    from exchange_rates
    where from_currency = 'USD' and list_contains($currencies::varchar[], to_currency)
    order by observed_at desc, provider
    limit 1
)
select
    p.provider, p.region_id, p.zone_id, p.instance_type, p.gpu_model, p.gpu_count, p.operating_system,
    p.purchase_option, p.offering_class, p.payment_option, p.term_months, p.currency,
    p.price_per_gpu_hour, p.hourly_price, p.upfront_price, p.effective_hourly_price, p.price_basis,
    p.valid_from, p.last_seen_at, p.missing_since,
    date_diff('minute', p.last_seen_at, publication.as_of) / 60 as hours_since_seen,
    p.source
from prices p
cross join publication
left join rate on p.currency = 'USD'
where list_contains($gpu_models::varchar[], p.gpu_model)
    and ($numerator::integer is null or p.gpu_numerator * $denominator::integer = p.gpu_denominator * $numerator::integer)
    and ($provider::varchar is null or p.provider = $provider)
    and ($region::varchar is null or p.region_id glob $region)
    and ($purchase_option::varchar is null or p.purchase_option = $purchase_option)
    and ($operating_system::varchar is null or p.operating_system = $operating_system)
    and ($currencies::varchar[] is null or list_contains($currencies::varchar[], p.currency))
order by
    coalesce(rate.to_currency, p.currency), p.price_per_gpu_hour * coalesce(rate.rate, 1), p.gpu_count, p.provider,
    p.region_id, p.zone_id, p.instance_type, p.operating_system, p.purchase_option, p.term_months, p.offering_class, p.payment_option
