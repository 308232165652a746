-- Facts of a source that has a table of its own: none of this fold yet.
drop table if exists fold_facts;
