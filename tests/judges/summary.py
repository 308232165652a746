"""What a run of the judges says: one text, for the terminal and for docs/judges.md."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tests.judges.compare import (
    MISSING_HERE,
    MISSING_THERE,
    OTHER_PRICE,
    PAST,
    Difference,
    Pair,
    Reason,
    Verdict,
    equal,
)

Explained = Sequence[tuple[Reason, Sequence[Difference]]]

AMONG = "ours among theirs"
KINDS = (AMONG, OTHER_PRICE, MISSING_THERE, MISSING_HERE)

HEAD = """\
# Judges

Written by `make judges`. SkyPilot's and gpuhunt's own fetchers read the stand-in for the clouds, and so do we; below is
each on-demand Linux price that isn't the same. The stand-in answers with prices that others recorded, on {aws}
for AWS and {azure} for Azure, and with traps around them whose prices are made up. Prices are equal within 1e-9,
which is what a float may cost.

What stands for what the judges ask of an account, and which of their functions run, is in the heads of
`tests/judges/peers/*.py`; the reasons are in `tests/judges/differences.csv`.
"""
BETWEEN = """
A pair is a region and a size. It may have several differences: a judge that takes three lines for one price has two
besides the right one. "Ours among theirs" counts the pairs for which the judge has our price too, next to others.

## Differences, by reason
"""


@dataclass(frozen=True)
class Outcome:
    """Everything a run found. `agreed`: judge -> pairs without a difference."""

    verdicts: Sequence[Verdict]
    agreed: Mapping[str, Sequence[Pair]]
    explained: Explained
    unexplained: Sequence[Difference]
    days: Mapping[str, date]

    @property
    def stale(self) -> list[Reason]:
        """Rows of the table that explain nothing."""
        return [reason for reason, found in self.explained if not found]

    def different(self, judge: str) -> list[Difference]:
        """All differences with one judge."""
        explained = [one for _, found in self.explained for one in found]
        return [one for one in (*explained, *self.unexplained) if one.judge == judge]


def as_markdown(outcome: Outcome) -> str:
    """The whole summary."""
    aws, azure = outcome.days["aws"], outcome.days["azure"]
    parts = (HEAD.format(aws=aws, azure=azure), *_counts(outcome), BETWEEN, *_reasons(outcome), *_rest(outcome))
    return "\n".join([*parts, ""])


def _counts(outcome: Outcome) -> Iterator[str]:
    yield (
        "| judge | provider | pairs compared | equal | ours among theirs | another price only | missing there "
        "| missing here | unexplained |"
    )
    yield "| --- " * 9 + "|"
    for verdict in outcome.verdicts:
        for provider in outcome.days:
            equal_pairs = sum(pair[0] == provider for pair in outcome.agreed[verdict.judge])
            pairs = _pairs_by_kind(
                verdict, [one for one in outcome.different(verdict.judge) if one.pair[0] == provider]
            )
            counts = [len(pairs[kind]) for kind in KINDS]
            left = sum((one.judge, one.pair[0]) == (verdict.judge, provider) for one in outcome.unexplained)
            cells = [
                f"{verdict.judge} {verdict.version}",
                provider,
                equal_pairs + sum(counts),
                equal_pairs,
                *counts,
                left,
            ]
            yield f"| {' | '.join(map(str, cells))} |"


def _pairs_by_kind(verdict: Verdict, differences: Sequence[Difference]) -> Mapping[str, set[Pair]]:
    """Every pair once; another price is split by whether ours is there too."""
    found: dict[str, set[Pair]] = {kind: set() for kind in KINDS}
    for one in differences:
        ours = one.ours
        among = ours is not None and any(equal(price, ours) for price in verdict.prices.get(one.pair, ()))
        found[AMONG if among else one.kind].add(one.pair)
    return found


def _reasons(outcome: Outcome) -> Iterator[str]:
    yield "| judge | provider | sizes | kind | their price | differences | why | source |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for reason, found in outcome.explained:
        for judge, count in sorted(Counter(one.judge for one in found).items()):
            sizes = reason.instance_type if reason.region == "*" else f"{reason.instance_type} in {reason.region}"
            cells = (judge, reason.provider, f"`{sizes}`", reason.kind, _price(reason.theirs), str(count))
            yield f"| {' | '.join(cells)} | {reason.why} | {reason.source} |"


def _price(theirs: str) -> str:
    if theirs == PAST:
        return "an earlier one"
    return f"{theirs[1:]} times ours" if theirs.startswith("x") else theirs


def _rest(outcome: Outcome) -> Iterator[str]:
    if outcome.stale:
        yield "\n## Rows of the table that explain nothing\n"
        for reason in outcome.stale:
            yield f"- {reason.judge}, {reason.provider}, {reason.instance_type}, {reason.kind}: {reason.why}"
    if outcome.unexplained:
        yield "\n## Unexplained\n"
        for one in outcome.unexplained:
            yield f"- {one.judge}, {' '.join(one.pair)}, {one.kind}: theirs {one.theirs}, ours {one.ours}"
