-- A rate of an AWS savings plan whose product (SKU) is in the price list of its region under another size or system, or
-- not at all: it may be for another tenancy. Each scope folds alone, so that its word is checked here.
select p.region_id, p.instance_type, p.operating_system, p.sku_id, count(*) as rates
from prices p
semi join sources s on s.source = 'aws_price_list' and s.scope = p.region_id and s.last_complete_at is not null
anti join prices l
    on l.source = 'aws_price_list' and l.region_id = p.region_id and l.sku_id = p.sku_id
    and l.instance_type = p.instance_type and l.operating_system = p.operating_system
where p.source = 'aws_savings_plans'
group by all
