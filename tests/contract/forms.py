"""What is learned of a field, and the form a text has."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Text -> the form it has, the first that fits.
FORMS = {
    "empty": r"",
    "NA": r"NA",
    "Inf": r"Inf",
    "true or false": r"true|false",
    "True or False": r"True|False",
    "Yes or No": r"Yes|No",
    "instant": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
    "date": r"\d{4}-\d\d-\d\d",
    "version": r"\d{14}",
    "integer": r"-?\d+",
    "ten decimals": r"\d+\.\d{10}",
    "decimal": r"-?\d+\.\d+",
    "guid": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "path": r"/[\w./-]+",
    "address": r"https?://\S+",
    "text": r".*",
}
QUOTED_EMPTY = "empty in quotes"  # of a cell of CSV; "empty" is a bare one
# Fields whose values are a small set of words. Those met are recorded: the stand-in must know each of them.
VOCABULARIES = frozenset(
    """
    OfferTermCode TermType StartingRange EndingRange Unit Currency LeaseContractLength LeaseContractLengthUnit
    PurchaseOption OfferingClass Tenancy CapacityStatus MarketOption Granularity serviceCode serviceName
    OfferCode FormatVersion formatVersion
    BillingCurrency CustomerEntityId CustomerEntityType currencyCode reservationTerm serviceFamily serviceId type
    unitOfMeasure term unit beginRange endRange Code
    """.split()
) | {"Product Family", "Location Type", "License Model", "Operating System", "Pre Installed S/W"}


@dataclass(frozen=True)
class Learned:
    """A field of a document, as a line of the table."""

    document: str
    field: str  # column, path in JSON or element; a * stands for keys that are data and for each item of a list
    source: str  # recorded: byte for byte; recomposed: put together again by its recorder; documented; served
    position: str  # of a column or element, from 1
    presence: str  # always, sometimes; "not met" if it was empty in all that was seen, which isn't never
    quoting: str  # of the cells that aren't empty: quoted, bare
    forms: str  # words of FORMS or types of JSON, sorted, separated by " | "
    words: str  # of a field in VOCABULARIES, in the same way


@dataclass
class Met:
    """What was met of one field so far."""

    position: str = ""
    there: int = 0
    quotings: set[str] = field(default_factory=set)
    forms: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)

    def meet(self, own_form: str, word: str = "", quoting: str = "") -> None:
        """Count one sighting; a text that is empty counts as none."""
        if own_form == "empty" and quoting == "quoted":
            own_form = QUOTED_EMPTY
        self.forms.add(own_form)
        self.words |= {word} - {""}
        if own_form not in ("empty", QUOTED_EMPTY):
            self.there += 1
            self.quotings |= {quoting} - {""}

    def learned(self, document: str, name: str, source: str, of: int) -> Learned:
        """The line of the table, for a field that could have been there `of` times."""
        presence = "always" if self.there == of else "sometimes" if self.there else "not met"
        key = re.split(r" where |\.|: ", name)
        known = VOCABULARIES & ({key[0], key[-1]} if " where " not in name else {key[0]})
        words = self.words if known else ()
        return Learned(
            document, name, source, self.position, presence, joined(self.quotings), joined(self.forms), joined(words)
        )


def joined(words: set[str] | tuple[str, ...]) -> str:
    """Words in one cell."""
    return " | ".join(sorted(words))


def parted(cell: str) -> set[str]:
    """The words of a cell."""
    return set(cell.split(" | ")) - {""}


def form(text: str) -> str:
    """The form of a text."""
    return next(name for name, pattern in FORMS.items() if re.fullmatch(pattern, text, re.DOTALL))


def cells(line: str) -> Iterator[tuple[str, str]]:
    """(value, quoted or bare) of each cell of a line of CSV."""
    for match in re.finditer(r'(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))(?=,|$)', line):
        quoted, bare = match.groups()
        yield (bare, "bare") if quoted is None else (quoted.replace('""', '"'), "quoted")
