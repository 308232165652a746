-- Write what the fold changed, and nothing else; runs inside one transaction.
delete from price_intervals p
using scope_now n
where p.source = n.source and p.scope = n.scope and (n.anew or p.valid_to is null)
    and (n.scope_id,
         concat_ws(chr(31), p.provider, p.partition, p.region_id, p.zone_id, p.instance_type, p.operating_system,
                   p.purchase_option, p.offering_class, p.payment_option, p.term_months, p.currency), p.valid_from)
        not in (select (scope_id, price_key, valid_from) from open_rows where clean);

insert into price_intervals by name
select source, scope, unnest(offer), unnest(price), valid_from, null as valid_to, valid_from_basis, missing_since,
       first_seen_at, last_seen_at, '' as close_reason, null as closed_known_at, partial_seen_at
from open_rows join scope_now using (scope_id)
where not clean;

insert into price_intervals by name
select source, scope, unnest(offer), unnest(price), valid_from, valid_to, valid_from_basis, null as missing_since,
       first_seen_at, last_seen_at, close_reason, closed_known_at, null as partial_seen_at
from closed_rows join scope_now using (scope_id);

delete from rejects r
using scope_now n
where r.source = n.source and r.scope = n.scope
    and (n.scope_id, reason, record, price_key)
        not in (select (scope_id, reason, record, price_key) from fold_rejects where clean);

insert into rejects by name
select source, scope, reason, record, price_key, unnest(offer), first_seen_at, last_seen_at, partial_seen_at
from fold_rejects join scope_now using (scope_id)
where not clean;

delete from announced a
using scope_now n
where a.source = n.source and a.scope = n.scope
    and (n.scope_id,
         concat_ws(chr(31), a.provider, a.partition, a.region_id, a.zone_id, a.instance_type, a.operating_system,
                   a.purchase_option, a.offering_class, a.payment_option, a.term_months, a.currency),
         a.starts_at, a.hourly_price, a.upfront_price)
        not in (select (scope_id, price_key, starts_at, price.hourly_price, price.upfront_price)
                from fold_announced where clean);

insert into announced by name
select source, scope, unnest(offer), unnest(price), starts_at, first_seen_at, last_seen_at, partial_seen_at
from fold_announced join scope_now using (scope_id)
where not clean;

delete from observations o using scope_now n where n.anew and o.source = n.source and o.scope = n.scope;
insert into observations by name select o.* from fold_observations o semi join scope_now using (source, scope);

delete from dictionaries d using scope_now n where d.source = n.source and d.scope = n.scope;
insert into dictionaries by name from fold_dictionaries;

-- The decisions of these scopes are written by the caller.
delete from decisions d using scope_now n where d.source = n.source and d.scope = n.scope;
