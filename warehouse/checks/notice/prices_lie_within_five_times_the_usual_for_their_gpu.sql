-- Linux on demand, a whole GPU: below a fifth of the usual lowest or above five times the usual highest price.
select
    p.provider, p.region_id, p.instance_type, p.gpu_model, p.currency, p.price_per_gpu_hour,
    b.lowest_price_per_gpu_hour, b.highest_price_per_gpu_hour
from prices p
join ref_gpu_price_bands b on b.gpu_model = p.gpu_model and b.currency = p.currency
where p.purchase_option = 'on_demand' and p.operating_system = 'linux'
    and (p.price_per_gpu_hour::decimal(38, 10) * 5 < b.lowest_price_per_gpu_hour
        or p.price_per_gpu_hour > b.highest_price_per_gpu_hour::decimal(38, 10) * 5)
