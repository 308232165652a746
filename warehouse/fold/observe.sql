-- What became of one manifest.
insert into fold_observations by name
select $source as source, $scope as scope, $as_of::timestamp as as_of, $observed_at::timestamp as observed_at,
       $status as status, $effective_status as effective_status, $version as version, $address as address,
       $lines_read as lines_read, $records as records, $sha256 as sha256, $predicate as predicate, $error as error,
       $loaded as loaded, $duplicates as duplicates, $excluded as excluded, $rejected as rejected,
       map($reasons::varchar[], $reason_records::bigint[]) as exclusions, $keys as keys, $keys_hash as keys_hash,
       $missing as missing, $held_reason as held_reason;
