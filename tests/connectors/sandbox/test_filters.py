"""The filter language of the Azure retail price list."""

import pytest

from connectors.sandbox.filters import Dialect, FilterError, compile_filter

ITEM = {
    "serviceName": "Virtual Machines",
    "armRegionName": "eastus",
    "armSkuName": "Standard_NC24ads_A100_v4",
    "type": "Consumption",
    "productName": "Dave's Series Windows",
}
SENSITIVE = Dialect(case_sensitive=True)


def holds(text: str, dialect: Dialect = SENSITIVE) -> bool:
    """True if the item passes the filter."""
    return compile_filter(text, dialect).passes(ITEM)


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


@pytest.mark.parametrize("type_name", [True, False])
def test_the_price_type_may_have_two_names(type_name: bool) -> None:
    """The documented name is priceType; whether the response field's name, type, filters too is not known."""
    dialect = Dialect(case_sensitive=True, type_name=type_name)

    assert holds("priceType eq 'Consumption'", dialect)
    if type_name:
        assert holds("type eq 'Consumption'", dialect) and not holds("type eq 'Reservation'", dialect)
    else:
        with pytest.raises(FilterError):
            holds("type eq 'Consumption'", dialect)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("armRegionName ne 'eastus'", False),
        ("armRegionName ne 'westus'", True),
        ("armRegionName in ('westus', 'eastus')", True),
        ("armRegionName in ('westus')", False),
        ("armSkuName gt 'Standard_M' and armSkuName lt 'Standard_O'", True),
        ("armSkuName ge 'Standard_NC24ads_A100_v4' and armSkuName le 'Standard_NC24ads_A100_v4'", True),
    ],
)
def test_more_operators_work_or_are_refused(text: str, passes: bool) -> None:
    """Nobody has told whether ne, gt, ge, lt, le and in work."""
    assert holds(text, Dialect(case_sensitive=True, more_operators=True)) is passes
    with pytest.raises(FilterError):
        holds(text)


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("armRegionName eq 'eastus' and startswith(armSkuName,'Standard_N')", {"eastus"}),
        ("startswith(armSkuName,'Standard_N') and (armRegionName eq 'a' or armRegionName eq 'b')", {"a", "b"}),
        ("armRegionName eq 'a' and armRegionName eq 'b'", set()),
        ("armRegionName eq 'a' or startswith(armSkuName,'Standard_N')", None),
        ("contains(armRegionName,'us')", None),
    ],
)
def test_a_filter_tells_the_only_regions_it_can_find(text: str, regions: set[str] | None) -> None:
    """So no other region is looked at."""
    assert compile_filter(text, Dialect(case_sensitive=True)).regions == regions


def test_values_are_case_sensitive_only_when_asked() -> None:
    """2023-01-01-preview tells 'virtual machines' from 'Virtual Machines', older versions don't."""
    assert not holds("serviceName eq 'virtual machines'")
    assert holds("serviceName eq 'virtual machines'", Dialect(case_sensitive=False))
    assert holds("startswith(armSkuName,'STANDARD_nc')", Dialect(case_sensitive=False))


@pytest.mark.parametrize("more_operators", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "not(contains(productName,'Windows'))",  # known to answer 400
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
def test_a_malformed_filter_is_refused(text: str, more_operators: bool) -> None:
    """Unknown operators, fields and broken syntax are an error, never an empty answer."""
    with pytest.raises(FilterError):
        compile_filter(text, Dialect(case_sensitive=True, more_operators=more_operators))
