"""Recorded figures: what somebody read off a provider's own price list, with the day and the recorder.

`facts_aws.csv` and `facts_azure.csv` hold them; `build_facts.py` makes the tables.

Prices are in US dollars (of China: in yuan) an hour unless a field's comment says otherwise; times are UTC.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib.resources import files


def read_table(name: str) -> list[dict[str, str]]:
    """The rows of one of the tables beside this module."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


CHINA_PREFIX = "cn-"  # of region codes; AWS's price list of China is one of its own, "aws-cn" where a provider is named
_AWS = tuple(row["region"] for row in read_table("aws_locations.csv"))
CHINA_REGIONS = tuple(region for region in _AWS if region.startswith(CHINA_PREFIX))  # GPU prices of one are recorded
# The regions that GPU prices were recorded of, and the days on which enough was recorded to answer for. AWS in China
# is not among them: it is a feed of its own, and stands on AWS's day.
REGIONS: Mapping[str, tuple[str, ...]] = {
    "aws": tuple(region for region in _AWS if not region.startswith(CHINA_PREFIX)),
    "azure": tuple(row["region"] for row in read_table("azure_regions.csv") if row["kind"] == "public"),
}
DATES: Mapping[str, tuple[date, ...]] = {
    "aws": (date(2025, 4, 29), date(2025, 6, 5), date(2026, 7, 20)),
    "azure": (date(2025, 6, 3), date(2026, 6, 18), date(2026, 8, 1)),
}

# Short name in the table -> who recorded it, from which publication of the provider.
RECORDERS: Mapping[str, str] = {
    "karpenter-aws": "aws/karpenter-provider-aws, AWS price list, git history to 2026-07-20",
    "price-watcher": "QuinnyPig/aws-price-watcher, AWS pricing pages, 2025-04-29 and 2025-06-05",
    "vantage": "instances.vantage.sh, both providers' price lists, first half of 2025",
    "karpenter-azure": "Azure/karpenter-provider-azure, Azure retail prices, git history to 2026-06-18",
    "sku-locator": "DarrenJohns/djtools-azure-vm-sku-locator, Azure retail prices, 2026-05-02 to 2026-08-01",
    "pricing-radar": "andy-diericks/azure-pricing-radar, Azure retail prices, 2026-08-01",
}

# Marks of a fact.
EVENT = "event"  # one price in a list of changes, not part of a full recording: what is absent beside it is not gone
DATED = "dated"  # the recorder gave no day; this is the last on which its on-demand figures are also another's
SPLIT = "split"  # upfront and hourly are chosen to give the recorded effective price; the true split isn't known
TOTAL = "total"  # a whole number found from the recorded hourly figure, which it gives back to the last digit
MISFILED = "misfiled"  # recorded under another system or size than the one it is the price of

Key = tuple[str, str, str, str, str, str, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One recorded figure."""

    provider: str
    region: str
    instance_type: str
    operating_system: str = "linux"  # or windows
    purchase_option: str = "on_demand"  # or spot, low_priority, reserved, savings_plan
    offering_class: str = ""
    payment_option: str = ""
    term_months: int = 0
    price: Decimal  # an hour, all in, in the recorder's digits
    hourly: Decimal | None = None  # the hourly line of a partial upfront reservation; None where it is `price`, or 0
    upfront: Decimal | None = None  # paid once: the Quantity line on AWS, the total for the term on Azure
    beside: Decimal | None = None  # the on-demand price recorded beside a commitment
    since: date | None = (
        None  # first day on which this recorder had this figure without a break; None: the record's day
    )
    recorded_at: datetime
    recorder: str
    marks: frozenset[str] = frozenset()
    sku: str = ""  # AWS SKU where it was recorded

    @property
    def currency(self) -> str:
        """ISO 4217."""
        return "CNY" if self.region.startswith(CHINA_PREFIX) else "USD"

    @property
    def key(self) -> Key:
        """What the figure is the price of."""
        return (
            self.provider,
            self.region,
            self.instance_type,
            self.operating_system,
            self.purchase_option,
            self.offering_class,
            self.payment_option,
            self.term_months,
        )


def plain(number: Decimal | None) -> str:
    """The number without exponent and trailing zeros; '' for None."""
    return "" if number is None else format(number.normalize(), "f")


def utc(text: str) -> datetime:
    """The instant in an ISO text with an offset or Z."""
    return datetime.fromisoformat(text).astimezone(UTC)
