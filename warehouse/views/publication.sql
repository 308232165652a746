-- What this release is: the moment it speaks for, the code and the reference tables it was made with.
-- grain: as_of
-- as_of: latest observed_at of any fetch in the warehouse, failed ones too (UTC); "now" everywhere in this release
-- code_version: version of gpu-prices that built it
-- schema_version: version of the published tables' layout; a column that goes or changes its meaning raises it
-- reference_hash: sha256 of the reference files (GPUs, sizes, regions) it was built with
select
    max(o.observed_at) as as_of,
    any_value(p.code_version) as code_version,
    any_value(p.schema_version) as schema_version,
    any_value(s.reference_hash) as reference_hash
from observations o
cross join publishing p
cross join warehouse_state s
order by as_of
