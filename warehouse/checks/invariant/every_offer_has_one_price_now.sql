-- An offer with two prices at once: two scopes or two sources give it.
select provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency, count(*) as prices_now
from prices
group by all
having count(*) > 1
