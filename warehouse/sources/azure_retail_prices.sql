-- Prices in the Azure Retail Prices API: what each landed item says in our words, or why it says nothing.
-- Reads landed (record_id, record), this_fetch (one row: source, scope, as_of, observed_at, version), ref_*.
-- grain: record_id and price: an item of type Consumption carries its own price and those of its savings plans
-- outcome: price, announced (its window begins later), excluded (known, out of scope) or rejected (unforeseen)
-- reason: why not, the same words for the same cause; '' for a price
-- instance_type: spelled as in ref_instance_types; as the feed spells it where that has no such size
-- operating_system: windows if productName has the word Win or Windows, else linux; a reservation is compute only: linux
-- hourly_price: of a reservation, its total over its hours (price_basis derived); else as published
-- provider_effective_date: start of the window in force at the fetch; of announced prices, when they begin
-- sku_id, rate_id: Azure skuId and meterId
with item as (
    select record_id, from_json(record, '{
        "currencyCode": "VARCHAR", "tierMinimumUnits": "VARCHAR", "retailPrice": "VARCHAR", "armRegionName": "VARCHAR",
        "effectiveStartDate": "VARCHAR", "effectiveEndDate": "VARCHAR", "meterId": "VARCHAR", "meterName": "VARCHAR",
        "skuId": "VARCHAR", "skuName": "VARCHAR", "productName": "VARCHAR", "serviceName": "VARCHAR",
        "unitOfMeasure": "VARCHAR", "type": "VARCHAR", "isPrimaryMeterRegion": "VARCHAR", "armSkuName": "VARCHAR",
        "reservationTerm": "VARCHAR", "savingsPlan": "JSON"}') as field
    from landed
),
size as (
    select lower(instance_type) as spelling, min(instance_type) as instance_type
    from ref_instance_types where provider = 'azure' group by all
),
alias as (
    select lower(alias) as spelling, min(coalesce(instance_type, '')) as instance_type, min(reason) as reason
    from ref_instance_aliases where provider = 'azure' group by all
),
word as (
    select
        record_id, field, observed_at,
        nullif(lower(field.armRegionName), '') as region_id,
        lower(split_part(scope, '/', 1)) as scope_region,
        split_part(scope, '/', 2) as scope_currency,
        coalesce(size.instance_type, nullif(alias.instance_type, ''), nullif(field.armSkuName, '')) as instance_type,
        size.spelling is not null as known,
        if(alias.instance_type = '', alias.reason, null) as alias_exclusion,
        regexp_matches(field.productName, '\bWin(dows)?\b', 'i') as is_windows,
        lower(concat_ws('|', field.skuName, field.meterName)) || '|' as names,
        case when field.type = 'Reservation' then 'reserved'
             when field.type = 'Consumption' then if(contains(names, ' spot|'), 'spot', 'on_demand')
        end as purchase_option,
        try_cast(field.effectiveStartDate as timestamptz) at time zone 'UTC' as starts_at,
        try_cast(field.effectiveEndDate as timestamptz) at time zone 'UTC' as ends_at
    from item
    cross join this_fetch
    left join alias on alias.spelling = lower(field.armSkuName)
    left join size on size.spelling = lower(coalesce(nullif(alias.instance_type, ''), field.armSkuName))
),
judged as (
    select
        *,
        case
            when field.serviceName <> 'Virtual Machines' then 'another service'
            when field.type = 'DevTestConsumption' then 'DevTest'
            when lower(field.armRegionName) in ('', 'global') then 'no region'
            when region_id in ('germanycentral', 'germanynortheast') then 'closed partition'
            when field.armSkuName = '' then 'no armSkuName'
            when instance_type is not null and coalesce(field.productName, '') = '' then 'no productName'
            when regexp_matches(field.productName, 'Cloud ?Services', 'i') then 'Cloud Services'
            when contains(field.productName, 'Dedicated Host') then 'Dedicated Host'
            when contains(field.productName, 'Virtual Machines Licenses') then 'licence'
            when not known and not starts_with(lower(instance_type), 'standard_n') then 'not a GPU'
            when exists (
                from ref_not_gpus as n
                where n.provider = 'azure' and starts_with(lower(instance_type), lower(n.pattern))
            ) then 'not a GPU'
            when regexp_matches(field.armSkuName, '_Promo$', 'i') or regexp_matches(field.productName, '\bPromo\b')
                 then 'promotional price'
            when alias_exclusion is not null then alias_exclusion
            when contains(names, ' low priority|') then 'Low Priority'
            when contains(names, 'expired') then 'Expired'
            when lower(field.isPrimaryMeterRegion) = 'false' then 'not the primary meter'
            when ends_at <= starts_at then 'impossible window'
            when ends_at <= observed_at then 'ended window'
        end as exclusion,
        case
            when field.serviceName is null or instance_type is null then 'no serviceName or armSkuName'
            when purchase_option is null then 'unknown type'
            when region_id is distinct from scope_region then 'another region'
            when field.unitOfMeasure is distinct from '1 Hour' then 'unknown unitOfMeasure'
            when field.currencyCode is distinct from scope_currency then 'currency other than the scope''s'
            when starts_at is null or (ends_at is null and coalesce(field.effectiveEndDate, '') <> '')
                 then 'unreadable window'
            when try_cast(coalesce(field.tierMinimumUnits, '0') as double) is distinct from 0 then 'price in tiers'
            when purchase_option = 'reserved' and is_windows then 'reservation under Windows'
            when purchase_option <> 'reserved' and coalesce(field.reservationTerm, '') <> ''
                 then 'reservationTerm of a price by the hour'
        end as problem
    from word
),
-- Of one meter's windows in force the one that began last holds; a placeholder of 0 supersedes nothing.
in_force as (
    select
        * exclude (exclusion),
        coalesce(exclusion, if(holds and starts_at < max(starts_at) filter (holds and not is_zero) over same_meter,
                               'superseded window', null)) as exclusion
    from (
        select
            *,
            exclusion is null and problem is null and starts_at <= observed_at as holds,
            coalesce(try_cast(field.retailPrice as double) = 0, false) as is_zero
        from judged
    )
    window same_meter as (
        partition by field.meterId, field.type, field.reservationTerm, instance_type, is_windows, purchase_option
    )
),
offer as (
    select record_id, purchase_option, field.retailPrice as price, null as trouble,
        case when purchase_option in ('on_demand', 'spot') then 0
             else case field.reservationTerm when '1 Year' then 12 when '3 Years' then 36 when '5 Years' then 60 end
        end as term_months
    from in_force
    union all
    select record_id, 'savings_plan', plan->>'retailPrice',
        if(purchase_option = 'on_demand', null, 'savings plan of a ' || purchase_option || ' price'),
        case plan->>'term' when '1 Year' then 12 when '3 Years' then 36 end
    from (
        select *, unnest(if(json_type(field.savingsPlan) = 'ARRAY', from_json(field.savingsPlan, '["JSON"]'),
                            [field.savingsPlan])) as plan
        from in_force where exclusion is null and field.savingsPlan is not null
    )
),
priced as (
    select
        in_force.* exclude (purchase_option),
        offer.* exclude (record_id),
        try_cast(price as decimal(24, 10)) as amount,
        term_months * 730 as hours,
        offer.purchase_option = 'reserved' as is_total,
        -- Decimals divide into a double: only the quotient may go through one.
        if(is_total, try_cast(amount / hours as decimal(18, 10)), try_cast(amount as decimal(18, 10))) as hourly_price,
        try_cast(if(is_total, amount, if(hours > 0, amount * hours, null)) as decimal(24, 6)) as total_price,
        case
            when problem is not null then problem
            when trouble is not null then trouble
            when term_months is null then 'unknown term'
            when amount is null then 'unreadable price'
            when amount < 0 then 'price below zero'
            when hourly_price = 0 then 'price is zero'
            when hourly_price is null or total_price is null and hours > 0 then 'price out of range'
        end as fault
    from offer join in_force using (record_id)
)
select
    record_id,
    case when exclusion is not null then 'excluded'
         when fault is not null then 'rejected'
         when starts_at > observed_at then 'announced'
         else 'price' end as outcome,
    coalesce(exclusion, fault, if(outcome = 'announced', 'announced', '')) as reason,
    'azure' as provider,
    case when region_id like 'usgov%' or region_id like 'usdod%' then 'azure-us-gov'
         when region_id like 'china%' then 'azure-china'
         when region_id is not null then 'azure' end as partition,
    region_id,
    '' as zone_id,
    instance_type,
    if(is_windows, 'windows', 'linux') as operating_system,
    purchase_option,
    if(purchase_option = 'savings_plan', 'compute', '') as offering_class,
    if(purchase_option in ('savings_plan', 'reserved'), 'any', '') as payment_option,
    term_months::smallint as term_months,
    field.currencyCode as currency,
    hourly_price,
    0::decimal(24, 6) as upfront_price,
    total_price,
    hourly_price as effective_hourly_price,
    if(is_total, 'derived', 'published') as price_basis,
    starts_at as provider_effective_date,
    coalesce(field.skuId, '') as sku_id,
    coalesce(field.meterId, '') as rate_id
from priced
