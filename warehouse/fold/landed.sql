-- The records of one landing file, numbered in the order of the (sorted) body.
create or replace temp table landed as
select record_id, record::json as record from landed_lines;
