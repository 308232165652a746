-- What one fetch brought, counted by record, and how it stands to the open rows: one row.
with records as (
    select record_id,
        case when bool_or(outcome = 'loaded') then 'loaded'
             when bool_or(outcome = 'duplicate') then 'duplicate'
             when bool_or(outcome = 'rejected') then 'rejected'
             when bool_and(outcome = 'excluded') then 'excluded' end as outcome,
        min(reason) filter (where outcome = 'excluded') as reason,
        count(*) filter (where outcome = 'rejected') as reject_rows,
        count(*) filter (where outcome = 'rejected' and price_key = '') as unreadable_rows,
        bool_or(reason = 'announced') as announced
    from outcomes
    group by record_id
),
counted as (
    select
        count(*) filter (where outcome = 'loaded') as loaded,
        count(*) filter (where outcome = 'duplicate') as duplicates,
        count(*) filter (where outcome = 'excluded') as excluded,
        count(*) filter (where outcome = 'rejected') as rejected,
        coalesce(histogram(reason) filter (where outcome = 'excluded'), map()) as exclusions,
        coalesce(sum(unreadable_rows), 0) > 0 as unreadable,
        coalesce(sum(reject_rows), 0) > 0 or coalesce(bool_or(announced), false) as side_rows,
        count(outcome) as with_outcome
    from records
),
keyed as (
    select count(*) as keys, coalesce(md5(string_agg(price_key, chr(30) order by price_key)), '') as keys_hash
    from stage
),
standing as (
    select count(*) as open_rows, count(*) filter (where stage.price_key is null) as missing
    from open_rows left join stage using (price_key)
)
select * exclude (with_outcome), (select count(*) from landed) - with_outcome as vanished
from counted, keyed, standing;
