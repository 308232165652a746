-- What this publication is.
-- grain: one row
select as_of, code_version, schema_version, reference_hash
from publication
