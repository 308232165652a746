-- A partition whose published prices mix currencies.
select partition, list(distinct currency order by currency) as currencies
from price_history
group by partition
having count(distinct currency) > 1
