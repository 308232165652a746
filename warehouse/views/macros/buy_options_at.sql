-- The rows of buy_options with what one used GPU-hour costs at a utilization (0 to 1, the share of all hours it runs):
--     price_per_used_gpu_hour is the price of a commitment / utilization, and else the price; NULL for what is never
--     used, and where it has no room. Order by it for the cheapest way to buy. Any other utilization is an error.
create macro gpu_prices.main.buy_options_at(utilization) as table
    select
        *,
        case when utilization not between 0 and 1 then error('utilization is a share from 0 to 1')
             when paid_when_idle then try_cast(price_per_gpu_hour / nullif(utilization, 0) as decimal(18, 10))
             else price_per_gpu_hour end as price_per_used_gpu_hour
    from gpu_prices.main.buy_options
