-- What the checks of this release found: a notice holds nothing back, an invariant that fails stops the release.
-- grain: check_name
-- check_name: the sentence that must hold, words joined by _
-- kind: invariant or notice
-- passed: true: no row offends
-- rows: rows that offend
-- example: JSON: one of them, always the same; NULL if none
select check_name, kind, rows = 0 as passed, rows, examples[1] as example
from check_outcomes
order by check_name
