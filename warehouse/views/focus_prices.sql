-- Today's prices in the column names of FOCUS, the FinOps billing standard (1.2), for tools that read it. FOCUS has no
--     price sheet: the names are borrowed, and what it has no name for begins with x_.
-- grain: ProviderName, RegionId, AvailabilityZone, x_InstanceType, x_OperatingSystem, x_PurchaseOption,
--     x_OfferingClass, x_PaymentOption, x_TermMonths, BillingCurrency, ChargeFrequency
-- ProviderName: AWS or Microsoft
-- ServiceCategory: Compute
-- ServiceName: Amazon Elastic Compute Cloud or Virtual Machines
-- RegionId: the provider's code of the region, Local Zone or Wavelength Zone
-- RegionName: its name (table regions); NULL if it is in no table yet
-- AvailabilityZone: where the provider prices by zone (AWS zone ids), else NULL
-- SkuId: the provider's id of the product (AWS SKU, Azure skuId), the same for every term
-- SkuPriceId: the provider's id of the price: AWS RateCode; Azure skuId, meterId and term
-- SkuPriceDetails: JSON: InstanceType, OperatingSystem, GpuCount, x_GpuModel, x_GpuMemory (GB of the instance's share)
-- PricingCategory: Standard (on demand), Dynamic (spot) or Committed
-- PricingUnit: Hours; Units for what is paid once
-- ListUnitPrice: list price of an hour on demand of the same size, place and system; NULL if it is not sold so, and for
--     what is paid once
-- ContractedUnitPrice: what the offer's own price list says: an hour, or the amount paid once, for one instance
-- CommitmentDiscountCategory: Usage (reserved), Spend (savings plan), else NULL
-- CommitmentDiscountType: Reserved or Savings Plan, else NULL
-- ChargeFrequency: Usage-Based (on demand, spot), Recurring (each hour of a commitment) or One-Time (paid at its start)
-- BillingCurrency: ISO 4217
-- PricingCurrency: the same
-- x_PurchaseOption: on_demand, spot, reserved, savings_plan
-- x_OfferingClass: reserved on AWS: standard or convertible; savings plans: compute or ec2_instance; else ''
-- x_PaymentOption: no_upfront, partial_upfront, all_upfront or any; '' without a commitment
-- x_TermMonths: length of the commitment in months (12, 36, 60), 0 for none
-- x_InstanceType: the provider's name of the size
-- x_OperatingSystem: linux or windows (licence included)
-- x_EffectiveUnitPrice: an hour with what is paid at the start spread over the term, for one instance
-- x_PricePerGpuHour: that by the whole GPU; NULL if the size is in no reference table yet
-- x_Partition: part of the cloud with accounts and prices of its own
-- x_ValidFrom: when the price began to hold, inclusive (UTC)
-- x_LastSeenAt: when we last saw it (UTC)
-- x_Source: feed the price comes from
with on_demand as (
    select provider, partition, region_id, instance_type, operating_system, currency, min(hourly_price) as list_price
    from prices
    where purchase_option = 'on_demand' and zone_id = ''
    group by all
),
charges as (
    select p.*, d.list_price, false as is_upfront, p.hourly_price as unit_price
    from prices p
    left join on_demand d using (provider, partition, region_id, instance_type, operating_system, currency)
    where p.hourly_price > 0
    union all by name
    select p.*, true as is_upfront, p.upfront_price as unit_price
    from prices p
    where p.upfront_price > 0
)
select
    if(provider = 'aws', 'AWS', 'Microsoft') as ProviderName,
    'Compute' as ServiceCategory,
    if(provider = 'aws', 'Amazon Elastic Compute Cloud', 'Virtual Machines') as ServiceName,
    region_id as RegionId,
    region_name as RegionName,
    nullif(zone_id, '') as AvailabilityZone,
    sku_id as SkuId,
    if(provider = 'aws', rate_id, concat_ws('/', sku_id, rate_id, nullif(term_months, 0))) as SkuPriceId,
    json_object('InstanceType', instance_type, 'OperatingSystem', operating_system, 'GpuCount', gpu_count,
                'x_GpuModel', gpu_model, 'x_GpuMemory', gpu_memory_gb)::varchar as SkuPriceDetails,
    case when term_months > 0 then 'Committed' when purchase_option = 'spot' then 'Dynamic' else 'Standard' end
        as PricingCategory,
    if(is_upfront, 'Units', 'Hours') as PricingUnit,
    list_price as ListUnitPrice,
    unit_price as ContractedUnitPrice,
    case purchase_option when 'reserved' then 'Usage' when 'savings_plan' then 'Spend' end as CommitmentDiscountCategory,
    case purchase_option when 'reserved' then 'Reserved' when 'savings_plan' then 'Savings Plan' end
        as CommitmentDiscountType,
    case when is_upfront then 'One-Time' when term_months > 0 then 'Recurring' else 'Usage-Based' end as ChargeFrequency,
    currency as BillingCurrency,
    currency as PricingCurrency,
    purchase_option as x_PurchaseOption,
    offering_class as x_OfferingClass,
    payment_option as x_PaymentOption,
    term_months as x_TermMonths,
    instance_type as x_InstanceType,
    operating_system as x_OperatingSystem,
    effective_hourly_price as x_EffectiveUnitPrice,
    price_per_gpu_hour as x_PricePerGpuHour,
    partition as x_Partition,
    valid_from as x_ValidFrom,
    last_seen_at as x_LastSeenAt,
    source as x_Source
from charges
order by
    ProviderName, RegionId, AvailabilityZone, x_InstanceType, x_OperatingSystem, x_PurchaseOption, x_OfferingClass,
    x_PaymentOption, x_TermMonths, BillingCurrency, ChargeFrequency
