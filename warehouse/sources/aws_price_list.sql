-- Prices in the AWS price list of EC2: what each landed line of a location's CSV says in our words, or why it says nothing.
-- Reads landed (record_id, scope_id, record), fetches (scope_id, source, scope, as_of, observed_at, version), ref_*.
-- grain: record_id. Both lines of a Reserved offer (Unit Hrs, Unit Quantity) carry its price; the second has reason 'upfront'.
-- outcome: price, excluded (known, out of scope) or rejected (unforeseen); an exclusion wins over a problem
-- reason: why not, the same words for the same cause; '' for a price
-- region_id: the Region Code column, of a Local or Wavelength Zone too; its own file is its scope
-- operating_system: linux or windows, licence included, nothing installed
-- A word of the key that is none of ours stands there as AWS writes it, in lower case: such a row is never a price, and
-- its key can be read. NULL is what can't be told.
-- hourly_price, upfront_price: what AWS publishes, per instance; total_price, effective_hourly_price: over 8,760 hours a year
-- provider_effective_date: EffectiveDate, the first of a month on most on-demand lines; it decides nothing
-- sku_id, rate_id: AWS SKU and RateCode
with line as (
    select record_id, scope_id, from_json(record, '{
        "SKU": "VARCHAR", "RateCode": "VARCHAR", "TermType": "VARCHAR", "EffectiveDate": "VARCHAR", "Unit": "VARCHAR",
        "StartingRange": "VARCHAR", "EndingRange": "VARCHAR", "PricePerUnit": "VARCHAR", "Currency": "VARCHAR",
        "LeaseContractLength": "VARCHAR", "PurchaseOption": "VARCHAR", "OfferingClass": "VARCHAR",
        "Product Family": "VARCHAR", "Location Type": "VARCHAR", "Region Code": "VARCHAR", "Instance Type": "VARCHAR",
        "Tenancy": "VARCHAR", "Operating System": "VARCHAR", "License Model": "VARCHAR", "CapacityStatus": "VARCHAR",
        "Pre Installed S/W": "VARCHAR", "operation": "VARCHAR", "MarketOption": "VARCHAR", "GPU": "VARCHAR"}') as cell
    from landed
),
word as (
    select
        record_id, scope_id, cell,
        lower(trim(fetches.scope)) as scope,
        nullif(lower(trim(cell."Region Code")), '') as region_id,
        case when region_id like 'cn-%' then 'aws-cn'
             when region_id like 'us-gov-%' then 'aws-us-gov'
             when region_id like 'eusc-%' then 'aws-eusc'
             when region_id is not null then 'aws' end as partition,
        case partition when 'aws-cn' then 'CNY' when 'aws-eusc' then 'EUR' else 'USD' end as native_currency,
        nullif(lower(trim(cell."Instance Type")), '') as instance_type,
        nullif(lower(trim(cell."Operating System")), '') as operating_system,
        case when cell.TermType = 'OnDemand' then 'on_demand' else nullif(lower(trim(cell.TermType)), '') end
            as purchase_option,
        nullif(lower(trim(cell.OfferingClass)), '') as class_word,
        nullif(replace(lower(trim(cell.PurchaseOption)), ' ', '_'), '') as payment_word,
        -- Never from OfferTermCode: several public tables of those codes are wrong. '1 yr' is met beside '1yr'.
        nullif(trim(cell.LeaseContractLength), '') as lease,
        12 * try_cast(regexp_extract(lease, '^([1-9][0-9]{0,2}) ?y(ea)?rs?$', 1, 'i') as integer) as lease_months,
        -- A term that is neither of the two: what it doesn't say of a commitment, it doesn't have.
        case purchase_option when 'on_demand' then '' when 'reserved' then class_word else coalesce(class_word, '') end
            as offering_class,
        case purchase_option when 'on_demand' then '' when 'reserved' then payment_word else coalesce(payment_word, '') end
            as payment_option,
        case when purchase_option = 'on_demand' or (purchase_option <> 'reserved' and lease is null) then 0
             else lease_months end as term_months,
        nullif(upper(trim(cell.Currency)), '') as currency,
        -- RateCode is SKU.OfferTermCode.rate: the two lines of a Reserved offer share the first two parts.
        if(purchase_option = 'reserved', regexp_extract(cell.RateCode, '^[^.]+\.[^.]+'), record_id::varchar) as offer,
        -- DuckDB takes 1_000 for a number.
        if(contains(cell.PricePerUnit, '_'), null, try_cast(cell.PricePerUnit as decimal(24, 10))) as amount
    from line join fetches using (scope_id)
),
judged as (
    select
        *,
        case
            when exists (
                from ref_not_gpus as n
                where n.provider = 'aws' and split_part(instance_type, '.', 1) = n.pattern
            ) then 'not a GPU'
            when regexp_matches(coalesce(cell.GPU, ''), '^\s*(NA|[0.]*)\s*$')
                 and instance_type not in (select t.instance_type from ref_instance_types as t where t.provider = 'aws')
                 then 'not a GPU'
            when cell."Location Type" = 'AWS Outposts' then 'Outposts'
            when cell."Location Type" <> 'AWS Region' and region_id <> scope then 'own scope'
            -- A zone's code is longer: us-west-2-lax-1, us-east-1-wl1-chi1. The region's own price is another one.
            when cell."Location Type" in ('AWS Local Zone', 'AWS Wavelength Zone')
                 and regexp_matches(scope, '^[a-z]+(-[a-z]+)+-[0-9]+$') then 'zone under its region''s code'
            when cell."Product Family" = 'Dedicated Host' then 'Dedicated Host'
            -- A capacity block looks like on demand in all but these two columns; its price is 0 or the system's surcharge.
            when cell.MarketOption = 'CapacityBlock' or cell.operation like '%:CB' then 'capacity block'
            when cell.CapacityStatus in ('UnusedCapacityReservation', 'AllocatedCapacityReservation')
                 then 'capacity reservation'
            when cell.TermType = 'FlatRate' then 'term FlatRate'
            when cell.Tenancy in ('Host', 'Reserved', 'NA')
                 or (cell.Tenancy = 'Dedicated' and not instance_type like '%.metal%') then 'tenancy ' || cell.Tenancy
            when cell."Operating System" in ('RHEL', 'Red Hat Enterprise Linux with HA', 'SUSE', 'Ubuntu Pro', 'NA')
                 then 'operating system ' || cell."Operating System"
            when cell."License Model" = 'Bring your own license' then 'bring your own license'
            when cell."Pre Installed S/W" in ('SQL Web', 'SQL Std', 'SQL Ent') then 'with ' || cell."Pre Installed S/W"
        end as exclusion,
        case
            when instance_type is null or cell.SKU is null or coalesce(offer, '') = '' then 'no SKU, RateCode or Instance Type'
            when region_id is distinct from scope then 'another region'
            when coalesce(cell."Location Type", '')
                 not in ('AWS Region', 'AWS Local Zone', 'AWS Wavelength Zone') then 'unknown Location Type'
            when coalesce(cell."Product Family", '')
                 not in ('Compute Instance', 'Compute Instance (bare metal)') then 'unknown Product Family'
            when coalesce(purchase_option, '') not in ('on_demand', 'reserved') then 'unknown TermType'
            when coalesce(cell.MarketOption, '') not in ('', 'NA', 'OnDemand') then 'unknown MarketOption'
            when cell.CapacityStatus is distinct from 'Used' then 'unknown CapacityStatus'
            when coalesce(cell.Tenancy, '') not in ('Shared', 'Dedicated') then 'unknown Tenancy'
            when coalesce(operating_system, '') not in ('linux', 'windows') then 'unknown Operating System'
            when cell."License Model" is distinct from 'No License required' then 'unknown License Model'
            when coalesce(cell."Pre Installed S/W", '') not in ('', 'NA') then 'unknown Pre Installed S/W'
            when cell.operation is distinct from if(operating_system = 'linux', 'RunInstances', 'RunInstances:0002')
                 then 'unknown operation'
            when coalesce(cell.Unit, '') not in ('Hrs', if(purchase_option = 'reserved', 'Quantity', 'Hrs')) then 'unknown Unit'
            when cell.Unit = 'Hrs' and (coalesce(try_cast(cell.StartingRange as double), 0) <> 0
                                        or coalesce(cell.EndingRange, 'Inf') <> 'Inf') then 'price in tiers'
            when term_months is null then 'unknown LeaseContractLength'
            when term_months not in (0, 12, 36) then 'term ' || lease
            when coalesce(payment_option, '') not in ('no_upfront', 'partial_upfront', 'all_upfront')
                 and purchase_option = 'reserved' then 'unknown PurchaseOption'
            when coalesce(offering_class, '') not in ('standard', 'convertible')
                 and purchase_option = 'reserved' then 'unknown OfferingClass'
            when currency is distinct from native_currency then 'currency other than the scope''s'
            when amount is null then 'unreadable PricePerUnit'
        end as problem
    from word
),
-- Metal is sold with tenancy Shared, Dedicated or both: Dedicated counts where the same offer has no Shared price.
settled as (
    select
        * replace (
            if(cell.Tenancy = 'Dedicated' and bool_or(
                   exclusion is null and cell.Tenancy = 'Shared' and (purchase_option = 'reserved' or amount is distinct from 0)
               ) over (partition by scope_id, instance_type, operating_system, purchase_option, offering_class,
                       payment_option, term_months),
               coalesce(exclusion, 'tenancy Dedicated'), exclusion) as exclusion
        )
    from judged
),
paired as (
    select
        *,
        case when exclusion is null and problem is null then cell.Unit end as good_unit,
        min(amount) filter (good_unit = 'Hrs') over same_offer as lowest_hourly,
        max(amount) filter (good_unit = 'Hrs') over same_offer as hourly,
        min(amount) filter (good_unit = 'Quantity') over same_offer as lowest_upfront,
        max(amount) filter (good_unit = 'Quantity') over same_offer as upfront,
        [instance_type, operating_system, offering_class, payment_option, term_months::varchar, region_id, currency]::varchar
            as terms,
        min(terms) over same_offer <> max(terms) over same_offer and offer <> '' as terms_differ,
        term_months * 730 as hours
    from settled
    window same_offer as (partition by scope_id, offer)
),
priced as (
    select
        *,
        try_cast(hourly as decimal(18, 10)) as hourly_price,
        try_cast(coalesce(upfront, 0) as decimal(24, 6)) as upfront_price,
        try_cast(if(hours > 0, hourly * hours + coalesce(upfront, 0), null) as decimal(24, 6)) as total_price,
        -- Decimals divide into a double: only the quotient may go through one.
        try_cast(hourly + if(hours > 0, try_cast(coalesce(upfront, 0) / hours as decimal(24, 10)), 0) as decimal(18, 10))
            as effective_hourly_price,
        case
            when terms_differ then 'lines of one offer differ'
            when good_unit is null then problem
            when hourly is null then 'hourly line missing'
            when upfront is null and payment_option in ('partial_upfront', 'all_upfront') then 'upfront line missing'
            when lowest_hourly <> hourly or lowest_upfront <> upfront then 'lines of one offer differ'
            when upfront > 0 and payment_option = 'no_upfront' then 'upfront line of a No Upfront offer'
            when hourly < 0 or upfront < 0 then 'price below zero'
            when hourly = 0 and payment_option <> 'all_upfront' or effective_hourly_price = 0 then 'price is zero'
            when effective_hourly_price is null or total_price is null and hours > 0 then 'price out of range'
        end as fault
    from paired
)
select
    record_id,
    case when exclusion is not null then 'excluded' when fault is not null then 'rejected' else 'price' end as outcome,
    coalesce(exclusion, fault, if(cell.Unit = 'Quantity', 'upfront', '')) as reason,
    'aws' as provider,
    partition,
    region_id,
    '' as zone_id,
    instance_type,
    operating_system,
    purchase_option,
    offering_class,
    payment_option,
    term_months::smallint as term_months,
    currency,
    hourly_price,
    upfront_price,
    total_price,
    effective_hourly_price,
    'published' as price_basis,
    coalesce(try_cast(cell.EffectiveDate as date)::timestamp, try_cast(cell.EffectiveDate as timestamptz) at time zone 'UTC')
        as provider_effective_date,
    coalesce(cell.SKU, '') as sku_id,
    coalesce(cell.RateCode, '') as rate_id
from priced
