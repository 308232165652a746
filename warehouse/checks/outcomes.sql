-- What the checks find: a row per check.
create or replace temp table check_outcomes (
    check_name varchar not null,
    kind varchar not null,                      -- invariant, notice
    rows bigint not null,                       -- that offend
    examples varchar[] not null                 -- up to three of them, as JSON; always the same ones
)
