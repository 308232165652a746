-- Every price beside the one before it of the same offer.
-- grain: source, scope, the eleven words of the key, valid_from
-- follows: it took the place of the price before, without a gap
-- blip: the move that brought it was undone within 48 hours, or undid one
-- Derived Windows reservations are left out: their moves are those of the three prices they are made of.
with beside as (
    select
        *,
        lag(valid_from) over history as previous_valid_from,
        lag(valid_to) over history as previous_valid_to,
        lag(close_reason) over history as previous_close_reason,
        lag(closed_known_at) over history as previous_closed_known_at,
        lag(hourly_price) over history as previous_hourly_price,
        lag(upfront_price) over history as previous_upfront_price,
        lag(effective_hourly_price) over history as previous_effective_hourly_price,
        lag(price_per_gpu_hour) over history as previous_price_per_gpu_hour
    from priced_intervals
    where not (provider = 'azure' and operating_system = 'windows' and purchase_option = 'reserved')
    window history as (
        partition by source, scope, provider, partition, region_id, zone_id, instance_type, operating_system,
            purchase_option, offering_class, payment_option, term_months, currency
        order by valid_from
    )
),
following as (
    select *, coalesce(previous_close_reason = 'changed' and previous_valid_to = valid_from, false) as follows
    from beside
),
undoing as (
    select
        *,
        coalesce(
            follows and lag(follows) over history
            and (lag(previous_hourly_price) over history, lag(previous_upfront_price) over history)
                = (hourly_price, upfront_price)
            and previous_valid_to <= previous_valid_from + interval 48 hours,
            false
        ) as undoes
    from following
    window history as (
        partition by source, scope, provider, partition, region_id, zone_id, instance_type, operating_system,
            purchase_option, offering_class, payment_option, term_months, currency
        order by valid_from
    )
)
select * exclude (undoes), undoes or coalesce(lead(undoes) over history, false) as blip
from undoing
window history as (
    partition by source, scope, provider, partition, region_id, zone_id, instance_type, operating_system,
        purchase_option, offering_class, payment_option, term_months, currency
    order by valid_from
)
