-- Offers of Capacity Blocks for ML in EC2's API: what each landed one says in our words, or why it says nothing.
-- Reads landed (record_id, scope_id, record), fetches (scope_id, source, scope, as_of, observed_at, version), ref_*.
-- grain: record_id
-- outcome: fact, excluded (known, out of scope) or rejected (unforeseen)
-- reason: why not, the same words for the same cause; '' for a fact
-- fact: the offer, for the table of this source. hourly_price: the fee over the instances and the block's hours
-- What stands in the other columns is the key as far as it can be read; an offer has a start, an end and a count, so it is
-- no price of that key.
with offering as (
    select record_id, scope_id, from_json(record, '{
        "InstanceType": "VARCHAR", "InstanceCount": "VARCHAR", "AvailabilityZone": "VARCHAR", "StartDate": "VARCHAR",
        "EndDate": "VARCHAR", "CapacityBlockDurationHours": "VARCHAR", "CapacityBlockDurationMinutes": "VARCHAR",
        "UpfrontFee": "VARCHAR", "CurrencyCode": "VARCHAR", "Tenancy": "VARCHAR", "ErrorCode": "VARCHAR"}') as field
    from landed
),
word as (
    select
        record_id, field,
        lower(trim(fetches.scope)) as region_id,
        'aws' as partition,
        nullif(trim(field.InstanceType), '') as instance_type,
        nullif(trim(field.AvailabilityZone), '') as availability_zone,
        -- Digits alone, and few: DuckDB rounds 1.5 to 2 and takes 1_0 for a number.
        try_cast(regexp_extract(trim(field.InstanceCount), '^[0-9]{1,5}$') as integer) as instance_count,
        try_cast(field.StartDate as timestamptz) at time zone 'UTC' as starts_at,
        try_cast(field.EndDate as timestamptz) at time zone 'UTC' as ends_at,
        60 * try_cast(regexp_extract(trim(field.CapacityBlockDurationHours), '^[0-9]{1,5}$') as integer)
            + if(field.CapacityBlockDurationMinutes is null, 0,
                 try_cast(regexp_extract(trim(field.CapacityBlockDurationMinutes), '^[0-9]{1,5}$') as integer)) as block_minutes,
        nullif(upper(trim(field.CurrencyCode)), '') as currency,
        if(contains(field.UpfrontFee, '_'), null, try_cast(field.UpfrontFee as decimal(24, 6))) as fee
    from offering join fetches using (scope_id)
),
judged as (
    select
        *,
        -- Decimals divide into a double: only the quotient may go through one.
        try_cast(fee * 60 / nullif(block_minutes::bigint * instance_count, 0) as decimal(18, 10)) as hourly_price,
        case
            when field.ErrorCode in ('Unsupported', 'UnsupportedOperation') then 'not sold as a Capacity Block there'
            when lower(field.Tenancy) = 'dedicated' then 'tenancy dedicated'
        end as exclusion,
        case
            when field.ErrorCode is not null then 'refused: ' || field.ErrorCode
            when instance_type is null then 'no InstanceType'
            when availability_zone is null then 'no AvailabilityZone'
            when coalesce(lower(field.Tenancy), 'default') <> 'default' then 'unknown Tenancy'
            when currency is distinct from 'USD' then 'currency other than the partition''s'
            when coalesce(instance_count, 0) <= 0 then 'unreadable InstanceCount'
            when coalesce(block_minutes, 0) <= 0 then 'unreadable duration'
            when not coalesce(isfinite(starts_at) and isfinite(ends_at) and ends_at > starts_at, false)
                 then 'unreadable StartDate or EndDate'
            -- The hours decide the price: they must be those between the dates.
            when abs(date_diff('minute', starts_at, ends_at) - block_minutes) > 60 then 'hours other than between its dates'
            when fee is null then 'unreadable UpfrontFee'
            when fee <= 0 then 'fee not positive'
            when hourly_price is null or hourly_price = 0 then 'price out of range'
        end as problem
    from word
)
select
    record_id,
    case when exclusion is not null then 'excluded' when problem is not null then 'rejected' else 'fact' end as outcome,
    coalesce(exclusion, problem, '') as reason,
    'aws' as provider,
    partition,
    region_id,
    '' as zone_id,
    coalesce(instance_type, '') as instance_type,
    'linux' as operating_system,
    'capacity_block' as purchase_option,
    '' as offering_class,
    '' as payment_option,
    0::smallint as term_months,
    coalesce(currency, '') as currency,
    hourly_price,
    fee as upfront_price,
    fee as total_price,
    hourly_price as effective_hourly_price,
    'derived' as price_basis,
    starts_at as provider_effective_date,
    '' as sku_id,
    '' as rate_id,
    {partition: partition, region_id: region_id, availability_zone: availability_zone, instance_type: instance_type,
     instance_count: instance_count, starts_at: starts_at, ends_at: ends_at, block_minutes: block_minutes,
     currency: currency, total_price: fee, hourly_price: hourly_price} as fact
from judged
