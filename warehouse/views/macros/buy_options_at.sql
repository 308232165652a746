-- The rows of buy_options with what one used GPU-hour costs at a utilization (0 to 1, the share of all hours it runs):
--     price_per_used_gpu_hour is the price of a commitment / utilization, and else the price. Order by it for the
--     cheapest way to buy.
create macro gpu_prices.main.buy_options_at(utilization) as table
    select
        *,
        if(paid_when_idle, cast(price_per_gpu_hour / nullif(utilization, 0) as decimal(18, 10)), price_per_gpu_hour)
            as price_per_used_gpu_hour
    from gpu_prices.main.buy_options
