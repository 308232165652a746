-- Our price of each pair that a judge may have a price of.
select provider, region_id, instance_type, hourly_price
from prices
where purchase_option = 'on_demand' and operating_system = 'linux' and currency = 'USD'
order by provider, region_id, instance_type
