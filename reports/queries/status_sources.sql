-- How fresh each feed is, over all its scopes.
-- grain: source
-- hours_since_complete: from the oldest of the scopes' last complete fetches to the publication's as_of; NULL: none yet;
--     the weekly walk over all regions is left out
select
    source,
    count(*) as scopes,
    count(*) filter (where last_attempt_status in ('failed', 'partial')) as not_fetched,
    count(*) filter (where held) as held,
    min(last_complete_at) filter (where scope not like '*/%') as oldest_complete_at,
    max(last_complete_at) as latest_complete_at,
    date_diff('minute', oldest_complete_at, any_value(publication.as_of)) / 60 as hours_since_complete,
    sum(open_prices)::bigint as open_prices,
    sum(missing_now)::bigint as missing_now,
    sum(records)::bigint as records,
    sum(loaded)::bigint as loaded,
    sum(duplicates)::bigint as duplicates,
    sum(excluded)::bigint as excluded,
    sum(rejected)::bigint as rejected
from sources
cross join publication
group by source
order by source
