-- A region or zone with a price that holds, which we don't know.
select provider, region_id, open_prices, first_seen_at
from unmapped_regions
where open_prices > 0
