"""Freshness of each scope, records that can't be used, and the reference joined with what is on sale."""

from typing import Any

from tests.warehouse.price_rows import (
    START,
    Row,
    azure,
    build,
    day,
    fetch,
    price,
    published,
    reject,
    table,
    warehouse_with,
)


def source(*fetches: Row, prices: tuple[Row, ...] = ()) -> Row:
    """The one row of `sources`."""
    (row,) = published("sources", *prices, fetches=fetches)
    return row


def test_a_scope_says_how_fresh_it_is() -> None:
    """Fetched whole on day 0, unchanged on day 1, cut off on day 2, failed on day 3."""
    row = source(
        fetch(day(0), version="1", records=9, loaded=4, duplicates=1, excluded=3, rejected=1, exclusions={"BYOL": 3}),
        fetch(day(1), as_of=day(0), status="unchanged", version="1", records=9, loaded=4, excluded=5),
        fetch(day(2), version="2", status="partial", error="page 3 of 4 is missing", records=5, loaded=5),
        fetch(day(3), status="failed", error="no answer within 60 s"),
    )

    assert (row["first_observed_at"], row["last_attempt_at"], row["last_complete_at"]) == (day(0), day(3), day(1))
    assert (row["last_attempt_status"], row["last_error"]) == ("failed", "no answer within 60 s")
    assert (row["last_as_of"], row["last_version"]) == (day(2), "2")
    assert (row["records"], row["loaded"], row["excluded"]) == (
        5,
        5,
        0,
    )  # of the cut-off fetch, the latest with records
    assert (row["held"], row["held_since"], row["open_prices"]) == (False, None, 0)


def test_an_old_version_that_is_fetched_late_makes_nothing_fresher() -> None:
    """The version of day 2 was looked at on day 2; later older ones were fetched to fill history."""
    row = source(
        fetch(day(2), as_of=day(2), version="2"),
        fetch(day(5), as_of=day(0), version="1"),
        fetch(day(6), status="failed", version="0", error="no such file"),
    )

    assert (row["last_complete_at"], row["last_version"], row["last_attempt_at"]) == (day(2), "2", day(2))
    assert (row["last_attempt_status"], row["last_error"]) == ("complete", None)


def test_records_are_counted_with_the_reasons_of_exclusion() -> None:
    """9 = 4 + 1 + 3 + 1, and three are BYOL."""
    row = source(fetch(records=9, loaded=4, duplicates=1, excluded=3, rejected=1, exclusions={"BYOL": 3}))

    counts = [row[name] for name in ("records", "loaded", "duplicates", "excluded", "rejected")]
    assert counts == [9, 4, 1, 3, 1]
    assert row["exclusions"] == '{"BYOL":3}'


def test_a_scope_that_never_answered_has_an_attempt_and_nothing_else() -> None:
    """It is listed: an absence that nobody sees is the worst of all."""
    row = source(fetch(status="failed", error="403"))

    assert (row["last_attempt_status"], row["last_complete_at"], row["records"], row["held"]) == (
        "failed",
        None,
        None,
        False,
    )


def test_a_held_run_says_since_when_and_why() -> None:
    """Held on days 1 and 3; a cut-off fetch between them and a failed one after don't end the run."""
    held = {"effective_status": "held"}
    fetches = [
        fetch(day(0)),
        fetch(day(1), held_reason="lacks 30 of 40", **held),
        fetch(day(2), status="partial"),
        fetch(day(3), held_reason="lacks 31 of 40", **held),
        fetch(day(4), status="failed", error="no answer"),
    ]
    row = source(*fetches)
    released = source(*fetches, fetch(day(5)))

    assert (row["held"], row["held_since"], row["held_reason"]) == (True, day(1), "lacks 31 of 40")
    assert (released["held"], released["held_since"], released["held_reason"]) == (False, None, None)


def test_an_older_run_of_held_fetches_is_over() -> None:
    """Held on day 1, whole on day 2, held again on day 3: since day 3. One before any complete fetch counts."""
    held = {"effective_status": "held", "held_reason": "lacks all"}

    assert source(fetch(day(0)), fetch(day(1), **held), fetch(day(2)), fetch(day(3), **held))["held_since"] == day(3)
    assert source(fetch(day(1), **held))["held_since"] == day(1)


def test_open_and_missing_prices_are_counted_by_scope() -> None:
    """Two open, one of them missing; one ended; one of another scope."""
    prices = [
        price("1"),
        price("2", instance_type="g6.xlarge", missing_since=day(1)),
        price("3", instance_type="g5.xlarge", valid_to=day(1), close_reason="absent"),
        price("4", region_id="us-west-2"),
    ]
    rows = published("sources", *prices)

    assert {row["scope"]: (row["open_prices"], row["missing_now"]) for row in rows} == {
        "us-east-1": (2, 1),
        "us-west-2": (1, 0),
    }


def test_a_reject_says_whether_it_is_still_there() -> None:
    """It stands until a complete fetch lacks it: the complete one of day 0 and the partial one of day 2 had it."""
    rows = published(
        "rejected_rows",
        fetches=[fetch(day(0)), fetch(day(2), status="partial"), fetch(day(3), status="failed")],
        rejects=[
            reject("unit Quantity", record='{"n": 1}', instance_type="p5.48xlarge", partial_seen_at=day(2)),
            reject("unit Quantity", record='{"n": 2}', last_seen_at=day(-1)),
            reject("unit Quantity", record='{"n": 3}'),
        ],
    )

    assert [(row["record"], row["still_there"], row["last_seen_at"]) for row in rows] == [
        ('{"n": 1}', True, day(2)),
        ('{"n": 2}', False, day(-1)),
        ('{"n": 3}', True, day(0)),
    ]
    assert (rows[0]["instance_type"], rows[1]["instance_type"]) == ("p5.48xlarge", None)


def test_sizes_are_listed_with_what_is_on_sale() -> None:
    """One that is on sale in two places, one that was, one that never was, a second name, a promotional name."""
    prices = [
        price("1"),
        price("1", region_id="us-west-2", purchase_option="spot", zone_id="usw2-az1"),
        price("1", instance_type="g2.2xlarge", valid_to=day(1), close_reason="absent", last_seen_at=START),
    ]
    with warehouse_with(prices, [fetch(day(2)), fetch(day(2), scope="us-west-2")]) as connection:
        build(connection, "instance_types")
        rows = {row["instance_type"]: row for row in table(connection, "from instance_types")}

    sold, was, never = rows["p5.48xlarge"], rows["g2.2xlarge"], rows["p6-b200.48xlarge"]
    assert (sold["regions_on_sale"], sold["purchase_options"]) == (2, ["on_demand", "spot"])
    assert (sold["first_seen_at"], sold["last_seen_at"], sold["gpu_memory_gb"]) == (START, day(2), 640)  # 8 * 80
    assert (was["regions_on_sale"], was["last_seen_at"], was["purchase_options"]) == (0, START, [])
    assert (never["first_seen_at"], never["gpu_model"], never["gpu_count"]) == (None, "B200", 8)
    assert rows["Standard_ND96asr_A100_v4"]["priced_as"] == "Standard_ND96asr_v4"
    assert rows["Standard_ND96asr_v4"]["priced_as"] == "Standard_ND96asr_v4"
    assert rows["Standard_NC6_Promo"]["priced_as"] is None
    assert len(rows) == 192


def test_gpus_and_places_are_listed_with_what_is_on_sale() -> None:
    """H100-80GB: three sizes of AWS and Azure's own, two of which have a price; a Local Zone names its region."""
    prices = [price("1"), price("1", region_id="us-east-1-atl-1", instance_type="g4dn.2xlarge"), azure("1")]
    with warehouse_with(prices) as connection:
        build(connection, "gpu_models", "regions")
        gpus = {row["gpu_model"]: row for row in table(connection, "from gpu_models")}
        places: dict[str, dict[str, Any]] = {row["region_id"]: row for row in table(connection, "from regions")}

    h100 = gpus["H100-80GB"]
    assert {"h100", "h100-80gb"} <= set(h100["aliases"]) and "h100-nvl" not in h100["aliases"]
    # p5.4xlarge, p5.48xlarge; ND96is, isr, is_flex, is_noIB, isf, isrf
    assert (h100["instance_types"], h100["instance_types_on_sale"]) == (8, 2)
    assert (gpus["K520"]["instance_types"], gpus["K520"]["instance_types_on_sale"]) == (2, 0)
    zone = places["us-east-1-atl-1"]
    assert (zone["kind"], zone["parent_region_id"], zone["instance_types_on_sale"]) == ("local_zone", "us-east-1", 1)
    assert (places["us-east-1"]["parent_region_id"], places["us-east-1"]["instance_types_on_sale"]) == (None, 1)
    assert places["eu-west-1"]["instance_types_on_sale"] == 0
