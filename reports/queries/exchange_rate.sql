-- The latest known rate from the currency of most price lists to another.
-- grain: one row, or none
-- $currency: ISO 4217, the one to convert to
select provider, from_currency, to_currency, rate, observed_at
from exchange_rates
where from_currency = 'USD' and to_currency = $currency
order by observed_at desc, provider
limit 1
