-- An offer whose words don't go together: a way of buying, class, payment or term that we don't know.
select provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option, offering_class,
    payment_option, term_months, currency, source
from prices
where not (
    provider in ('aws', 'azure') and operating_system in ('linux', 'windows')
    and case purchase_option
        when 'on_demand' then (offering_class, payment_option, term_months) = ('', '', 0)
        when 'spot' then (offering_class, payment_option, term_months) = ('', '', 0)
        when 'reserved' then
            if(provider = 'aws',
               offering_class in ('standard', 'convertible') and term_months in (12, 36)
                   and payment_option in ('no_upfront', 'partial_upfront', 'all_upfront'),
               offering_class = '' and payment_option = 'any' and term_months in (12, 36, 60))
        when 'savings_plan' then
            if(provider = 'aws',
               offering_class in ('compute', 'ec2_instance') and term_months in (12, 36)
                   and payment_option in ('no_upfront', 'partial_upfront', 'all_upfront'),
               offering_class = 'compute' and payment_option = 'any' and term_months in (12, 36))
        else false
    end
)
