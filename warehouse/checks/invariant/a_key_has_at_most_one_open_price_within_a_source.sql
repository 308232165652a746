-- Two prices of one offer with no end known, in one source.
select
    source, provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency, count(*) as open_prices
from price_intervals
where valid_to is null
group by all
having count(*) > 1
