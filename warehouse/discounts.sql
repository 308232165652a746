-- A person's negotiated discounts, for the view your_prices; empty where none are written down.
-- grain: provider, purchase_option
create or replace temp table discounts (
    provider varchar not null,
    purchase_option varchar not null,
    discount_ratio decimal(9, 8) not null       -- 0 to below 1: what is taken off the list price
);
