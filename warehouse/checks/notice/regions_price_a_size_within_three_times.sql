-- On demand: a size that costs over three times as much in its dearest region as in its cheapest.
select distinct
    provider, partition, instance_type, operating_system, currency, cheapest_region_id, cheapest_price, dearest_price
from instance_regional_spread
where purchase_option = 'on_demand' and dearest_price > 3 * cheapest_price::decimal(38, 10)
