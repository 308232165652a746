-- A size with a price that holds, whose GPU we don't know.
select provider, instance_type, open_prices, example_region_id, first_seen_at
from unmapped_instance_types
where open_prices > 0
