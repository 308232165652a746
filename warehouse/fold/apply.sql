-- One round of fetches (`step`, `stage`) applied to the open rows: what opens, moves and closes a price. The rows of a
-- scope that has no fetch in this round stay as they are.

-- Open rows and staged keys side by side. `last_sighting` is when the open row's price was last really seen.
create or replace temp table judged as
with beside as (
    select
        scope_id,
        price_key,
        o.offer is not null as was_open,
        s.known is null as absent,
        coalesce(s.known, false) as sighted,
        coalesce(s.known and s.price.hourly_price = o.price.hourly_price
                 and s.price.upfront_price = o.price.upfront_price, false) as same,
        o.offer, o.price, o.valid_from, o.valid_from_basis, o.first_seen_at, o.last_seen_at, o.partial_seen_at, o.clean,
        o.missing_since as was_missing_since,
        s.offer as new_offer, s.price as new_price, s.price.provider_effective_date as claimed
    from open_rows o
    full join stage s using (scope_id, price_key)
)
select beside.*, step.complete, step.observed_at, step.reach,
    coalesce(last_seen_at, partial_seen_at, step.previous_complete_observed_at) as last_sighting,
    case when not absent then null
         when step.complete then coalesce(was_missing_since, step.as_of)
         else was_missing_since end as missing_since,
    -- The provider's own start may only place a boundary between two of our looks.
    not step.versioned and coalesce(claimed > step.previous_complete_as_of, false)
        and (not was_open or claimed > last_sighting) and claimed <= step.as_of as by_window,
    if(by_window, claimed, step.as_of) as new_valid_from,
    case when step.fills_history then 'backfilled'
         when step.versioned then 'published'
         when by_window then 'window' else 'observed' end as new_basis,
    was_open and absent and step.complete and missing_since + interval 20 hours <= step.reach as ended
from beside join step using (scope_id);

insert into closed_rows
select scope_id, price_key, offer, price, valid_from, if(sighted, new_valid_from, missing_since), valid_from_basis,
       first_seen_at, last_sighting, if(sighted, 'changed', 'absent'), observed_at
from judged
where was_open and ((sighted and not same and new_valid_from > valid_from) or (ended and missing_since > valid_from));

create or replace temp table open_rows as
with stayed as (
    select scope_id, price_key, offer, price, valid_from, valid_from_basis, missing_since,
        if(same, least(first_seen_at, observed_at), first_seen_at) as first_seen_at,
        case when complete then if(same, null, last_sighting)
             when same and last_seen_at is not null then observed_at
             else last_seen_at end as last_seen_at,
        case when complete then null
             when same and last_seen_at is null then observed_at
             else partial_seen_at end as partial_seen_at,
        clean, {m: was_missing_since, f: judged.first_seen_at, l: judged.last_seen_at, p: judged.partial_seen_at} as before
    from judged
    where was_open and (same or not sighted) and not ended
)
from open_rows where scope_id not in (select scope_id from step)
union all
select scope_id, price_key, offer, price, valid_from, valid_from_basis, missing_since, first_seen_at, last_seen_at,
       partial_seen_at,
       clean and before is not distinct from {m: missing_since, f: first_seen_at, l: last_seen_at, p: partial_seen_at} as clean
from stayed
union all
select scope_id, price_key, new_offer, new_price, new_valid_from, new_basis, null,
       observed_at, if(complete, null, observed_at), null, false
from judged
where sighted and not same;
