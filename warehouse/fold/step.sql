-- The fetch being folded: one row. reach: until when it speaks.
create or replace temp table step as
select $as_of::timestamp as as_of, $observed_at::timestamp as observed_at, $versioned::boolean as versioned,
       $complete::boolean as complete, $reach::timestamp as reach,
       $previous_observed_at::timestamp as previous_observed_at,
       $previous_complete_as_of::timestamp as previous_complete_as_of,
       $previous_complete_observed_at::timestamp as previous_complete_observed_at;
