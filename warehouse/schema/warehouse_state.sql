-- What this file is: one row.
create table if not exists warehouse_state (
    schema_version integer not null,
    reference_hash varchar not null             -- of the csv files the ref_ tables were loaded from
);
