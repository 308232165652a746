-- What one fetch brought, counted by record, and how it stands to the open rows: one row.
with records as (
    select record_id,
        case when bool_or(outcome = 'loaded') then 'loaded'
             when bool_or(outcome = 'duplicate') then 'duplicate'
             when bool_or(outcome = 'rejected') then 'rejected'
             when bool_and(outcome = 'excluded') then 'excluded' end as outcome,
        min(reason) filter (where outcome = 'excluded') as reason
    from outcomes
    group by record_id
),
reasons as (
    select reason, count(*) as records from records where outcome = 'excluded' group by reason order by reason
)
select
    (select count(*) from records where outcome = 'loaded') as loaded,
    (select count(*) from records where outcome = 'duplicate') as duplicates,
    (select count(*) from records where outcome = 'excluded') as excluded,
    (select count(*) from records where outcome = 'rejected') as rejected,
    (select coalesce(map(list(reason order by reason), list(records order by reason)), map()) from reasons) as exclusions,
    (select count(*) from outcomes where outcome = 'rejected' and price_key = '') as unreadable,
    (select count(*) from outcomes where outcome = 'rejected') as reject_rows,
    (select count(*) from checked where outcome = 'announced') as announced_rows,
    (select count(*) from landed where record_id not in (select record_id from records where outcome is not null))
        as vanished,
    (select count(*) from stage) as keys,
    (select coalesce(md5(string_agg(price_key, chr(30) order by price_key)), '') from stage) as keys_hash,
    (select count(*) from open_rows) as open_rows,
    (select count(*) from open_rows anti join stage using (price_key)) as missing;
