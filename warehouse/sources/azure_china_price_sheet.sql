-- Prices in the Azure China price sheet (21Vianet): what each landed line says in our words, or why it says nothing.
-- Reads landed (record_id, scope_id, record), fetches (scope_id, source, scope, as_of, observed_at, version), ref_*.
-- grain: record_id; each price, savings plans too, has a line of its own
-- outcome: price, announced (its window begins later), excluded (known, out of scope) or rejected (unforeseen)
-- reason: why not, the same words for the same cause; '' for a price
-- region_id: of any region of China; the one scope is all of them
-- instance_type: spelled as in ref_instance_types; as the feed spells it where that has no such size
-- operating_system: windows if productName says Windows, Win as a word or before digits, or Win that no small letter
-- follows (SeriesWin, WinSrv), else linux; a reservation is compute only: linux
-- A type that is none of ours stands in the key as Azure writes it, in lower case: such a row is never a price, and its
-- key can be read. NULL is what can't be told.
-- hourly_price: of a reservation, its total over its hours (price_basis derived); else as published
-- provider_effective_date: start of the window in force at as_of; of announced prices, when they begin
-- sku_id, rate_id: Azure skuId and meterId
with line as (
    select record_id, scope_id, from_json(record, '{
        "currencyCode": "VARCHAR", "tierMinimumUnits": "VARCHAR", "retailPrice": "VARCHAR", "armRegionName": "VARCHAR",
        "effectiveStartDate": "VARCHAR", "effectiveEndDate": "VARCHAR", "meterId": "VARCHAR", "meterName": "VARCHAR",
        "skuId": "VARCHAR", "skuName": "VARCHAR", "productName": "VARCHAR", "serviceName": "VARCHAR",
        "unitOfMeasure": "VARCHAR", "type": "VARCHAR", "isPrimaryMeterRegion": "VARCHAR", "armSkuName": "VARCHAR",
        "term": "VARCHAR"}') as cell
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
-- Names are written by hand: case, blanks (also the one that doesn't break), underscores and hyphens come as they
-- please.
named as (
    select
        record_id, scope_id, cell,
        trim(cell.armSkuName, ' ' || chr(9) || chr(10) || chr(13) || chr(160)) as arm_sku,
        trim(regexp_replace(lower(cell.skuName), '[\s\x{A0}_-]+', ' ', 'g')) as sku_name,
        trim(regexp_replace(lower(cell.meterName), '[\s\x{A0}_-]+', ' ', 'g')) as meter_name,
        trim(regexp_replace(lower(cell.productName), '[\s\x{A0}_-]+', ' ', 'g')) as product
    from line
),
word as (
    select
        record_id, scope_id, cell, as_of,
        nullif(lower(trim(cell.armRegionName)), '') as region_id,
        nullif(upper(trim(cell.currencyCode)), '') as currency,
        upper(trim(split_part(scope, '/', 2))) as scope_currency,
        coalesce(size.instance_type, tiered.instance_type, nullif(alias.instance_type, ''), nullif(arm_sku, ''))
            as instance_type,
        coalesce(size.spelling, tiered.spelling) is not null as known,
        tiered.spelling is not null as without_tier,
        if(alias.instance_type = '', alias.reason, null) as alias_exclusion,
        arm_sku, product,
        contains(product, 'windows') or regexp_matches(product, '\bwin(\b|[0-9])')
            or regexp_matches(cell.productName, 'Win([^a-z]|$)') as is_windows,
        -- Each name ends in |, so that a name's end can be looked for.
        concat_ws('|', sku_name, meter_name) || '|' as names,
        regexp_matches(names, '\blow ?pri(ority)?\b') as is_low_priority,
        -- 21Vianet sells no spot: a price of that name is none that is known, and never one on demand.
        regexp_matches(names, 'spot|priority|preempt|evict') as is_unforeseen_name,
        case when cell.type = 'Reservation' then 'reserved'
             when cell.type = 'SavingsPlanConsumption' then 'savings_plan'
             when cell.type = 'Consumption' then if(contains(names, 'spot'), 'spot', 'on_demand')
             else nullif(lower(trim(cell.type)), '')
        end as purchase_option,
        nullif(trim(cell.term), '') as term,
        lower(trim(cell.isPrimaryMeterRegion)) as is_primary,
        try_cast(cell.effectiveStartDate as timestamptz) at time zone 'UTC' as starts_at,
        try_cast(cell.effectiveEndDate as timestamptz) at time zone 'UTC' as ends_at
    from named
    join fetches using (scope_id)
    left join alias on alias.spelling = lower(arm_sku)
    left join size on size.spelling = lower(coalesce(nullif(alias.instance_type, ''), arm_sku))
    left join size as tiered on size.spelling is null and tiered.spelling = 'standard_' || lower(arm_sku)
),
judged as (
    select
        *,
        case
            when lower(trim(cell.serviceName)) <> 'virtual machines' then 'another service'
            when cell.type = 'DevTestConsumption' then 'DevTest'
            -- Groups of regions that other services are priced by; an empty cell is that of what has no place.
            when lower(trim(cell.armRegionName)) in
                 ('', 'global', 'china', 'cn zone 1', 'cn zone 2', 'zone 1 (china)', 'azure stack cn') then 'no region'
            when arm_sku = '' then 'no armSkuName'
            when instance_type is not null and coalesce(product, '') = '' then 'no productName'
            when regexp_matches(product, 'cloud ?services') then 'Cloud Services'
            when regexp_matches(product, 'dedicated ?host') then 'Dedicated Host'
            when contains(product, 'licenses') then 'licence'
            when not known and not starts_with(lower(instance_type), 'standard_n') then 'not a GPU'
            when exists (
                from ref_not_gpus as n
                where n.provider = 'azure' and starts_with(lower(instance_type), lower(n.pattern))
            ) then 'not a GPU'
            when regexp_matches(arm_sku, '_promo$', 'i') or contains(product, 'promo')
                 or regexp_matches(names, '\bpromo') then 'promotional price'
            when alias_exclusion is not null then alias_exclusion
            when is_low_priority then 'Low Priority'
            when contains(names, 'expired') then 'Expired'
            when is_primary = 'false' then 'not the primary meter'
            when ends_at <= starts_at then 'impossible window'
            -- The sheet has had no ends so far. Whether one is inclusive is documented nowhere. One at midnight may be
            -- meant as a date: it counts to the end of that day, since a later start of the same meter wins anyway.
            when ends_at <= as_of - if(ends_at = date_trunc('day', ends_at), interval 1 day, interval 0 day)
                 then 'ended window'
        end as exclusion,
        case
            when cell.serviceName is null or instance_type is null then 'no serviceName or armSkuName'
            when without_tier then 'size name without its tier'
            when coalesce(purchase_option, '') not in ('on_demand', 'spot', 'reserved', 'savings_plan')
                 then 'unknown type'
            when is_unforeseen_name then 'unforeseen meter name'
            when regexp_matches(product, 'byol|hybrid ?benefit|sql|red ?hat|rhel|suse') then 'unforeseen product'
            when not coalesce(regexp_full_match(region_id, 'china[a-z]+[0-9]*'), false) then 'unforeseen region name'
            when cell.unitOfMeasure is distinct from '1 Hour' then 'unknown unitOfMeasure'
            when currency is distinct from scope_currency then 'currency other than the scope''s'
            when is_primary not in ('true', '') then 'unknown isPrimaryMeterRegion'
            when not coalesce(isfinite(starts_at), false) or (ends_at is null and coalesce(cell.effectiveEndDate, '') <> '')
                 then 'unreadable window'
            when try_cast(coalesce(nullif(trim(cell.tierMinimumUnits), ''), '0') as double) is distinct from 0
                 then 'price in tiers'
            when purchase_option = 'reserved' and is_windows then 'reservation under Windows'
            when purchase_option not in ('reserved', 'savings_plan') and term is not null
                 then 'term of a price by the hour'
        end as problem
    from word
),
priced as (
    select
        *,
        case when purchase_option in ('on_demand', 'spot') then 0
             when term is null and purchase_option not in ('reserved', 'savings_plan') then 0
             else 12 * try_cast(regexp_extract(term, '^([1-9][0-9]{0,2}) ?y(ea)?rs?$', 1, 'i') as integer)
        end as term_months,
        -- DuckDB takes 1_000 for a number.
        if(contains(cell.retailPrice, '_'), null, try_cast(cell.retailPrice as decimal(24, 10))) as amount,
        term_months * 730 as hours,
        purchase_option = 'reserved' as is_total,
        -- Decimals divide into a double: only the quotient may go through one.
        if(is_total, try_cast(amount / hours as decimal(18, 10)), try_cast(amount as decimal(18, 10))) as hourly_price,
        try_cast(if(is_total, amount, if(hours > 0, amount * hours, null)) as decimal(24, 6)) as total_price,
        case
            when problem is not null then problem
            when term_months is null then 'unknown term'
            when term_months not in (0, 12, 36, if(is_total, 60, 0)) then 'term ' || term
            when amount is null then 'unreadable price'
            when amount < 0 then 'price below zero'
            when hourly_price = 0 then 'price is zero'
            when hourly_price is null or total_price is null and hours > 0 then 'price out of range'
        end as fault
    from judged
),
-- Of one meter's windows in force the one that began last holds; one that is rejected, a placeholder of 0 say,
-- supersedes nothing.
in_force as (
    select
        * exclude (exclusion),
        coalesce(exclusion, if(holds and starts_at < max(starts_at) filter (usable) over same_meter,
                               'superseded window', null)) as exclusion
    from (
        select
            *,
            exclusion is null and problem is null and starts_at <= as_of as holds,
            holds and fault is null as usable
        from priced
    )
    window same_meter as (
        partition by scope_id, region_id, cell.meterId, purchase_option, term_months, instance_type, is_windows
    )
)
select
    record_id,
    case when exclusion is not null then 'excluded'
         when fault is not null then 'rejected'
         when starts_at > as_of then 'announced'
         else 'price' end as outcome,
    coalesce(exclusion, fault, if(outcome = 'announced', 'announced', '')) as reason,
    'azure' as provider,
    'azure-china' as partition,
    region_id,
    '' as zone_id,
    instance_type,
    if(is_windows, 'windows', 'linux') as operating_system,
    purchase_option,
    if(purchase_option = 'savings_plan', 'compute', '') as offering_class,
    if(purchase_option in ('savings_plan', 'reserved'), 'any', '') as payment_option,
    term_months::smallint as term_months,
    currency,
    hourly_price,
    0::decimal(24, 6) as upfront_price,
    total_price,
    hourly_price as effective_hourly_price,
    if(is_total, 'derived', 'published') as price_basis,
    starts_at as provider_effective_date,
    coalesce(cell.skuId, '') as sku_id,
    coalesce(cell.meterId, '') as rate_id
from in_force
