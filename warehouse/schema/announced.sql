-- A price the provider has announced: its start lay ahead when it was fetched.
-- grain: source, scope, the eleven words of the key, starts_at, hourly_price, upfront_price
create table if not exists announced (
    source varchar not null,
    scope varchar not null,
    provider varchar not null,
    partition varchar not null,
    region_id varchar not null,
    zone_id varchar not null,
    instance_type varchar not null,
    operating_system varchar not null,
    purchase_option varchar not null,
    offering_class varchar not null,
    payment_option varchar not null,
    term_months smallint not null,
    currency varchar not null,
    starts_at timestamp not null,
    hourly_price decimal(18, 10) not null,
    upfront_price decimal(24, 6) not null,
    total_price decimal(24, 6),
    effective_hourly_price decimal(18, 10) not null,
    price_basis varchar not null,
    first_seen_at timestamp not null,
    last_seen_at timestamp,                     -- NULL: it stands, no complete fetch has lacked it since
    partial_seen_at timestamp                   -- state of the fold: sighted in a partial fetch after the last complete one
);
