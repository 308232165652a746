-- One price of one offer over one span of time, as its scope's landing files tell it.
-- grain: source, scope, the eleven words of the key, valid_from
-- No primary key and no index: the fold keeps the grain, an invariant check proves it.
create table if not exists price_intervals (
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
    valid_from timestamp not null,              -- when the price began to hold, inclusive
    valid_to timestamp,                         -- when it ceased to, exclusive; NULL: no end known
    hourly_price decimal(18, 10) not null,
    upfront_price decimal(24, 6) not null,
    total_price decimal(24, 6),                 -- over the term; NULL without one
    effective_hourly_price decimal(18, 10) not null,
    price_basis varchar not null,               -- published, derived
    valid_from_basis varchar not null,          -- published, window, observed, backfilled
    provider_effective_date timestamp,          -- what the feed itself gives as the start
    missing_since timestamp,                    -- of an open row: the start of the absence that may close it
    first_seen_at timestamp not null,
    last_seen_at timestamp,                     -- NULL: sighted in its scope's last complete observation
    close_reason varchar not null,              -- '', changed, absent
    closed_known_at timestamp,                  -- observed_at of the fetch that closed it
    sku_id varchar not null,
    rate_id varchar not null,
    partial_seen_at timestamp                   -- state of the fold: sighted in a partial fetch after the last complete one
);
