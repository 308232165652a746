-- A record that could not be used, once however often it came, with what could be read of its key.
-- grain: source, scope, reason, record, price_key
create table if not exists rejects (
    source varchar not null,
    scope varchar not null,
    reason varchar not null,
    record varchar not null,                    -- the provider's record as landed (JSON)
    price_key varchar not null,                 -- the words of the key, '' where one can't be read
    provider varchar,
    partition varchar,
    region_id varchar,
    zone_id varchar,
    instance_type varchar,
    operating_system varchar,
    purchase_option varchar,
    offering_class varchar,
    payment_option varchar,
    term_months smallint,
    currency varchar,
    first_seen_at timestamp not null,
    last_seen_at timestamp,                     -- NULL: it stands, no complete fetch has lacked it since
    partial_seen_at timestamp                   -- state of the fold: sighted in a partial fetch after the last complete one
);
