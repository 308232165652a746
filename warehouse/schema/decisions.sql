-- A person's word that a held fetch showed the truth.
-- grain: source, scope, observed_at
create table if not exists decisions (
    source varchar not null,
    scope varchar not null,
    observed_at timestamp not null,
    decided_by varchar not null,
    note varchar not null
);
