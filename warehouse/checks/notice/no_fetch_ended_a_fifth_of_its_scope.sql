-- In the week before as_of: a fetch by whose word over a fifth of a scope's prices, and at least five, ended with
-- nothing in their place.
select
    h.source, h.scope, h.closed_known_at,
    count(*) as ended,
    any_value(s.open_prices) as still_open
from price_history h
join sources s on s.source = h.source and s.scope = h.scope
cross join publication p
where h.close_reason = 'absent' and h.closed_known_at > p.as_of - interval 7 days
group by h.source, h.scope, h.closed_known_at
having count(*) >= 5 and count(*) > (count(*) + any_value(s.open_prices)) / 5
