-- Records that could not be used, by reason, with one of them.
-- grain: source, reason
-- $source, $scope, $reason may be NULL: any. $gone: those too that their scope's latest fetch no longer has.
select
    source, reason,
    count(*) as records,
    count(*) filter (where still_there) as still_there,
    count(distinct scope) as scopes,
    min(first_seen_at) as first_seen_at,
    max(last_seen_at) as last_seen_at,
    arg_max(record, (last_seen_at, record)) as example
from rejected_rows
where ($source::varchar is null or source = $source)
    and ($scope::varchar is null or scope = $scope)
    and ($reason::varchar is null or reason = $reason)
    and ($gone or still_there)
group by source, reason
order by records desc, source, reason
