-- Rates in the AWS Savings Plans price list: what each landed line of a location's CSV says in our words, or why nothing.
-- Reads landed (record_id, scope_id, record), fetches (scope_id, source, scope, as_of, observed_at, version), ref_*.
-- grain: record_id
-- outcome: price, excluded (known, out of scope) or rejected (unforeseen); an exclusion wins over a problem
-- reason: why not, the same words for the same cause; '' for a price
-- operating_system: from DiscountedOperation: linux, or windows with its licence
-- offering_class: compute (any family and region) or ec2_instance (one family in one region): two plans, two prices
-- A word of the key that is none of ours stands there as AWS writes it, in lower case: such a row is never a price, and
-- its key can be read. NULL is what can't be told.
-- hourly_price: the rate, all in: whatever of the plan is paid at the start, an hour under it costs this
-- total_price: the rate over the hours of the term, 8,760 a year
-- sku_id, rate_id: SKU of the product that the rate is for (in the price list), RateCode of the plan
with line as (
    select record_id, scope_id, from_json(record, '{
        "RateCode": "VARCHAR", "Unit": "VARCHAR", "EffectiveDate": "VARCHAR", "DiscountedRate": "VARCHAR",
        "Currency": "VARCHAR", "DiscountedSKU": "VARCHAR", "DiscountedServiceCode": "VARCHAR",
        "DiscountedUsageType": "VARCHAR", "DiscountedOperation": "VARCHAR", "PurchaseOption": "VARCHAR",
        "LeaseContractLength": "VARCHAR", "LeaseContractLengthUnit": "VARCHAR", "Product Family": "VARCHAR",
        "DiscountedRegionCode": "VARCHAR", "DiscountedInstanceType": "VARCHAR"}') as cell
    from landed
),
word as (
    select
        record_id, cell,
        lower(trim(fetches.scope)) as scope,
        nullif(lower(trim(cell.DiscountedRegionCode)), '') as region_id,
        case when region_id like 'cn-%' then 'aws-cn'
             when region_id like 'us-gov-%' then 'aws-us-gov'
             when region_id like 'eusc-%' then 'aws-eusc'
             when region_id is not null then 'aws' end as partition,
        case partition when 'aws-cn' then 'CNY' when 'aws-eusc' then 'EUR' else 'USD' end as native_currency,
        nullif(trim(cell.DiscountedInstanceType), '') as instance_type,
        -- USE2-BoxUsage:p5.48xlarge; us-east-1 has no prefix
        regexp_extract(cell.DiscountedUsageType, '(?:^|-)([A-Za-z]+):', 1) as usage,
        case cell.DiscountedOperation when 'RunInstances' then 'linux' when 'RunInstances:0002' then 'windows'
             else nullif(lower(trim(cell.DiscountedOperation)), '') end as operating_system,
        case cell."Product Family" when 'ComputeSavingsPlans' then 'compute' when 'EC2InstanceSavingsPlans' then 'ec2_instance'
             else nullif(lower(trim(cell."Product Family")), '') end as offering_class,
        nullif(replace(lower(trim(cell.PurchaseOption)), ' ', '_'), '') as payment_option,
        -- Digits alone: DuckDB rounds 1.4 to 1, and thousands of years don't fit.
        if(lower(cell.LeaseContractLengthUnit) in ('year', 'years', 'yr'),
           12 * try_cast(regexp_extract(trim(cell.LeaseContractLength), '^[0-9]{1,3}$') as smallint), null) as term_months,
        nullif(upper(trim(cell.Currency)), '') as currency,
        -- DuckDB takes 1_000 for a number.
        if(contains(cell.DiscountedRate, '_'), null, try_cast(cell.DiscountedRate as decimal(24, 10))) as amount
    from line join fetches using (scope_id)
),
judged as (
    select
        *,
        case
            when cell.DiscountedServiceCode <> 'AmazonEC2' then 'another service'
            when instance_type not in (select t.instance_type from ref_instance_types as t where t.provider = 'aws')
                 then 'not a GPU'
            -- A zone has a file of its own, which speaks for it.
            when starts_with(region_id, scope || '-') then 'own scope'
            when usage in ('DedicatedUsage', 'HostUsage', 'HostBoxUsage', 'UnusedBox', 'UnusedDed', 'Reservation', 'DedicatedRes')
                 then 'usage ' || usage
            when cell.DiscountedOperation like '%:CB' then 'capacity block'
            when cell.DiscountedOperation in ('RunInstances:0010', 'RunInstances:1010', 'RunInstances:00g0') then 'operating system RHEL'
            when cell.DiscountedOperation = 'RunInstances:000g' then 'operating system SUSE'
            when cell.DiscountedOperation = 'RunInstances:0g00' then 'operating system Ubuntu Pro'
            when cell.DiscountedOperation = 'RunInstances:0800' then 'bring your own license'
            when cell.DiscountedOperation in ('RunInstances:0004', 'RunInstances:0100', 'RunInstances:0200', 'RunInstances:0006',
                                              'RunInstances:0102', 'RunInstances:0202', 'RunInstances:0014', 'RunInstances:0110',
                                              'RunInstances:0210', 'RunInstances:1014', 'RunInstances:1110', 'RunInstances:1210')
                 then 'with SQL Server'
        end as exclusion,
        case
            when instance_type is null or cell.DiscountedSKU is null or cell.RateCode is null
                 then 'no DiscountedSKU, RateCode or DiscountedInstanceType'
            when cell.DiscountedServiceCode is null then 'no DiscountedServiceCode'
            when region_id is distinct from scope then 'another region'
            when coalesce(usage, '') <> 'BoxUsage' then 'unknown DiscountedUsageType'
            when not ends_with(cell.DiscountedUsageType, ':' || instance_type) then 'usage of another size'
            -- In AWS's words: an operation `Linux` is none that is known.
            when coalesce(cell.DiscountedOperation, '') not in ('RunInstances', 'RunInstances:0002')
                 then 'unknown DiscountedOperation'
            when coalesce(cell."Product Family", '') not in ('ComputeSavingsPlans', 'EC2InstanceSavingsPlans')
                 then 'unknown Product Family'
            when coalesce(payment_option, '') not in ('no_upfront', 'partial_upfront', 'all_upfront')
                 then 'unknown PurchaseOption'
            when term_months is null then 'unknown LeaseContractLength'
            when term_months not in (12, 36) then 'term ' || cell.LeaseContractLength || ' ' || cell.LeaseContractLengthUnit
            when cell.Unit is distinct from 'Hrs' then 'unknown Unit'
            when currency is distinct from native_currency then 'currency other than the scope''s'
            when amount is null then 'unreadable DiscountedRate'
            when amount < 0 then 'price below zero'
            when amount = 0 then 'price is zero'
            when try_cast(amount as decimal(18, 10)) is null or try_cast(amount * term_months * 730 as decimal(24, 6)) is null
                 then 'price out of range'
        end as problem
    from word
)
select
    record_id,
    case when exclusion is not null then 'excluded' when problem is not null then 'rejected' else 'price' end as outcome,
    coalesce(exclusion, problem, '') as reason,
    'aws' as provider,
    partition,
    region_id,
    '' as zone_id,
    instance_type,
    operating_system,
    'savings_plan' as purchase_option,
    offering_class,
    payment_option,
    term_months,
    currency,
    try_cast(amount as decimal(18, 10)) as hourly_price,
    0::decimal(24, 6) as upfront_price,
    try_cast(amount * term_months * 730 as decimal(24, 6)) as total_price,
    try_cast(amount as decimal(18, 10)) as effective_hourly_price,
    'published' as price_basis,
    coalesce(try_cast(cell.EffectiveDate as timestamptz) at time zone 'UTC', try_cast(cell.EffectiveDate as date)::timestamp)
        as provider_effective_date,
    coalesce(cell.DiscountedSKU, '') as sku_id,
    coalesce(cell.RateCode, '') as rate_id
from judged
