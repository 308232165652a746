-- On demand: Windows, licence included, cheaper than Linux.
select
    w.provider, w.region_id, w.instance_type, w.currency, w.hourly_price as windows_hourly_price,
    l.hourly_price as linux_hourly_price
from prices w
join prices l using (provider, partition, region_id, zone_id, instance_type, purchase_option, currency)
where w.purchase_option = 'on_demand' and w.operating_system = 'windows' and l.operating_system = 'linux'
    and w.hourly_price < l.hourly_price
