-- What a dollar is in another currency, read off prices that Azure gives in both: at each complete fetch of a list in
--     that currency, the median of local / USD over its offers. List prices are in USD; what it converts is an estimate.
-- grain: provider, from_currency, to_currency, observed_at
-- provider: aws or azure
-- from_currency: ISO 4217; the one the provider's prices are made in
-- to_currency: ISO 4217; CNY is a conversion too, not the price list of China
-- observed_at: when the prices in to_currency were fetched (UTC)
-- rate: units of to_currency for one of from_currency: the median over the offers (of an even number, the mean of the
--     two in the middle), rounded to 10 decimals
-- meters: meters with a price in both currencies at that moment; under 20 there is no row
-- offers: offers with a price in both: same place, size, system, way to buy, product and meter
-- source: feed the prices come from
with looks as (
    select source, scope, observed_at, min(observed_at) over (partition by source, scope) as first_at
    from observations
    where effective_status = 'complete'
),
pairs as (
    select
        l.source, l.scope, l.provider, l.sku_id, l.rate_id, l.currency as to_currency, l.valid_from, l.valid_to,
        u.currency as from_currency, u.scope as dollar_scope, u.valid_from as dollar_from, u.valid_to as dollar_to,
        l.effective_hourly_price / u.effective_hourly_price as ratio
    from price_intervals l
    join ref_partitions p on p.partition = l.partition and p.currency <> l.currency
    join price_intervals u
        on (u.source, u.provider, u.partition, u.region_id, u.zone_id, u.instance_type, u.operating_system)
            = (l.source, l.provider, l.partition, l.region_id, l.zone_id, l.instance_type, l.operating_system)
        and (u.purchase_option, u.offering_class, u.payment_option, u.term_months, u.sku_id, u.rate_id, u.currency)
            = (l.purchase_option, l.offering_class, l.payment_option, l.term_months, l.sku_id, l.rate_id, p.currency)
    where l.partition = 'azure' and l.rate_id <> ''
),
-- One refresh fetches both lists in any order: where the very first look at the dollars came after that at the local
-- list, within a day, it speaks for that moment too.
compared as (
    select
        p.*, l.observed_at,
        if(f.first_at between l.observed_at and l.observed_at + interval 1 day, f.first_at, l.observed_at) as dollars_at
    from pairs p
    join looks l on l.source = p.source and l.scope = p.scope
    left join (select distinct source, scope, first_at from looks) f
        on f.source = p.source and f.scope = p.dollar_scope
    where p.valid_from <= l.observed_at and (p.valid_to is null or p.valid_to > l.observed_at)
)
select
    provider, from_currency, to_currency, observed_at,
    cast(median(ratio) as decimal(18, 10)) as rate,
    count(distinct (sku_id, rate_id)) as meters,
    count(*) as offers,
    source
from compared
where dollar_from <= dollars_at and (dollar_to is null or dollar_to > dollars_at)
group by source, provider, from_currency, to_currency, observed_at
having meters >= 20
order by provider, from_currency, to_currency, observed_at
