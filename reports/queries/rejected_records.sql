-- Records that could not be used, one by one.
-- grain: that of rejected_rows
-- $source, $scope, $reason may be NULL: any. $gone: those too that their scope's latest fetch no longer has.
select source, scope, reason, instance_type, operating_system, purchase_option, first_seen_at, last_seen_at, still_there, record
from rejected_rows
where ($source::varchar is null or source = $source)
    and ($scope::varchar is null or scope = $scope)
    and ($reason::varchar is null or reason = $reason)
    and ($gone or still_there)
order by source, scope, reason, record
