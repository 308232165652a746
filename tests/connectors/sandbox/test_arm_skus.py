"""The SKUs of the sandbox's Azure Resource Manager."""

from typing import Any, Literal

import pytest

from connectors.sandbox import Sandbox
from connectors.sandbox.facts import REGIONS, read_table
from tests.connectors.sandbox.arm_asking import DISABLED, FIRST, SECOND, all_skus, capabilities, size, skus

EASTUS = "location eq 'eastus'"


def names(found: list[dict[str, Any]]) -> set[str]:
    """The names of GPU sizes among some SKUs."""
    return {sku["name"] for sku in found if sku["resourceType"] == "virtualMachines" and sku["name"][9:10] == "N"}


def test_every_recorded_size_is_there(arm: Sandbox) -> None:
    """812 sizes in 39 regions were recorded on 2026-08-01, with zones, restrictions and LowPriorityCapable."""
    found = {(sku["locations"][0].lower(), sku["name"]): sku for sku in all_skus(arm)[0]}
    recorded = read_table("azure_sku_places.csv")

    assert (len(recorded), len({row["region"] for row in recorded})) == (812, 39)
    for row in recorded:
        sku = found[row["region"], row["name"]]
        assert sku["locationInfo"][0]["zones"] == row["zones"].split()
        assert len(sku["restrictions"]) == int(row["restrictions"])
        assert capabilities(sku)["LowPriorityCapable"] == row["spot"]


def test_a_size_is_described_as_recorded(arm: Sandbox) -> None:
    """NC24ads_A100_v4 of westus3 on 2026-08-01: 24 vCPUs, 220 GB, zones 1 and 3, nothing restricted."""
    sku = size(arm, "westus3", "Standard_NC24ads_A100_v4")
    told = capabilities(sku)

    assert (sku["tier"], sku["size"], sku["family"]) == ("Standard", "NC24ads_A100_v4", "StandardNCADSA100v4Family")
    assert (told["vCPUs"], told["MemoryGB"], told["GPUs"], told["CpuArchitectureType"]) == ("24", "220", "1", "x64")
    assert (sku["locations"], sku["restrictions"]) == (["westus3"], [])
    assert [(info["location"], info["zones"]) for info in sku["locationInfo"]] == [("westus3", ["1", "3"])]
    assert sku["locationInfo"][0]["zoneDetails"][0]["Name"] == ["1", "3"]


def test_a_restricted_size_is_present_all_the_same(arm: Sandbox) -> None:
    """NC4as_T4_v3 of eastus had two restrictions: of the location and of its zones. Another subscription has none."""
    restrictions = size(arm, "eastus", "Standard_NC4as_T4_v3")["restrictions"]

    assert [one["type"] for one in restrictions] == ["Location", "Zone"]
    assert {one["reasonCode"] for one in restrictions} == {"NotAvailableForSubscription"}
    assert restrictions[1]["restrictionInfo"] == {"locations": ["eastus"], "zones": ["1", "2", "3"]}
    assert size(arm, "eastus", "Standard_NC4as_T4_v3", subscription=SECOND)["restrictions"] == []


def test_a_quota_restricts_a_trial(arm: Sandbox) -> None:
    """The third subscription may use no GPU size, for its quota's sake, and every other SKU."""
    for sku in skus(arm, EASTUS, DISABLED).json()["value"]:
        assert [one["reasonCode"] for one in sku["restrictions"]] == ["QuotaId"] * len(names([sku]))


def test_one_restriction_is_of_the_location_where_there_are_no_zones(arm: Sandbox) -> None:
    """ND96isr_H100_v5 of westus, which has no zones, had one."""
    (restriction,) = size(arm, "westus", "Standard_ND96isr_H100_v5")["restrictions"]

    assert restriction["type"] == "Location"
    assert "zones" not in restriction["restrictionInfo"]


@pytest.mark.parametrize(
    ("region", "name", "gpus"),
    [
        ("eastus", "Standard_ND96isr_H100_v5", "12"),  # it has 8 (Azure/azure-cli#31176)
        ("eastus", "Standard_NC48ads_A100_v4", "1"),  # it has 2
        ("eastus", "Standard_NV6ads_A10_v5", "1"),  # it has a sixth
        ("westus3", "Standard_ND128isr_GB300_v6", None),  # none is told
        ("eastus", "Standard_NC6s_v3", "1"),
    ],
)
def test_gpus_are_as_wrong_as_they_were_met(arm: Sandbox, region: str, name: str, gpus: str | None) -> None:
    """The capability says what public reports say it does, and is missing where it is."""
    assert capabilities(size(arm, region, name)).get("GPUs") == gpus


def test_a_constrained_size_has_fewer_cores_than_it_says(arm: Sandbox) -> None:
    """M128-64ms: vCPUs 128, of which 32 are available, as recorded in 2020, though its name says 64."""
    told = capabilities(size(arm, "eastus", "Standard_M128-64ms"))

    assert (told["vCPUs"], told["vCPUsAvailable"]) == ("128", "32")


def test_what_is_no_machine_stands_between(arm: Sandbox) -> None:
    """Disks, snapshots, hosts and availability sets, some without size, family or capabilities."""
    found = {sku["resourceType"]: sku for sku in all_skus(arm, EASTUS)[0]}

    assert set(found) == {"virtualMachines", "disks", "snapshots", "hostGroups/hosts", "availabilitySets"}
    assert not {"size", "family", "capabilities"} & set(found["snapshots"])


def test_a_filter_finds_one_region(arm: Sandbox) -> None:
    """In any case, and each item is of one region. Together with the others it is the list without a filter."""
    found, _ = all_skus(arm, "Location EQ 'EastUS'")
    everywhere = [sku for sku in all_skus(arm)[0] if sku["locations"][0].lower() == "eastus"]

    assert found == everywhere
    assert all(len(sku["locations"]) == 1 for sku in found)


@pytest.mark.parametrize("wanted", ["resourceType eq 'virtualMachines'", f"{EASTUS} and name eq 'x'", "location"])
def test_no_other_filter_is_known(arm: Sandbox, wanted: str) -> None:
    """400 with JSON."""
    answer = skus(arm, wanted)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "InvalidFilter")


@pytest.mark.parametrize(("answers", "status"), [("empty", 200), ("refused", 400)])
def test_a_location_that_is_not_there(arm: Sandbox, answers: Literal["empty", "refused"], status: int) -> None:
    """Nobody knows: no SKUs, or a 400."""
    arm.arm_unverified.unknown_location = answers
    answer = skus(arm, "location eq 'atlantis'")

    assert answer.status_code == status
    assert answer.json().get("value", []) == []


def test_regions_without_a_record_have_what_is_priced_there(arm: Sandbox) -> None:
    """GPU prices were recorded of 52 regions, SKUs of 39 of them, and swedensouth has neither.

    francesouth's one price is of ND96ams_A100_v4, which no recorded answer describes: no SKU stands for it.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for sku in all_skus(arm)[0]:
        found.setdefault(sku["locations"][0].lower(), []).append(sku)

    assert len(REGIONS["azure"]) == 52
    assert [region for region in REGIONS["azure"] if not names(found[region])] == ["francesouth"]
    assert found["swedensouth"] and not names(found["swedensouth"])


def test_some_spell_their_region_in_capitals(arm: Sandbox) -> None:
    """WestUS3 and westus3, in locations, locationInfo and restrictions alike; or all in small letters."""
    found, _ = all_skus(arm, "location eq 'westus3'")
    spelled = {sku["locations"][0] for sku in found}
    arm.arm_unverified.capital_locations = False

    assert spelled == {"westus3", "WestUS3"}
    assert all(sku["locationInfo"][0]["location"] == sku["locations"][0] for sku in found)
    assert {sku["locations"][0] for sku in all_skus(arm, "location eq 'westus3'")[0]} == {"westus3"}


@pytest.mark.parametrize(("way", "keys"), [("Name", {"Name"}), ("name", {"name"}), ("both", {"Name", "name"})])
def test_zone_details_in_each_spelling(arm: Sandbox, way: Literal["Name", "name", "both"], keys: set[str]) -> None:
    """Recorded are `Name`, and `Name` beside an empty `name`; documented is `name`."""
    arm.arm_unverified.zone_names = way
    (details,) = size(arm, "westus3", "Standard_NC24ads_A100_v4")["locationInfo"][0]["zoneDetails"]

    assert set(details) == {"capabilities", *keys}
    assert details["capabilities"] == [{"name": "UltraSSDAvailable", "value": "True"}]


def test_edge_zones_are_told_to_who_asks(arm: Sandbox) -> None:
    """eastus2's twin of a size in attatlanta1 is there with includeExtendedLocations alone."""
    wanted = "location eq 'eastus2'"
    plain, extended = all_skus(arm, wanted)[0], all_skus(arm, wanted, includeExtendedLocations="true")[0]
    added = [sku for sku in extended if sku not in plain]

    assert [sku["locationInfo"][0]["extendedLocations"] for sku in added] == [["attatlanta1"]]
    assert len(extended) == len(plain) + 1


def test_pages_follow_each_other(arm: Sandbox) -> None:
    """With 40 a page, the links lead through all of eastus, each SKU once, and keep filter and version."""
    with Sandbox(page_size=40) as small:
        found, pages = all_skus(small, EASTUS)
        link = skus(small, EASTUS).json()["nextLink"]

    assert found == all_skus(arm, EASTUS)[0]
    assert pages == -(-len(found) // 40) > 1
    assert "api-version=2021-07-01" in link and "%24filter" in link or "$filter=location%20eq%20%27eastus%27" in link


@pytest.mark.parametrize(("way", "shown"), [("absent", {}), ("null", {"nextLink": None}), ("empty", {"nextLink": ""})])
def test_the_last_page_has_no_link(
    arm: Sandbox, way: Literal["absent", "null", "empty"], shown: dict[str, Any]
) -> None:
    """Nobody knows how it is missing."""
    arm.arm_unverified.last_link = way
    content = skus(arm, EASTUS).json()
    del content["value"]

    assert content == shown


def test_links_go_round(arm: Sandbox) -> None:
    """A page that links to itself, and pages that lead back to the first."""
    with Sandbox(page_size=40) as small:
        small.faults.arm.link_loop = "itself"
        assert all_skus(small, EASTUS)[1] == 50
        small.faults.arm.link_loop = "back"
        assert all_skus(small, EASTUS)[1] == 50


def test_a_sku_can_come_twice(arm: Sandbox) -> None:
    """Each page but the first begins with the last SKU of the one before."""
    with Sandbox(page_size=40) as small:
        small.faults.arm.border_shift = -1
        found, pages = all_skus(small, EASTUS)

    assert len(found) == len(all_skus(arm, EASTUS)[0]) + pages - 1
    assert found[39] == found[40]


def test_links_can_lead_elsewhere(arm: Sandbox) -> None:
    """To a host that isn't ours."""
    with Sandbox(page_size=40) as small:
        small.faults.arm.link_host = "https://management.example.com"
        link = skus(small, EASTUS).json()["nextLink"]

    assert link.startswith(f"https://management.example.com/subscriptions/{FIRST}/providers/Microsoft.Compute/skus?")


def test_what_may_be_missing_or_too_much(arm: Sandbox) -> None:
    """A size in a region, a whole region, a field; a field nobody knows; and values that are numbers."""
    faults = arm.faults
    faults.arm.without_skus.add(("eastus", "Standard_NC4as_T4_v3"))
    faults.omitted_regions.add("westus3")
    faults.unknown_column, faults.missing_column = "carbon", "family"
    faults.arm.values_as_numbers = True
    found, _ = all_skus(arm, EASTUS)

    assert "Standard_NC4as_T4_v3" not in names(found)
    assert skus(arm, "location eq 'westus3'").json()["value"] == []
    assert all("carbon" in sku and "family" not in sku for sku in found)
    assert capabilities(size(arm, "eastus", "Standard_NC6s_v3"))["vCPUs"] == 6.0


def test_full_has_the_other_sizes(arm: Sandbox) -> None:
    """All 104 (13 series of 8) of the price list more than small, in each region."""
    with Sandbox(size="full") as full:
        assert len(all_skus(full, EASTUS)[0]) == len(all_skus(arm, EASTUS)[0]) + 104
