-- A place that sells instances: a region, a Local Zone or a Wavelength Zone.
-- grain: provider, region_id
-- provider: aws or azure
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone
-- display_name: the provider's name
-- other_names: what price lists call it besides, lower case: `eu (ireland)`, `us east`
-- country: ISO 3166 code of two letters
-- city: city or state, for maps and people
-- continent: Africa, Asia, Europe, North America, Oceania, South America
-- latitude: degrees north; approximate, for maps only
-- longitude: degrees east; approximate, for maps only
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov
-- kind: region, local_zone or wavelength_zone
-- parent_region_id: the region a zone belongs to; NULL for a region
-- canary: true: a test region of the provider, left out of rankings
-- has_recorded_prices: whether a public record of GPU prices named it before this table was made; the daily refresh
--     asks no other Azure region, the walk over all of Azure finds one that begins to sell
-- instance_types_on_sale: sizes with GPUs that have a price here at as_of
-- source: where the row comes from
with names as (
    select provider, region_id, list(alias order by alias) as other_names
    from ref_region_aliases
    group by provider, region_id
)
select
    r.provider, r.region_id, r.display_name, coalesce(n.other_names, []) as other_names, r.country, r.city, r.continent, r.latitude, r.longitude,
    r.partition, r.kind, nullif(r.parent_region_id, '') as parent_region_id, r.canary, r.has_recorded_prices,
    count(distinct p.instance_type) as instance_types_on_sale,
    r.source
from ref_regions r
left join names n on n.provider = r.provider and n.region_id = r.region_id
left join prices p on p.provider = r.provider and p.region_id = r.region_id
group by all
order by r.provider, r.region_id
