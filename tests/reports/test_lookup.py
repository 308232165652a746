"""People's words, and what stands in the tables."""

from pathlib import Path

import pytest

from reports import lookup
from reports.errors import UnknownName, nearest
from reports.published import open_published


@pytest.mark.parametrize(
    ("word", "models"),
    [
        ("H100", ["H100-80GB", "H100-NVL-94GB"]),
        ("h100", ["H100-80GB", "H100-NVL-94GB"]),
        ("NVIDIA  H100", ["H100-80GB", "H100-NVL-94GB"]),
        ("h100-nvl-94gb", ["H100-NVL-94GB"]),
        ("A100 40GB", ["A100-40GB"]),
        ("V100", ["V100-16GB", "V100-32GB", "V100-PCIe-16GB"]),
    ],
)
def test_a_gpu_in_anyones_words(home: Path, word: str, models: list[str]) -> None:
    """Case and spaces don't matter; a word may mean several models, and one of them by its name is one."""
    with open_published(home) as published:
        assert lookup.gpu_models(published, word) == models


def test_a_gpu_nobody_knows(home: Path) -> None:
    """The nearest are offered."""
    with open_published(home) as published, pytest.raises(UnknownName, match="did you mean"):
        lookup.gpu_models(published, "H-100")


@pytest.mark.parametrize("word", ["on_demand", "On-Demand", "ondemand", "on demand"])
def test_a_way_to_buy_as_people_write_it(word: str) -> None:
    """Hyphens, spaces and capitals are all the same."""
    assert lookup.one_of("purchase option", word, lookup.PURCHASE_OPTIONS) == "on_demand"


def test_any_is_no_filter() -> None:
    """Neither is saying nothing."""
    assert lookup.one_of("operating system", "any", lookup.OPERATING_SYSTEMS) is None
    assert lookup.one_of("operating system", None, lookup.OPERATING_SYSTEMS) is None


def test_a_region_by_name_or_pattern(home: Path) -> None:
    """A place in our table, sold from or not; a pattern that at least one matches."""
    with open_published(home) as published:
        assert lookup.region(published, None) is None
        assert lookup.region(published, "eastus") == "eastus"
        assert lookup.region(published, "eu-*") == "eu-*"
        with pytest.raises(UnknownName, match="unknown region 'US-EAST-1'; did you mean us-east-1"):
            lookup.region(published, "US-EAST-1")


def test_a_size_in_any_case(home: Path) -> None:
    """Azure's names are long; the provider's spelling comes back."""
    with open_published(home) as published:
        assert lookup.instance_type(published, "standard_nd96isr_h100_v5") == "Standard_ND96isr_H100_v5"


def test_the_nearest_names() -> None:
    """What contains the word first, the shortest of it; then what looks like it; never more than three."""
    names = ["us-east-1", "us-east-2", "us-west-2", "eu-west-1", "ap-southeast-1"]

    assert nearest("us-est-1", names)[0] == "us-east-1"
    assert nearest("SOUTHEAST", names)[0] == "ap-southeast-1"
    assert nearest("us-", names) == ["us-east-1", "us-east-2", "us-west-2"]
    assert nearest("zzz", names) == []


def test_few_names_are_all_told() -> None:
    """Up to six are listed; of more the nearest, or how many there are."""
    assert str(UnknownName("provider", "gcp", ["azure", "aws"])) == "unknown provider 'gcp': it is one of aws, azure"
    many = [f"name-{number}" for number in range(9)]
    assert str(UnknownName("thing", "zzz", many)) == "unknown thing 'zzz'; one of 9, name-0, name-1, name-2 ..."
    assert str(UnknownName("thing", "zzz", [])) == "unknown thing 'zzz': there are none"
