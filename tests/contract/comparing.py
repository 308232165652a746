"""How the stand-in's documents differ from the recorded and documented ones."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.contract.forms import QUOTED_EMPTY, Learned, parted


class Difference(NamedTuple):
    """One thing about one field that is not as recorded."""

    document: str
    field: str
    what: str


Key = tuple[str, str]


def differences(
    recorded: Iterable[Learned], documented: Iterable[Learned], served: Iterable[Learned]
) -> set[Difference]:
    """What differs in the documents that are served. A recording goes before the documentation, which adds to it."""
    theirs = {(row.document, row.field): row for row in recorded}
    told = {(row.document, row.field): row for row in documented}
    own = {(row.document, row.field): row for row in served}
    found: set[Difference] = set()
    for key in theirs.keys() | told.keys() | own.keys():
        if key[0] in {document for document, _ in own}:
            for what in _of_field(key, theirs.get(key), told.get(key), own.get(key)):
                found.add(Difference(*key, what))
    return found


def _of_field(key: Key, recorded: Learned | None, told: Learned | None, served: Learned | None) -> Iterator[str]:
    known = recorded or told
    if known is None:
        if " where " not in key[1]:  # the lines of a word that nobody recorded may look as they like
            yield "nobody recorded it"
        return
    if served is None:
        if known.presence != "sometimes" or recorded is not None:
            yield "missing"
        return
    if known.position != served.position:
        yield f"position {served.position or 'none'}, recorded {known.position or 'none'}"
    if QUOTED_EMPTY in parted(served.forms) - parted(known.forms):
        yield f"form {QUOTED_EMPTY} is not recorded"
    if known.presence == "not met" and " where " not in key[1]:
        return  # empty in lines of any kind says nothing about the next; of one kind it is what tells the kinds apart
    if known.presence != served.presence:
        yield f"{served.presence}, recorded {known.presence}"
    if known.quoting and served.quoting and known.quoting != served.quoting:
        yield f"{served.quoting}, recorded {known.quoting}"
    forms = parted(served.forms) - {QUOTED_EMPTY}
    if recorded is not None:
        yield from (f"lacks form {form}" for form in sorted(parted(recorded.forms) - forms))
    known_forms = parted(known.forms) | (parted(told.forms) if told else set())
    if not known_forms & {"text", "string text"}:
        yield from (f"form {form} is not recorded" for form in sorted(forms - known_forms))
    words = parted(known.words) | (parted(told.words) if told else set())
    yield from (f"lacks word {word}" for word in sorted(words - parted(served.words)))
