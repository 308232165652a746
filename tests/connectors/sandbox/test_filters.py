"""The filter language of the Azure retail price list."""

import pytest

from connectors.sandbox.filters import FilterError, compile_filter

ITEM = {
    "serviceName": "Virtual Machines",
    "armRegionName": "eastus",
    "armSkuName": "Standard_NC24ads_A100_v4",
    "type": "Consumption",
    "productName": "Dave's Series Windows",
}


def holds(text: str, case_sensitive: bool = True) -> bool:
    """True if the item passes the filter."""
    return compile_filter(text, case_sensitive=case_sensitive)(ITEM)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("armRegionName eq 'eastus'", True),
        ("armRegionName eq 'westus'", False),
        ("serviceName eq 'Virtual Machines' and armRegionName eq 'eastus'", True),
        ("serviceName eq 'Virtual Machines' and armRegionName eq 'westus'", False),
        ("armRegionName eq 'westus' or armRegionName eq 'eastus'", True),
        ("startswith(armSkuName,'Standard_N')", True),
        ("startswith(armSkuName, 'Standard_M')", False),
        ("contains(productName,'Windows')", True),
        ("contains(productName,'Windows') eq false", False),
        ("contains(productName, 'CloudServices') eq false", True),
        ("startswith(armSkuName,'Standard_N') eq true", True),
        ("productName eq 'Dave''s Series Windows'", True),
        ("  ( armRegionName eq 'eastus' )  ", True),
        ("meterName eq 'x'", False),  # a field the item doesn't have
    ],
)
def test_what_a_filter_means(text: str, passes: bool) -> None:
    """Each operator the service is known to have, on an item of eastus."""
    assert holds(text) is passes


def test_and_binds_stronger_than_or() -> None:
    """false and false or true is true; with parentheses, false and (false or true) is false."""
    no, yes = "armRegionName eq 'x'", "armRegionName eq 'eastus'"

    assert holds(f"{no} and {no} or {yes}")
    assert not holds(f"{no} and ({no} or {yes})")


@pytest.mark.parametrize("name", ["priceType", "type"])
def test_the_price_type_has_two_names(name: str) -> None:
    """The documented name is priceType, the response field is called type; both filter."""
    assert holds(f"{name} eq 'Consumption'")
    assert not holds(f"{name} eq 'Reservation'")


def test_values_are_case_sensitive_only_when_asked() -> None:
    """2023-01-01-preview tells 'virtual machines' from 'Virtual Machines', older versions don't."""
    assert not holds("serviceName eq 'virtual machines'")
    assert holds("serviceName eq 'virtual machines'", case_sensitive=False)
    assert holds("startswith(armSkuName,'STANDARD_nc')", case_sensitive=False)


@pytest.mark.parametrize(
    "text",
    [
        "not(contains(productName,'Windows'))",  # known to answer 400
        "armRegionName ne 'eastus'",
        "armRegionName in ('eastus')",
        "armRegionName eq eastus",
        "armRegionName eq 'eastus",
        "armRegionName eq",
        "armRegionName eq 'eastus' and",
        "(armRegionName eq 'eastus'",
        "armRegionName eq 'eastus')",
        "colour eq 'red'",
        "contains(productName)",
        "contains(productName,'x') eq maybe",
        "armRegionName = 'eastus'",
        "",
    ],
)
def test_a_malformed_filter_is_refused(text: str) -> None:
    """Unknown operators, fields and broken syntax are an error, never an empty answer."""
    with pytest.raises(FilterError):
        compile_filter(text, case_sensitive=True)
