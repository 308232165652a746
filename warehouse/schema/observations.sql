-- One attempt at one scope: what its manifest says, and what became of its records.
-- grain: source, scope, observed_at
create table if not exists observations (
    source varchar not null,
    scope varchar not null,
    as_of timestamp not null,
    observed_at timestamp not null,
    status varchar not null,                    -- as landed: complete, unchanged, partial, failed
    effective_status varchar not null,          -- as folded: complete, partial, held, failed
    version varchar,
    address varchar not null,
    lines_read bigint not null,
    records bigint not null,
    sha256 varchar not null,
    predicate varchar not null,
    error varchar,
    loaded bigint not null,
    duplicates bigint not null,
    excluded bigint not null,
    rejected bigint not null,
    exclusions map(varchar, bigint) not null,   -- reason -> records
    keys bigint not null,
    keys_hash varchar not null,
    missing bigint not null,                    -- open offers that this fetch lacked
    held_reason varchar not null                -- '' unless held
);
