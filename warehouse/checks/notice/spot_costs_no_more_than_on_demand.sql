-- Spot dearer than on demand at the same moment.
select
    s.provider, s.region_id, s.zone_id, s.instance_type, s.operating_system, s.currency,
    s.hourly_price as spot_hourly_price,
    d.hourly_price as on_demand_hourly_price
from prices s
join prices d using (provider, partition, region_id, instance_type, operating_system, currency)
where s.purchase_option = 'spot' and d.purchase_option = 'on_demand' and s.hourly_price > d.hourly_price
