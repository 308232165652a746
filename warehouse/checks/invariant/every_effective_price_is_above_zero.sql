-- An offer that costs nothing, or less.
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, valid_from, effective_hourly_price
from price_intervals
where effective_hourly_price <= 0
