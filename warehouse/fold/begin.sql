-- The state of the fold before its next fetch, from what is stored (or nothing, `anew`); `scope_now` names the scopes.
-- open_rows: their open prices. closed_rows: what this fold closes. `clean`: stands in the table just so.
create or replace temp table scope_now as select scope_id, source, scope, anew from folded_scopes;

create or replace temp table open_rows as
select
    scope_id,
    concat_ws(chr(31), provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
              offering_class, payment_option, term_months, currency) as price_key,
    {provider: provider, partition: partition, region_id: region_id, zone_id: zone_id, instance_type: instance_type,
     operating_system: operating_system, purchase_option: purchase_option, offering_class: offering_class,
     payment_option: payment_option, term_months: term_months, currency: currency} as offer,
    {hourly_price: hourly_price, upfront_price: upfront_price, total_price: total_price,
     effective_hourly_price: effective_hourly_price, price_basis: price_basis,
     provider_effective_date: provider_effective_date, sku_id: sku_id, rate_id: rate_id} as price,
    valid_from, valid_from_basis, missing_since, first_seen_at, last_seen_at, partial_seen_at, true as clean
from price_intervals join scope_now using (source, scope)
where valid_to is null and not anew;

create or replace temp table closed_rows as
select scope_id, price_key, offer, price, valid_from, null::timestamp as valid_to, valid_from_basis, first_seen_at,
       last_seen_at, '' as close_reason, null::timestamp as closed_known_at
from open_rows limit 0;

create or replace temp table fold_rejects as
select scope_id, reason, record, price_key,
       {provider: provider, partition: partition, region_id: region_id, zone_id: zone_id, instance_type: instance_type,
        operating_system: operating_system, purchase_option: purchase_option, offering_class: offering_class,
        payment_option: payment_option, term_months: term_months, currency: currency} as offer,
       first_seen_at, last_seen_at, partial_seen_at, true as clean
from rejects join scope_now using (source, scope)
where not anew;

create or replace temp table fold_announced as
select
    scope_id,
    concat_ws(chr(31), provider, partition, region_id, zone_id, instance_type, operating_system, purchase_option,
              offering_class, payment_option, term_months, currency) as price_key,
    {provider: provider, partition: partition, region_id: region_id, zone_id: zone_id, instance_type: instance_type,
     operating_system: operating_system, purchase_option: purchase_option, offering_class: offering_class,
     payment_option: payment_option, term_months: term_months, currency: currency} as offer,
    {hourly_price: hourly_price, upfront_price: upfront_price, total_price: total_price,
     effective_hourly_price: effective_hourly_price, price_basis: price_basis} as price,
    starts_at, first_seen_at, last_seen_at, partial_seen_at, true as clean
from announced join scope_now using (source, scope)
where not anew;
