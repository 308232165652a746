-- Every place that can be asked for: those of our table, and any other that has ever had a price.
-- grain: region_id
select region_id from regions
union
select region_id from unmapped_regions
order by region_id
