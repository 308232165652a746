-- What each fetch of the round brought, counted by record, and how it stands to the open rows.
-- grain: scope_id
with records as (
    select outcomes.scope_id, record_id,
        case when bool_or(outcome = 'loaded') then 'loaded'
             when bool_or(outcome = 'duplicate') then 'duplicate'
             when bool_or(outcome = 'rejected') then 'rejected'
             when bool_and(outcome = 'excluded') then 'excluded' end as outcome,
        min(reason) filter (where outcome = 'excluded') as reason,
        count(*) filter (where outcome = 'rejected') as reject_rows,
        count(*) filter (where outcome = 'rejected' and price_key = '') as unreadable_rows,
        bool_or(reason = 'announced') as announced
    from outcomes
    group by scope_id, record_id
),
counted as (
    select
        scope_id,
        count(*) filter (where outcome = 'loaded') as loaded,
        count(*) filter (where outcome = 'duplicate') as duplicates,
        count(*) filter (where outcome = 'excluded') as excluded,
        count(*) filter (where outcome = 'rejected') as rejected,
        histogram(reason) filter (where outcome = 'excluded') as exclusions,
        sum(unreadable_rows) > 0 as unreadable,
        sum(reject_rows) > 0 or bool_or(announced) as side_rows,
        count(outcome) as with_outcome
    from records
    group by scope_id
),
arrived as (
    select scope_id, count(*) as records from landed group by scope_id
),
keyed as (
    select scope_id, count(*) as keys, md5(string_agg(price_key, chr(30) order by price_key)) as keys_hash
    from stage
    group by scope_id
),
standing as (
    select scope_id, count(*) as open_rows, count(*) filter (where stage.known is null) as missing
    from open_rows left join stage using (scope_id, price_key)
    group by scope_id
)
select
    scope_id,
    coalesce(loaded, 0) as loaded, coalesce(duplicates, 0) as duplicates, coalesce(excluded, 0) as excluded,
    coalesce(rejected, 0) as rejected, coalesce(exclusions, map()) as exclusions,
    coalesce(unreadable, false) as unreadable, coalesce(side_rows, false) as side_rows,
    coalesce(records, 0) - coalesce(with_outcome, 0) as vanished,
    coalesce(keys, 0) as keys, coalesce(keys_hash, '') as keys_hash,
    coalesce(open_rows, 0) as open_rows, coalesce(missing, 0) as missing
from fetches
left join counted using (scope_id)
left join arrived using (scope_id)
left join keyed using (scope_id)
left join standing using (scope_id);
