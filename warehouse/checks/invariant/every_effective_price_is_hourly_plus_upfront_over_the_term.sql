-- A price whose parts don't make up the whole, by more than a millionth an hour (a year is 8,760 hours, a month 730).
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, valid_from, hourly_price, upfront_price, effective_hourly_price
from price_intervals
where
    abs(effective_hourly_price - hourly_price - if(term_months = 0, 0, upfront_price / (term_months * 730))) > 0.000001
    or (term_months = 0 and upfront_price <> 0)
