-- A commitment dearer than on demand at the same moment.
select
    provider, region_id, instance_type, operating_system, purchase_option, offering_class, payment_option, term_months,
    currency, effective_hourly_price, on_demand_hourly_price
from commitment_savings
where effective_hourly_price > on_demand_hourly_price
