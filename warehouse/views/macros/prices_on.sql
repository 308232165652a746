-- The prices that held at the end of the UTC day on_date (a date or text like '2025-06-05'), with the columns of
--     price_history.
create macro gpu_prices.main.prices_on(on_date) as table
    select *
    from gpu_prices.main.price_history
    where valid_from < on_date::date + interval 1 day
        and (valid_to is null or valid_to >= on_date::date + interval 1 day)
