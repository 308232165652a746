-- An hourly price of zero or less without all upfront.
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, valid_from, hourly_price
from price_intervals
where hourly_price < 0 or (hourly_price = 0 and payment_option <> 'all_upfront')
