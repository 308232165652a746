"""Currencies and partitions are never mixed: what China or Europe asks changes no figure of the others."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.warehouse.price_rows import Row, build, fetch, price, table, warehouse_with

# Partition -> provider, its currency and two of its regions; those of the last two have no published region table yet.
PARTITIONS = {
    "aws": ("aws", "USD", ("us-east-1", "eu-west-1")),
    "aws-us-gov": ("aws", "USD", ("us-gov-west-1", "us-gov-east-1")),
    "aws-cn": ("aws", "CNY", ("cn-north-1", "cn-northwest-1")),
    "aws-eusc": ("aws", "EUR", ("eusc-de-east-1",)),
    "azure": ("azure", "USD", ("eastus", "westeurope")),
    "azure-china": ("azure", "CNY", ("chinaeast2", "chinanorth3")),
}
SIZES = {"aws": ("p4d.24xlarge", "p5.48xlarge"), "azure": ("Standard_ND96isr_H100_v5", "Standard_NC24ads_A100_v4")}
STATISTICS = ("instance_regional_spread", "gpu_regional_spread", "commitment_savings", "buy_options")


@st.composite
def offers(draw: st.DrawFn) -> Row:
    """A price of any partition, on demand or reserved for a year, in its own currency or converted to another."""
    partition = draw(st.sampled_from(sorted(PARTITIONS)))
    provider, own, regions = PARTITIONS[partition]
    region = draw(st.sampled_from(regions))
    currency = draw(st.sampled_from([own, own, own, "EUR", "CNY"]))
    words: dict[str, Any] = {
        "source": "aws_price_list" if provider == "aws" else "azure_retail_prices",
        "provider": provider,
        "partition": partition,
        "region_id": region,
        "scope": f"{region}/{currency}",
        "instance_type": draw(st.sampled_from(SIZES[provider])),
        "currency": currency,
    }
    if draw(st.booleans()):
        words |= {"purchase_option": "reserved", "payment_option": "no_upfront", "term_months": 12}
    return price(str(draw(st.integers(1, 1000))), **words)


def key(row: Row) -> tuple[Any, ...]:
    """What may be in force once."""
    words = ("partition", "region_id", "instance_type", "purchase_option", "term_months", "currency")
    return tuple(row[word] for word in words)


def statistics(prices: list[Row]) -> dict[str, list[Row]]:
    """The published statistics of these prices; each scope was fetched at the start."""
    looks = [fetch(source=s, scope=p) for s, p in sorted({(row["source"], row["scope"]) for row in prices})]
    with warehouse_with(prices, looks or [fetch()]) as connection:
        build(connection, *STATISTICS)
        return {name: table(connection, f"from {name}") for name in STATISTICS}


@settings(max_examples=10)
@given(st.lists(offers(), max_size=24, unique_by=key))
def test_what_is_priced_in_yuan_or_euro_changes_no_figure_in_dollars(prices: list[Row]) -> None:
    """The statistics in USD are those of the USD partitions alone, to the last digit, and so are the others'."""
    together = statistics(prices)
    own = {partition: currency for partition, (_, currency, _) in PARTITIONS.items()}
    offered = [row for row in prices if row["currency"] == own[row["partition"]]]

    for dollars in (True, False):
        alone = statistics([row for row in offered if (row["currency"] == "USD") == dollars])
        for name in STATISTICS:
            assert [row for row in together[name] if (row["currency"] == "USD") == dollars] == alone[name]
    for name in STATISTICS:
        assert all(row["currency"] == own[row["partition"]] for row in together[name])
