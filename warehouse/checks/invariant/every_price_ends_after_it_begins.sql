-- A price that held for no time, or less.
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, valid_from, valid_to
from price_intervals
where valid_to <= valid_from
