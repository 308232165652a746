-- A price of an offer that still holds when the next of the same source begins.
select
    source, scope, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
    offering_class, payment_option, term_months, currency, valid_from, valid_to, next_valid_from
from (
    select
        *,
        lead(valid_from) over (
            partition by source, provider, partition, region_id, zone_id, instance_type, operating_system,
                purchase_option, offering_class, payment_option, term_months, currency
            order by valid_from, valid_to
        ) as next_valid_from
    from price_intervals
)
where next_valid_from < coalesce(valid_to, 'infinity'::timestamp)
