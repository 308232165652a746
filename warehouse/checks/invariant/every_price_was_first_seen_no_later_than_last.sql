-- A price last seen before it was first seen.
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, first_seen_at, last_seen_at
from price_intervals
where last_seen_at < first_seen_at
