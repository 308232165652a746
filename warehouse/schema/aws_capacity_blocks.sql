-- Offers of Capacity Blocks, as each fetch saw them.
-- grain: source, scope, observed_at, and all that an offer is
create table if not exists aws_capacity_blocks (
    source varchar not null,
    scope varchar not null,
    observed_at timestamp not null,
    partition varchar not null,
    region_id varchar not null,
    availability_zone varchar not null,       -- the name it has in the account that asked
    instance_type varchar not null,
    instance_count integer not null,
    starts_at timestamp not null,
    ends_at timestamp not null,
    block_minutes integer not null,
    currency varchar not null,
    total_price decimal(24, 6) not null,      -- for all instances, the whole time
    hourly_price decimal(18, 10) not null     -- of one instance
);
