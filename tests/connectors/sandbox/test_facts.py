"""Which recorded figure is served on a day."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from connectors.sandbox.facts import DATES, EVENT, RECORDERS, REGIONS, Fact
from connectors.sandbox.facts_table import from_table, to_table
from connectors.sandbox.serving import facts_of, published_at, select, served

MARCH, APRIL, MAY = (datetime(2025, month, 10, 12, tzinfo=UTC) for month in (3, 4, 5))
DAY = date(2025, 5, 20)


def fact(price: str, recorded_at: datetime, recorder: str = "ann", **other: Any) -> Fact:
    """A made-up on-demand fact of p9.large in us-east-1; `other` replaces its fields."""
    made = Fact(
        provider="aws",
        region="us-east-1",
        instance_type="p9.large",
        price=Decimal(price),
        recorded_at=recorded_at,
        recorder=recorder,
    )
    return replace(made, **other)


def prices(facts: list[Fact], day: date = DAY) -> dict[str, Decimal]:
    """Instance type -> price served of the facts recorded by the day."""
    known = [one for one in facts if one.recorded_at.date() <= day]
    return {figure.fact.instance_type: figure.fact.price for figure in select(known, day)}


def test_the_latest_record_is_served_whoever_made_it() -> None:
    """Of 1, 2 and 3 recorded in March, April and May, 2 is in force at the end of April and 3 on 20 May."""
    facts = [fact("1", MARCH), fact("2", APRIL, "bob"), fact("3", MAY)]

    assert prices(facts, date(2025, 4, 30)) == {"p9.large": Decimal(2)}
    assert prices(facts) == {"p9.large": Decimal(3)}


def test_a_figure_older_than_the_day_is_carried_and_one_of_the_day_is_not() -> None:
    """Recorded on 10 May: carried on 20 May, not on 10 May. It tells the record's own time either way."""
    old, new = (next(iter(select([fact("1", MAY)], day))) for day in (DAY, MAY.date()))

    assert (old.carried, new.carried) == (True, False)
    assert old.fact.recorded_at == MAY


def test_a_figure_leaves_when_its_own_recorder_lacks_it_later() -> None:
    """ann recorded p9.large in March and, in April, only p9.small: p9.large is gone."""
    facts = [fact("1", MARCH), fact("2", MARCH, instance_type="p9.small"), fact("2", APRIL, instance_type="p9.small")]

    assert prices(facts) == {"p9.small": Decimal(2)}


def test_a_figure_stays_when_another_recorder_or_another_region_lacks_it() -> None:
    """What bob didn't list, or what ann didn't list of Ireland, says nothing about ann's list of us-east-1."""
    facts = [
        fact("1", MARCH),
        fact("2", APRIL, "bob", instance_type="p9.small"),
        fact("3", MAY, instance_type="p9.metal", region="eu-west-1"),
    ]

    assert prices(facts)["p9.large"] == Decimal(1)


def test_a_list_of_changes_removes_nothing() -> None:
    """ann's April record is a change of p9.small, not a full recording: p9.large, absent from it, stays."""
    facts = [fact("1", MARCH), fact("2", APRIL, instance_type="p9.small", marks=frozenset({EVENT}))]

    assert prices(facts) == {"p9.large": Decimal(1), "p9.small": Decimal(2)}


@pytest.mark.parametrize(("on_demand_in_may", "offers"), [("10", 2), ("8", 1)])
def test_a_commitment_is_served_while_the_price_beside_it_holds(on_demand_in_may: str, offers: int) -> None:
    """A reservation recorded beside 10 stays while 10 is served, and leaves with the cut to 8."""
    beside: dict[str, Any] = {
        "purchase_option": "reserved",
        "payment_option": "no_upfront",
        "term_months": 12,
        "beside": Decimal(10),
    }
    facts = [fact("10", MARCH), fact("6", MARCH, "bob", **beside), fact(on_demand_in_may, MAY)]

    assert len(list(select(facts, DAY))) == offers


def test_since_goes_back_over_records_of_the_same_price() -> None:
    """4, then 5 in April by bob and in May by ann, who had it since 1 May: it holds since bob's 10 April."""
    facts = [fact("4", MARCH), fact("5", APRIL, "bob"), fact("5", MAY, since=date(2025, 5, 1))]

    assert [figure.since for figure in select(facts, DAY)] == [date(2025, 4, 10)]


@pytest.mark.parametrize("provider", sorted(DATES))
def test_facts_survive_their_table(provider: str) -> None:
    """What is written to a table is what is read from it, for each recorded fact."""
    facts = facts_of(provider)
    header, rows = to_table(facts)

    assert sorted(map(repr, from_table(provider, (dict(zip(header, row, strict=True)) for row in rows)))) == sorted(
        map(repr, facts)
    )


@pytest.mark.parametrize("provider", sorted(DATES))
def test_every_region_and_recorder_is_known(provider: str) -> None:
    """Each served day has on-demand prices in every region, and each fact a recorder with an address."""
    for day in DATES[provider]:
        found = {figure.fact.region for figure in served(provider, day) if figure.fact.purchase_option == "on_demand"}
        assert found >= set(REGIONS[provider])
    assert {one.recorder for one in facts_of("aws") + facts_of("azure")} == set(RECORDERS)


def test_a_day_is_published_at_its_last_record() -> None:
    """2025-06-05: the watcher saw the cuts at 08:28:22. 2026-07-20 and 2025-04-28: karpenter's generated_at."""
    assert [published_at("aws", day).isoformat() for day in DATES["aws"]] == [
        "2025-04-28T13:22:31+00:00",
        "2025-06-05T08:28:22+00:00",
        "2026-07-20T13:44:30+00:00",
    ]


# Who recorded what: karpenter-provider-aws 2025-04-28 and 2026-07-20; aws-price-watcher 2025-06-05 (cuts by location);
# ec2.shop 2025-04-04 for the two regions karpenter doesn't have.
@pytest.mark.parametrize(
    ("region", "instance_type", "april", "june", "july_2026"),
    [
        ("us-east-1", "p5.48xlarge", "98.32", "55.04", "55.04"),
        ("us-east-1", "p4d.24xlarge", "32.7726", "21.957642", "21.957642"),
        ("us-west-2", "p4d.24xlarge", "32.7726", "21.95764", "21.95764"),
        ("us-east-1", "p4de.24xlarge", "40.96575", "27.44705", "27.44705"),
        ("eu-west-1", "p4d.24xlarge", "35.39655", "23.71569", "23.71569"),
        ("us-east-1", "p5en.48xlarge", "84.8", "84.8", "63.296"),  # its cut was first recorded on 2025-06-23
        ("us-east-1", "g6f.large", None, None, "0.202"),
        ("us-east-1", "p6-b300.48xlarge", None, None, "142.416"),
        ("us-east-1", "g4dn.xlarge", "0.526", "0.526", "0.526"),
    ],
)
def test_aws_on_demand_prices_by_day(
    region: str, instance_type: str, april: str | None, june: str | None, july_2026: str | None
) -> None:
    """The recorded Linux on-demand prices, before and after the cut of June 2025."""
    found = []
    for day in DATES["aws"]:
        key = ("aws", region, instance_type, "linux", "on_demand", "", "", 0)
        found += [next((str(f.fact.price) for f in served("aws", day) if f.fact.key == key), None)]

    assert found == [april, june, july_2026]


def reserved_types(day: date, region: str) -> set[str]:
    """The types with a reservation."""
    return {
        figure.fact.instance_type
        for figure in served("aws", day)
        if figure.fact.region == region and figure.fact.purchase_option == "reserved"
    }


@pytest.mark.parametrize(
    ("region", "cut"),
    [
        ("us-east-1", {"p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge"}),
        ("us-west-2", {"p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge"}),
        ("eu-west-1", {"p4d.24xlarge"}),
    ],
)
def test_the_cut_of_june_2025_drops_the_reservations_of_the_cut_types_only(region: str, cut: set[str]) -> None:
    """They were recorded beside the April prices: they leave where aws-price-watcher saw a cut, nowhere else."""
    april, june, _ = DATES["aws"]

    assert reserved_types(april, region) - reserved_types(june, region) == cut
    assert reserved_types(june, region) <= reserved_types(april, region)


def test_a_retired_azure_size_leaves_with_its_recorder() -> None:
    """karpenter-provider-azure had Standard_NC24 in eastus on 2025-06-03 (3.6, twice NC12's 1.8), not on 2026-06-18."""
    key = ("azure", "eastus", "Standard_NC24", "linux", "on_demand", "", "", 0)
    found = [[str(f.fact.price) for f in served("azure", day) if f.fact.key == key] for day in DATES["azure"]]

    assert found == [["3.6"], [], []]


def test_a_windows_price_filed_under_linux_is_served_as_windows() -> None:
    """NCC40ads_H100_v5 in westeurope: 10.74 is the " Win" product's, Linux is 8.9 (vantage; meters of 2026-08-20)."""
    for day in DATES["azure"]:
        found = {
            figure.fact.operating_system: str(figure.fact.price)
            for figure in served("azure", day)
            if figure.fact.key[1:3] == ("westeurope", "Standard_NCC40ads_H100_v5")
            and figure.fact.purchase_option == "on_demand"
        }
        assert found == {"linux": "8.9", "windows": "10.74"}


@pytest.mark.parametrize(
    ("region", "on_demand", "spot"), [("eastus", "1.161", "0.2322"), ("westeurope", "1.399", "0.2798")]
)
def test_a_windows_price_filed_under_another_size_is_served_as_its_own(region: str, on_demand: str, spot: str) -> None:
    """vantage has NV8ads_V710_v5's in NV4's row (0.793 + 8 x 0.046 = 1.161, 1.031 + 0.368 = 1.399), NV4's nowhere."""
    found = {
        (figure.fact.instance_type, figure.fact.purchase_option): str(figure.fact.price)
        for figure in served("azure", DATES["azure"][0])
        if figure.fact.region == region
        and figure.fact.instance_type in ("Standard_NV4ads_V710_v5", "Standard_NV8ads_V710_v5")
        and figure.fact.operating_system == "windows"
    }

    assert found == {
        ("Standard_NV8ads_V710_v5", "on_demand"): on_demand,
        ("Standard_NV8ads_V710_v5", "spot"): spot,
    }
