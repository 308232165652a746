"""People's words to the names that stand in the published tables, or the nearest of those."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from reports.errors import UnknownName
from reports.published import Published

# The words of DEFINITIONS' key; 'any' asks for all of them.
PURCHASE_OPTIONS = ("on_demand", "spot", "reserved", "savings_plan")
OPERATING_SYSTEMS = ("linux", "windows")
PROVIDERS = ("aws", "azure")
CHANGES = ("price move", "blip", "new offer", "removed offer", "announced", "coverage")
ANY = "any"
# Those in which Azure's price list can be asked for, and so those of list prices too.
CURRENCIES = (
    "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "INR", "JPY", "KRW", "NOK", "NZD", "RUB", "SEK", "TWD",
    "USD",
)  # fmt: skip


def one_of(kind: str, word: str | None, names: Sequence[str]) -> str | None:
    """`word` as it stands in the tables (`On-Demand` -> `on_demand`); None for `any` or no word.

    Raises:
        UnknownName: it is none of `names`.
    """
    if word is None or word.lower() == ANY:
        return None
    plain = {name.replace("_", "").replace(" ", ""): name for name in names}
    found = plain.get(word.lower().replace("_", "").replace("-", "").replace(" ", ""))
    if found is None:
        raise UnknownName(kind, word, (*names, ANY))
    return found


def currency(word: str) -> str | None:
    """The code of a currency, in whatever case; None for `any`.

    Raises:
        UnknownName: prices can't be had in it.
    """
    if word.lower() == ANY:
        return None
    UnknownName.unless("currency", word.upper(), CURRENCIES)
    return word.upper()


def gpu_models(published: Published, word: str) -> list[str]:
    """The models a person may mean by `word`, sorted: `h100` is H100-80GB and H100-NVL-94GB.

    Raises:
        UnknownName: no model has this name.
    """
    names = published.ask("gpu_names").as_records()
    asked = " ".join(word.lower().split())
    found = sorted({str(name["gpu_model"]) for name in names if name["word"] == asked})
    if not found:
        raise UnknownName("GPU", word, (str(name["gpu_model"]) for name in names))
    return found


def region(published: Published, pattern: str | None) -> str | None:
    """`pattern`, if a place matches it.

    Raises:
        UnknownName: none does.
    """
    if pattern is None:
        return None
    places = [str(place) for place in published.ask("region_names").column("region_id")]
    if not any(fnmatchcase(place, pattern) for place in places):
        raise UnknownName("region", pattern, places)
    return pattern


def instance_type(published: Published, name: str) -> str:
    """The size of this name, as the provider spells it.

    Raises:
        UnknownName: no size has this name.
    """
    known = {str(size).lower(): str(size) for size in published.ask("instance_type_names").column("instance_type")}
    if name.lower() not in known:
        raise UnknownName("instance type", name, known.values())
    return known[name.lower()]
