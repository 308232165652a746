"""What can go wrong when published prices are read.

    ReportError               the question can't be answered
    ├── NoPublication         nothing has been published in this home yet
    ├── PublicationUnreadable the published file is damaged or was written by a newer version
    ├── QueryFailed           DuckDB refuses the query
    ├── NothingFits           no offer can carry the load that was asked for
    ├── NoExchangeRate        prices can't be shown in another currency: no rate was ever fetched
    └── UnknownName           no such region, GPU, provider ...: the question is wrong, not the data

Every message is one line that says what to do; the command line prints it as it is.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class ReportError(Exception):
    """The question can't be answered."""


class NoPublication(ReportError):
    """Nothing has been published in this home yet."""


class PublicationUnreadable(ReportError):
    """The published file is damaged or was written by a newer version."""


class QueryFailed(ReportError):
    """DuckDB refuses the query."""


class NothingFits(ReportError):
    """No offer can carry the load that was asked for."""


class NoExchangeRate(ReportError):
    """Prices can't be shown in another currency: no rate was ever fetched, or none can be."""


class UnknownName(ReportError):
    """No such name; the message offers the nearest ones."""

    def __init__(self, kind: str, word: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        super().__init__(f"unknown {kind} '{word}'{_offer(word, names)}")

    @staticmethod
    def unless(kind: str, word: str, known: Iterable[str]) -> None:
        """Raise unless `word` is one of `known`."""
        names = set(known)
        if word not in names:
            raise UnknownName(kind, word, names)


def nearest(word: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names that look most like `word`, whatever their case; those that contain it come first."""
    spelled = {name.lower(): name for name in names}
    inside = sorted((name for name in spelled if word.lower() in name), key=len) if word else []
    alike = get_close_matches(word.lower(), spelled, n=most, cutoff=0.5)
    return [spelled[name] for name in dict.fromkeys([*inside, *alike])][:most]


def _offer(word: str, names: list[str]) -> str:
    if not names:
        return ": there are none"
    if len(names) <= 6:
        return f": it is one of {', '.join(names)}"
    near = nearest(word, names)
    return f"; did you mean {' or '.join(near)}?" if near else f"; one of {len(names)}, {', '.join(names[:3])} ..."
