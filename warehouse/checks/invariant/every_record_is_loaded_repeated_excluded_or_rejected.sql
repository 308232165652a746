-- A fetch whose records don't add up.
select source, scope, observed_at, records, loaded, duplicates, excluded, rejected
from observations
where loaded + duplicates + excluded + rejected <> records
