-- From the rows of a source's .sql (`parsed`) to one row per key (`stage`) and one outcome per record.

-- What no source may let through, whatever its .sql says: a price without a key or an amount, or that isn't positive.
create or replace temp table checked as
with keyed as (
    select *,
        (provider || partition || region_id || zone_id || instance_type || operating_system || purchase_option
         || offering_class || payment_option || term_months::varchar || currency) is not null as key_readable
    from parsed join (select record_id, scope_id from landed) using (record_id)
),
faulted as (
    select *,
        case when outcome not in ('price', 'announced') then ''
             when not key_readable or hourly_price is null or upfront_price is null or effective_hourly_price is null
                  or price_basis is null or sku_id is null or rate_id is null
                  or (outcome = 'announced' and provider_effective_date is null) then 'price without a key or an amount'
             when effective_hourly_price <= 0 or hourly_price < 0 or upfront_price < 0 then 'price not positive'
             when hourly_price = 0 and payment_option <> 'all_upfront' then 'hourly price zero'
             else '' end as fault
    from keyed
)
select
    scope_id,
    record_id,
    if(fault = '', outcome, 'rejected') as outcome,
    if(fault = '', reason, fault) as reason,
    if(key_readable,
       concat_ws(chr(31), provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
                 offering_class, payment_option, term_months, currency), '') as price_key,
    {provider: provider, partition: partition, region_id: region_id, zone_id: zone_id, instance_type: instance_type,
     operating_system: operating_system, purchase_option: purchase_option, offering_class: offering_class,
     payment_option: payment_option, term_months: term_months, currency: currency} as offer,
    {hourly_price: hourly_price, upfront_price: upfront_price, total_price: total_price,
     effective_hourly_price: effective_hourly_price, price_basis: price_basis,
     provider_effective_date: provider_effective_date, sku_id: sku_id, rate_id: rate_id} as price
from faulted;

-- One row per key that a fetch of the round showed. known: it has one price; else it is in conflict or only rejected, and its price unknown.
-- Of equal prices the lowest record is kept; `upfront_keeper` is the second line of a Reserved pair.
create or replace temp table stage as
select scope_id, price_key,
    coalesce(min(price.hourly_price) filter (where outcome = 'price') <> max(price.hourly_price) filter (where outcome = 'price')
             or min(price.upfront_price) filter (where outcome = 'price')
                <> max(price.upfront_price) filter (where outcome = 'price'), false) as conflict,
    min(record_id) filter (where outcome = 'price' and reason <> 'upfront') as keeper,
    min(record_id) filter (where outcome = 'price' and reason = 'upfront') as upfront_keeper,
    keeper is not null and not conflict as known,
    arg_min(offer, record_id) filter (where outcome = 'price' and reason <> 'upfront') as offer,
    arg_min(price, record_id) filter (where outcome = 'price' and reason <> 'upfront') as price
from checked
where price_key <> '' and outcome in ('price', 'rejected')
group by scope_id, price_key;

-- Every row with what became of it, conflicts and repeats decided.
create or replace temp table outcomes as
select
    scope_id,
    record_id,
    case when outcome = 'price' and not known then 'rejected'
         when outcome = 'price' and record_id in (keeper, coalesce(upfront_keeper, keeper)) then 'loaded'
         when outcome = 'price' then 'duplicate'
         when outcome = 'fact' then 'loaded'
         when outcome = 'announced' then 'excluded'
         else outcome end as outcome,
    case when outcome = 'price' and conflict then 'conflict'
         when outcome = 'price' and not known then 'upfront line alone'
         when outcome = 'announced' then 'announced'
         else reason end as reason,
    price_key, checked.offer
from checked left join stage using (scope_id, price_key);
