-- A record of a feed that could not be used, once however often it came.
-- grain: source, scope, reason, record, provider, partition, region_id, zone_id, instance_type, operating_system,
--     purchase_option, offering_class, payment_option, term_months, currency
-- source: feed the price comes from
-- scope: what one fetch of that feed covers, usually region/currency
-- reason: what is wrong with it
-- record: the provider's record as it came (JSON)
-- provider: aws or azure; NULL if it can't be read
-- partition: part of the cloud with accounts and prices of its own: aws, aws-cn, aws-us-gov, aws-eusc, azure,
--     azure-china, azure-us-gov; NULL if it can't be read
-- region_id: the provider's code of the region, Local Zone or Wavelength Zone; NULL if it can't be read
-- zone_id: availability zone where the provider prices by zone (AWS zone ids), else ''; NULL if it can't be read
-- instance_type: the provider's name of the size; NULL if it can't be read
-- operating_system: linux or windows (licence included); NULL if it can't be read
-- purchase_option: on_demand, spot, reserved, savings_plan; NULL if it can't be read
-- offering_class: reserved on AWS: standard or convertible; savings plans: compute or ec2_instance; else ''; NULL if
--     it can't be read
-- payment_option: no_upfront, partial_upfront, all_upfront, or any (Azure: paid monthly or at once, same price); else
--     ''; NULL if it can't be read
-- term_months: length of the commitment in months (12, 36, 60), 0 for none; NULL if it can't be read
-- currency: ISO 4217; the partition's own, in which all prices of the row are; NULL if it can't be read
-- first_seen_at: when it first came (UTC)
-- last_seen_at: when it last came (UTC)
-- still_there: true: no complete fetch of its scope has lacked it since
select
    r.source, r.scope, r.reason, r.record,
    r.provider, r.partition, r.region_id, r.zone_id, r.instance_type, r.operating_system,
    r.purchase_option, r.offering_class, r.payment_option, r.term_months, r.currency,
    r.first_seen_at,
    coalesce(r.last_seen_at, r.partial_seen_at, l.last_complete_at) as last_seen_at,
    r.last_seen_at is null as still_there
from rejects r
left join (select source, scope, any_value(last_complete_at) as last_complete_at from scope_looks group by source, scope) l
    on l.source = r.source and l.scope = r.scope
order by
    r.source, r.scope, r.reason, r.record, r.provider, r.partition, r.region_id, r.zone_id, r.instance_type,
    r.operating_system, r.purchase_option, r.offering_class, r.payment_option, r.term_months, r.currency
