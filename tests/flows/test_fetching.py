"""One attempt at one scope: whatever happens, a manifest says so."""

from pathlib import Path

import pytest

from connectors import SOURCES, aws_price_list, azure_retail_prices
from connectors.errors import SourceChanged, SourceError, SourceIncomplete, SourceUnavailable
from flows.fetching import Listed, base_url, fetch_scope, known_regions, known_types, list_scopes
from flows.settings import Settings
from flows.wanted import Wanted, source_named
from reports.errors import NoExchangeRate, UnknownName
from tests.flows.tiny_source import APRIL, JUNE, Answer, TinySource, april, april_2025, fetch_all, settings_at
from warehouse.landing import Landing, Manifest

SCOPE = "us-east-1"


def manifests(home: Path) -> list[Manifest]:
    """What has landed of the scope, in order."""
    return Landing(home / "landing").manifests("aws_price_list", SCOPE)


def test_a_complete_fetch_lands_with_its_counts(tmp_path: Path) -> None:
    """Five lines (two on demand, three of two reservations) in, five records landed, as of the file's publication."""
    manifest = fetch_scope(april_2025(), SCOPE, settings_at(tmp_path, JUNE))

    assert (manifest.status, manifest.lines_read, manifest.records) == ("complete", 5, 5)
    assert (manifest.as_of, manifest.version, manifest.predicate) == (APRIL, "20250428132231", "1")
    assert 0 <= (manifest.observed_at - JUNE).total_seconds() < 60
    assert manifests(tmp_path) == [manifest]


def test_a_known_version_is_not_fetched_again(tmp_path: Path) -> None:
    """The second attempt leaves a manifest `unchanged` that stands for the same records."""
    source = april_2025()
    first = fetch_scope(source, SCOPE, settings_at(tmp_path, APRIL))
    second = fetch_scope(source, SCOPE, settings_at(tmp_path, JUNE))

    assert source.known[SCOPE][0] == "20250428132231"
    assert (second.status, second.lines_read, second.sha256) == ("unchanged", 0, first.sha256)


def test_another_predicate_reads_the_version_again(tmp_path: Path) -> None:
    """Under another rule of what is landed, the version we have says nothing about what is missing of it."""
    source = april_2025()
    fetch_scope(source, SCOPE, settings_at(tmp_path, APRIL))
    source.predicate = "2"
    fetch_scope(source, SCOPE, settings_at(tmp_path, JUNE))

    assert source.known[SCOPE][0] is None


def test_what_came_before_a_feed_stopped_short_is_kept(tmp_path: Path) -> None:
    """The manifest is `partial` with those records and the reason; the error is told all the same."""
    source = april_2025()
    source.answers[SCOPE] = Answer(april(SCOPE)[:2], stop=SourceIncomplete("cut after 2 lines"))

    with pytest.raises(SourceIncomplete, match="cut after 2 lines"):
        fetch_scope(source, SCOPE, settings_at(tmp_path, APRIL))
    (manifest,) = manifests(tmp_path)
    assert (manifest.status, manifest.records, manifest.error) == ("partial", 2, "cut after 2 lines")


@pytest.mark.parametrize(
    "answer",
    [
        SourceUnavailable("no answer"),
        Answer(april(SCOPE), stop=SourceChanged("a column is gone")),
        Answer([], stop=SourceIncomplete("cut at once")),
    ],
    ids=["never came", "can't be trusted", "nothing came"],
)
def test_an_attempt_that_brought_nothing_is_failed(tmp_path: Path, answer: Answer | SourceError) -> None:
    """No records, the reason, and as of when we asked."""
    source = april_2025()
    source.answers[SCOPE] = answer

    with pytest.raises(SourceError) as raised:
        fetch_scope(source, SCOPE, settings_at(tmp_path, JUNE))
    (manifest,) = manifests(tmp_path)
    assert (manifest.status, manifest.records, manifest.sha256) == ("failed", 0, "")
    assert manifest.error == str(raised.value)
    assert manifest.as_of == manifest.observed_at


def test_a_list_that_cannot_be_had_is_a_failed_attempt_at_each_known_scope(tmp_path: Path) -> None:
    """So the freshness of each scope shows it; a scope never seen has no freshness."""
    source = april_2025()
    fetch_scope(source, SCOPE, settings_at(tmp_path, APRIL))
    source.listing = SourceUnavailable("no network")

    with pytest.raises(SourceUnavailable):
        list_scopes(source, source.provider, settings_at(tmp_path, JUNE))
    assert [(m.status, m.error) for m in manifests(tmp_path)] == [
        ("complete", None),
        ("failed", "no list of scopes: no network"),
    ]
    assert Landing(tmp_path / "landing").scopes() == [("aws_price_list", SCOPE)]


def test_a_list_that_cannot_be_had_fails_only_what_was_asked_for(tmp_path: Path) -> None:
    """Of three scopes one was wanted: the others were not tried, and no manifest says so."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    source.listing = SourceUnavailable("no network")

    with pytest.raises(SourceUnavailable):
        list_scopes(source, source.provider, settings_at(tmp_path, JUNE), Wanted(regions=["us-east-*"]))
    attempts = {scope: len(Landing(tmp_path / "landing").manifests(source.name, scope)) for scope in source.answers}
    assert attempts == {"eu-west-1": 1, "us-east-1": 2, "us-west-2": 1}


def test_a_scope_that_left_the_list_is_a_failed_attempt_at_it(tmp_path: Path) -> None:
    """Each look at the list leaves a manifest; it is news once, and again after it was back."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    settings = settings_at(tmp_path, JUNE)
    left = source.answers.pop(SCOPE)

    assert list_scopes(source, source.provider, settings, Wanted(regions=["eu-*"])).gone == []  # not asked about
    assert list_scopes(source, source.provider, settings).gone == [SCOPE]
    assert list_scopes(source, source.provider, settings).gone == []
    errors = ["no longer listed by the feed"] * 2
    assert [m.error for m in manifests(tmp_path) if m.status == "failed"] == errors

    source.answers[SCOPE] = left
    assert list_scopes(source, source.provider, settings).gone == []
    fetch_scope(source, SCOPE, settings)
    del source.answers[SCOPE]
    assert list_scopes(source, source.provider, settings).gone == [SCOPE]


def test_a_damaged_manifest_does_not_stop_the_listing(tmp_path: Path) -> None:
    """The fold names it; here its scope is one that we know, and the others are asked."""
    source = april_2025()
    fetch_all(source, settings_at(tmp_path, APRIL))
    (path,) = Landing(tmp_path / "landing").folder(source.name, SCOPE).glob("*.json")
    path.write_text("{")
    del source.answers[SCOPE]

    listed = list_scopes(source, source.provider, settings_at(tmp_path, JUNE))
    assert (listed.scopes, listed.gone) == (["eu-west-1", "us-west-2"], [SCOPE])


def test_one_provider_source_or_region_can_be_chosen() -> None:
    """Regions by name or pattern, whatever follows in the scope."""
    scopes = ["eastus/USD", "eastus2/USD", "westeurope/USD"]

    assert [source.name for source in Wanted(provider="azure").sources()] == [
        "azure_retail_prices",
        "azure_china_price_sheet",
    ]
    assert [source.name for source in Wanted(source="aws_price_list").sources()] == ["aws_price_list"]
    assert Wanted(regions=["eastus"]).scopes(scopes) == ["eastus/USD"]
    assert Wanted(regions=["east*", "westeurope"]).scopes(scopes) == scopes
    assert Wanted().scopes(scopes) == scopes


def test_the_public_partitions_are_asked_unless_others_are_named() -> None:
    """Each provider's own; a pattern may name several, and one that fits none is said."""

    def places(*partitions: str, provider: str | None = None) -> list[tuple[str, str]]:
        wanted = Wanted(provider=provider, partitions=partitions)
        return [(source.name, partition) for source, partition in wanted.places()]

    assert places() == [
        ("aws_price_list", "aws"),
        ("aws_savings_plans", "aws"),
        ("aws_capacity_blocks", "aws"),
        ("azure_retail_prices", "azure"),
    ]
    assert places("aws-cn") == [("aws_price_list", "aws-cn"), ("aws_savings_plans", "aws-cn")]
    assert places("*-us-gov", provider="azure") == [("azure_retail_prices", "azure-us-gov")]
    with pytest.raises(UnknownName, match=r"unknown partition 'aws-mars'.*aws-eusc"):
        places("aws-mars")
    with pytest.raises(UnknownName, match=r"unknown partition 'aws-cn': it is one of azure, azure-china, azure-us-gov"):
        places("aws-cn", provider="azure")


def test_each_partition_lists_its_own_scopes(tmp_path: Path) -> None:
    """What has landed of China is neither missed by the public list nor asked with it."""
    source = TinySource({SCOPE: Answer(april(SCOPE)), "cn-north-1": Answer([])})
    source.hosts = {"aws": "https://tiny.invalid", "aws-cn": "https://tiny.invalid.cn"}
    settings = settings_at(tmp_path, APRIL)
    for scope in source.answers:
        fetch_scope(source, scope, settings)

    assert list_scopes(source, "aws", settings) == Listed([SCOPE], [])
    assert list_scopes(source, "aws-cn", settings) == Listed(["cn-north-1"], [])
    addresses = [Landing(settings.landing).manifests(source.name, scope)[0].address for scope in source.answers]
    assert addresses == [f"https://tiny.invalid/{SCOPE}", "https://tiny.invalid.cn/cn-north-1"]


def test_a_currency_is_asked_for_once_wanted_and_ever_after(tmp_path: Path) -> None:
    """One region's prices in euro tell the rate. It is no region more, and what is filtered by region has it too."""
    source = azure_retail_prices.SOURCE
    settings = settings_at(tmp_path, JUNE)
    wanted = Wanted(regions=["westus3"], currencies=["EUR"])
    before = list_scopes(source, "azure", settings).scopes
    asked = list_scopes(source, "azure", settings, wanted).scopes

    assert [scope for scope in asked if scope not in before] == ["eastus/EUR"]
    assert wanted.scopes(asked) == ["eastus/USD", "westus3/USD", "eastus/EUR"]
    Landing(settings.landing).write(
        source=source.name, scope="eastus/EUR", observed_at=JUNE, status="complete", records=[{"a": "b"}]
    )
    assert list_scopes(source, "azure", settings) == Listed([*before, "eastus/EUR"], [])
    assert list_scopes(source, "azure-us-gov", settings, wanted).scopes == [
        "usgovarizona/USD",
        "usgovtexas/USD",
        "usgovvirginia/USD",
    ]
    with pytest.raises(UnknownName, match="unknown currency 'EURO'; did you mean EUR"):
        Wanted(currencies=["EURO"]).require_currencies()


def test_another_host_is_set_by_a_name_of_its_own() -> None:
    """A stand-in for the public host is none for China's."""
    source = aws_price_list.SOURCE
    settings = Settings(base_urls={"aws_price_list": "http://here/", "aws_price_list_aws_cn": "http://there"})

    assert [base_url(source, partition, settings) for partition in source.hosts] == [
        "http://here",
        "http://here",
        "http://here",
        "http://there",
    ]
    assert base_url(source, "aws-cn", Settings()) == "https://pricing.cn-north-1.amazonaws.com.cn"


def test_what_does_not_exist_is_answered_with_the_nearest() -> None:
    """A provider, a source of another provider, a region."""
    with pytest.raises(UnknownName, match=r"unknown provider 'gcp': it is one of aws, azure"):
        Wanted(provider="gcp").sources()
    with pytest.raises(
        UnknownName, match=r"unknown source 'aws_price_list': it is one of azure_china_price_sheet, azure_ret"
    ):
        Wanted(provider="azure", source="aws_price_list").sources()
    with pytest.raises(UnknownName, match=r"unknown region 'us-est-1'.*us-east-1"):
        Wanted(regions=["us-est-1"]).require_known(["us-east-1", "us-west-2", "eu-west-1"])


def test_the_feeds_are_told_what_our_tables_know() -> None:
    """Types whatever the feed says of their GPUs; of regions those of the public partition that sell something."""
    assert "p5.48xlarge" in known_types("aws") and "p5.48xlarge" not in known_types("azure")
    assert {"eastus", "westeurope"} <= set(known_regions("azure"))
    assert not {"us-gov-west-1", "cn-north-1", "us-west-2-lax-1"} & set(known_regions("aws"))
    assert "eastus2euap" not in known_regions("azure")  # a canary region
    assert "eastus3" not in known_regions("azure")  # announced: in no recorded price list


def test_a_source_is_found_by_its_name() -> None:
    """The name is all that a task is given."""
    for source in SOURCES:
        assert source_named(source.name) is source


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(provider="aws", currencies=["EUR"]),
        Wanted(source="aws_price_list", currencies=["EUR"]),
        Wanted(partitions=["azure-china"], currencies=["EUR"]),
    ],
)
def test_a_currency_that_nothing_asked_has_a_rate_of_is_said(wanted: Wanted) -> None:
    """It would be left out without a word, and the next question in EUR would say that no rate is known."""
    with pytest.raises(NoExchangeRate, match="exchange rates come from azure_retail_prices of azure"):
        wanted.require_currencies()
    Wanted(provider="azure", currencies=["EUR"]).require_currencies()
