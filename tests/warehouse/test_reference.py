"""The reference tables: GPUs, the sizes that have them, places, and people's words for them."""

import csv
from collections import Counter
from datetime import datetime
from decimal import Decimal
from math import gcd
from pathlib import Path

import pytest

from tests.warehouse.price_rows import fetch, published, table
from warehouse.database import REFERENCE_DIR, open_warehouse

Rows = list[dict[str, str]]


def read(name: str) -> Rows:
    """The rows of a reference file, as text."""
    with (REFERENCE_DIR / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


SIZES = {(row["provider"], row["instance_type"]): row for row in read("instance_types")}
FACTS = {(row["provider"], row["instance_type"]): row for row in read("instance_sizes")}
MODELS = {row["gpu_model"]: row for row in read("gpu_models")}

# fmt: off
KNOWN_SIZES = [
    # EC2 DescribeInstanceTypes (moto 5.2.5): 2861 MiB of 22888 is an eighth; Count is 0 there
    ("aws", "g6f.large", "L4", 1, 8), ("aws", "g6f.xlarge", "L4", 1, 8),
    ("aws", "g6f.2xlarge", "L4", 1, 4), ("aws", "g6f.4xlarge", "L4", 1, 2), ("aws", "gr6f.4xlarge", "L4", 1, 2),
    # the same dump: 12xlarge is 4 GPUs on these and 2 on those
    ("aws", "g4dn.12xlarge", "T4", 4, 1), ("aws", "g5.12xlarge", "A10G", 4, 1), ("aws", "g6.12xlarge", "L4", 4, 1),
    ("aws", "g6e.12xlarge", "L40S", 4, 1), ("aws", "g7.12xlarge", "RTX-PRO-4500", 2, 1),
    ("aws", "g7e.12xlarge", "RTX-PRO-6000", 2, 1),
    # Name is V100, A100 and NVIDIA in that dump, which doesn't tell 16 from 32, 40 from 80, or what it is
    ("aws", "p3.16xlarge", "V100-16GB", 8, 1), ("aws", "p3dn.24xlarge", "V100-32GB", 8, 1),
    ("aws", "p4d.24xlarge", "A100-40GB", 8, 1), ("aws", "p4de.24xlarge", "A100-80GB", 8, 1),
    ("aws", "p5.4xlarge", "H100-80GB", 1, 1), ("aws", "p5.48xlarge", "H100-80GB", 8, 1),
    ("aws", "p5e.48xlarge", "H200-141GB", 8, 1), ("aws", "p5en.48xlarge", "H200-141GB", 8, 1),
    # 740 GB of 185: four, though a public table says 36
    ("aws", "p6e-gb200.36xlarge", "GB200", 4, 1), ("aws", "p6-b300.48xlarge", "B300", 8, 1),
    ("aws", "g4dn.metal", "T4", 8, 1), ("aws", "g5g.16xlarge", "T4G", 2, 1), ("aws", "p2.16xlarge", "K80", 16, 1),
    # MicrosoftDocs: 4, 8, 12 of 24 GB; the SKU API says 1 for each
    ("azure", "Standard_NV6ads_A10_v5", "A10", 1, 6), ("azure", "Standard_NV12ads_A10_v5", "A10", 1, 3),
    ("azure", "Standard_NV18ads_A10_v5", "A10", 1, 2), ("azure", "Standard_NV36adms_A10_v5", "A10", 1, 1),
    ("azure", "Standard_NV72ads_A10_v5", "A10", 2, 1), ("azure", "Standard_NV4as_v4", "MI25", 1, 8),
    ("azure", "Standard_NV4ads_V710_v5", "V710", 1, 6), ("azure", "Standard_NG8ads_V620_v1", "V620", 1, 4),
    # the SKU API says 12 and 1 for these
    ("azure", "Standard_ND96isr_H100_v5", "H100-80GB", 8, 1),
    ("azure", "Standard_NC48ads_A100_v4", "A100-PCIe-80GB", 2, 1),
    # three families of A100
    ("azure", "Standard_ND96asr_v4", "A100-40GB", 8, 1), ("azure", "Standard_ND96amsr_A100_v4", "A100-80GB", 8, 1),
    # the PCIe pair, not the 80 GB module
    ("azure", "Standard_NC40ads_H100_v5", "H100-NVL-94GB", 1, 1),
    ("azure", "Standard_NC80adis_H100_v5", "H100-NVL-94GB", 2, 1),
    ("azure", "Standard_NCC40ads_H100_v5", "H100-NVL-94GB", 1, 1),
    # no accelerator in the name, none in the SKU API
    ("azure", "Standard_NC6s_v3", "V100-PCIe-16GB", 1, 1), ("azure", "Standard_ND128isr_NDR_GB200_v6", "GB200", 4, 1),
    ("azure", "Standard_ND96is_MI300X_v5", "MI300X", 8, 1),
    ("azure", "Standard_NC36ds_xl_RTXPRO6000BSE_v6", "RTX-PRO-6000", 1, 4),
]
# fmt: on


@pytest.mark.parametrize(("provider", "instance_type", "gpu_model", "numerator", "denominator"), KNOWN_SIZES)
def test_a_size_has_this_gpu_and_this_much_of_it(
    provider: str, instance_type: str, gpu_model: str, numerator: int, denominator: int
) -> None:
    """Sizes that public tables or the providers' own APIs get wrong."""
    size = SIZES[provider, instance_type]

    assert (size["gpu_model"], int(size["gpu_numerator"]), int(size["gpu_denominator"])) == (
        gpu_model,
        numerator,
        denominator,
    )


def test_sizes_are_whole_or_a_fraction_in_lowest_terms_of_a_known_gpu() -> None:
    """192 sizes, each named once: 83 of AWS and 109 of Azure."""
    fractions = [(int(size["gpu_numerator"]), int(size["gpu_denominator"])) for size in SIZES.values()]

    assert Counter(provider for provider, _ in SIZES) == {"aws": 83, "azure": 109}
    assert len(read("instance_types")) == len(SIZES)
    assert {size["gpu_model"] for size in SIZES.values()} == set(MODELS)
    assert all(gcd(*fraction) == 1 for fraction in fractions)
    assert {fraction for fraction in fractions if fraction[1] > 1} == {(1, 8), (1, 6), (1, 4), (1, 3), (1, 2)}


@pytest.mark.parametrize(
    ("size", "vcpus", "memory_gib", "network", "burst", "nvme"),
    [
        # EC2 DescribeInstanceTypes (moto 5.2.5): 32 cards of 100 Gbit/s; 8 disks of 3800 GB
        (("aws", "p5.48xlarge"), "192", "2048", "3200", "3200", "30400"),
        (("aws", "g6.48xlarge"), "192", "768", "100", "100", "7520"),
        (("aws", "g5.xlarge"), "4", "16", "2.5", "10", "250"),  # "Up to 10 Gigabit": 2.5 that last
        (("aws", "p3.2xlarge"), "8", "61", "", "10", "0"),  # "Up to 10 Gigabit", EBS only; what lasts isn't told
        # Resource SKUs of 2026-08-01, and Microsoft's size pages: 80000 Mbps, 28 TiB of NVMe = 28 x 1.0995 TB
        (("azure", "Standard_ND96isr_H100_v5"), "96", "1900", "80", "80", "30786"),
        (("azure", "Standard_ND96isr_H200_v5"), "96", "1850", "80", "80", "30786"),
        (("azure", "Standard_ND96isr_MI300X_v5"), "96", "1850", "80", "80", "30786"),
        # its size page says 160 Mbps, the specification beside it 160 Gbps
        (("azure", "Standard_ND128isr_NDR_GB200_v6"), "128", "864", "160", "160", "16000"),
        # the page of the preview: 25000 Mbps; lds has half the memory of ds
        (("azure", "Standard_NC32ds_xl_RTXPRO6000BSE_v6"), "32", "128", "25", "25", ""),
        (("azure", "Standard_NC64lds_xl_RTXPRO6000BSE_v6"), "64", "128", "50", "50", ""),
        (("azure", "Standard_NV6ads_A10_v5"), "6", "55", "5", "5", ""),
        (("azure", "Standard_NC128ds_xl_RTXPRO6000BSE_v6"), "128", "512", "75", "75", ""),
        (("azure", "Standard_ND96asr_A100_v4"), "96", "900", "24", "24", ""),  # another name of ND96asr_v4
    ],
)
def test_a_size_has_what_a_buyer_checks(
    size: tuple[str, str], vcpus: str, memory_gib: str, network: str, burst: str, nvme: str
) -> None:
    """As the provider states it; where nobody recorded it the cell is empty, never a guess."""
    row = FACTS[size]

    assert (row["vcpus"], row["memory_gib"]) == (vcpus, memory_gib)
    assert (row["network_gbps"], row["network_burst_gbps"], row["local_nvme_gb"]) == (network, burst, nvme)


def test_every_size_has_a_line_of_what_a_buyer_checks() -> None:
    """15 of 192 have no public record of CPUs and memory: new names of Azure, and the one UltraServer."""
    assert FACTS.keys() == SIZES.keys()
    assert len(read("instance_sizes")) == len(FACTS)
    unknown = [size for size, row in FACTS.items() if not row["vcpus"]]
    assert Counter(provider for provider, _ in unknown) == {"aws": 1, "azure": 14}


def test_what_a_buyer_checks_is_published_with_the_training_rules() -> None:
    """ND96isr: 1900 / (8 x 80) = 2.97 of memory, 96 / 8 = 12 CPUs a GPU; NV6ads: 55 / (24 / 6) = 13.75, 6 x 6 = 36.

    NC A100 has 220 / 80 = 2.75 and 20 Gbit/s: enough memory, too little network. g6f.large: 8 / (24 / 8) = 2.67.
    """
    names = (
        "Standard_ND96isr_H100_v5",
        "Standard_NV6ads_A10_v5",
        "Standard_NC24ads_A100_v4",
        "g5.xlarge",
        "p3.2xlarge",
    )
    found = {row["instance_type"]: row for row in published("instance_types")}
    h100, sixth, a100, a10g, v100 = (found[name] for name in names)

    assert (h100["memory_to_gpu_memory_ratio"], h100["vcpus_per_gpu"]) == (pytest.approx(2.96875), 12)
    assert (sixth["memory_to_gpu_memory_ratio"], sixth["vcpus_per_gpu"]) == (13.75, 36)
    assert (h100["meets_memory_rule"], h100["meets_network_rule"]) == (True, True)
    assert (a100["meets_memory_rule"], a100["meets_network_rule"]) == (True, False)
    assert (a10g["memory_to_gpu_memory_ratio"], a10g["meets_memory_rule"]) == (pytest.approx(16 / 24), False)
    assert v100["meets_network_rule"] is None  # 10 Gbit/s for some time, what lasts isn't known


@pytest.mark.parametrize(
    ("instance_type", "day", "availability"),
    [
        ("Standard_NV12s_v3", "2026-09-30", "retiring"),  # retires on 30 September 2026
        ("Standard_NV12s_v3", "2026-10-01", "retired"),
        ("Standard_NC6s_v3", "2026-08-01", "retired"),  # 30 September 2025
        ("Standard_NC24rs_v3", "2025-10-01", "retired"),  # named in the same notice
        ("Standard_NC6", "2023-09-06", "retiring"),  # put off from 31 August 2022 to 6 September 2023
        ("Standard_ND24rs", "2023-09-07", "retired"),
        ("Standard_NC24rs_v2", "2023-09-07", "retired"),
        ("Standard_NV6_Promo", "2023-09-07", "retired"),
        ("Standard_NV6s_v2", "2026-08-01", "sold"),  # no notice names NVv2, and two regions price it in 2026
        ("p5.48xlarge", "2026-08-01", "sold"),
    ],
)
def test_a_size_retires_on_its_day(instance_type: str, day: str, availability: str) -> None:
    """Judged at the moment the release speaks for; the price list may still name it."""
    rows = published("instance_types", fetches=[fetch(datetime.fromisoformat(day))])

    assert next(row["availability"] for row in rows if row["instance_type"] == instance_type) == availability


def test_tensor_cores_are_told_where_there_are_any() -> None:
    """A100 432, H100 528 (132 multiprocessors of 4); none before Volta, and of three nobody tells."""
    cores = {name: model["tensor_cores"] for name, model in MODELS.items()}

    assert (cores["A100-80GB"], cores["H100-80GB"], cores["MI300X"]) == ("432", "528", "1216")
    assert {name for name, count in cores.items() if count == "0"} == {
        name for name, model in MODELS.items() if not model["fp16_tensor_dense_tflops"]
    }
    assert {name for name, count in cores.items() if count == ""} == {"GB200", "RTX-PRO-4500", "V710"}
    assert all(model["typical_use"] for model in MODELS.values())


def test_gpus_are_named_by_what_changes_their_price() -> None:
    """31 devices; SXM and PCIe, and sizes of memory, are apart."""
    assert len(MODELS) == len(read("gpu_models")) == 31
    assert {"A100-40GB", "A100-80GB", "A100-PCIe-80GB"} <= MODELS.keys()
    assert {"V100-16GB", "V100-32GB", "V100-PCIe-16GB"} <= MODELS.keys()
    assert {"H100-80GB", "H100-NVL-94GB", "H200-141GB", "MI300X", "T4", "T4G", "A10", "A10G"} <= MODELS.keys()


@pytest.mark.parametrize(
    ("gpu_model", "memory_gb", "fp16", "fp8"),
    [
        ("H100-80GB", "80", "989.5", "1979"),  # the data sheet prints 1979 and 3958, with sparsity
        ("L40S", "48", "362", "733"),  # 733 and 1466
        ("A10G", "24", "70", ""),  # 70, 140 with sparsity; 125 is the A10
        ("A100-PCIe-80GB", "80", "312", ""),  # Ampere has no FP8
        ("V710", "24", "55.3", ""),  # Azure exposes 24 of the card's 28
        ("B200", "179", "2250", "4500"),  # 183359 MiB
    ],
)
def test_rates_are_dense_and_memory_is_what_the_provider_exposes(
    gpu_model: str, memory_gb: str, fp16: str, fp8: str
) -> None:
    """Half of what vendors print where they print the sparse rate."""
    model = MODELS[gpu_model]

    assert (model["memory_gb"], model["fp16_tensor_dense_tflops"], model["fp8_dense_tflops"]) == (memory_gb, fp16, fp8)


def test_gpus_without_tensor_or_matrix_cores_have_no_tensor_rate() -> None:
    """Their FP16 runs on the vector units: P100 18.7, MI25 24.6 and V620 40.6 TFLOPS are no tensor rates."""
    without = {name for name, model in MODELS.items() if not model["fp16_tensor_dense_tflops"]}

    assert without == {"K520", "K80", "M60", "P40", "P100", "V520", "V620", "MI25"}
    assert all(float(model["fp32_tflops"]) > 0 for model in MODELS.values())


@pytest.mark.parametrize(
    ("word", "models"),
    [
        ("h100", {"H100-80GB", "H100-NVL-94GB"}),
        ("a100", {"A100-40GB", "A100-80GB", "A100-PCIe-80GB"}),
        ("v100", {"V100-16GB", "V100-32GB", "V100-PCIe-16GB"}),
        ("a100-80gb", {"A100-80GB"}),  # our own name means itself
        ("a100 80gb", {"A100-80GB", "A100-PCIe-80GB"}),
        ("a10", {"A10"}),
        ("a10g", {"A10G"}),
        ("h200", {"H200-141GB"}),
        ("rtx pro 6000", {"RTX-PRO-6000"}),
        ("rtx pro server 6000", {"RTX-PRO-6000"}),  # what DescribeInstanceTypes calls it
        ("l40s", {"L40S"}),
        ("m60", {"M60"}),
        ("mi300x", {"MI300X"}),
        ("t4g", {"T4G"}),  # DescribeInstanceTypes: T4g
        ("h100nvl", {"H100-NVL-94GB"}),  # gpuhunt
        ("v100-32gb", {"V100-32GB"}),  # SkyPilot
        ("nvidia tesla v100", {"V100-16GB", "V100-32GB", "V100-PCIe-16GB"}),  # vantage, for p3 and p3dn alike
        ("nvidia t4 tensor core", {"T4"}),
        ("rtx 6000 pro blackwell", {"RTX-PRO-6000"}),
        ("gb200 nvl72", {"GB200"}),
    ],
)
def test_peoples_words_mean_one_or_more_models(word: str, models: set[str]) -> None:
    """`h100` is two devices; a buyer is told which were meant."""
    assert {row["gpu_model"] for row in read("gpu_aliases") if row["alias"] == word} == models


def test_every_word_is_lower_case_and_means_a_model_and_every_model_has_a_word() -> None:
    """Each of our own names, in lower case, means that model alone."""
    words: dict[str, set[str]] = {}
    for row in read("gpu_aliases"):
        words.setdefault(row["alias"], set()).add(row["gpu_model"])

    assert all(word == word.lower().strip() for word in words)
    assert set.union(*words.values()) == set(MODELS)
    assert all(words[name.lower()] == {name} for name in MODELS)
    assert len(read("gpu_aliases")) == sum(len(models) for models in words.values())


def test_a_second_name_of_a_size_leads_to_a_size_or_out() -> None:
    """Azure prices sizes under names its own SKU list doesn't know; promotional names have no price of their own."""
    aliases = {row["alias"]: row["instance_type"] for row in read("instance_aliases")}

    assert aliases["Standard_NG32adms_V620"] == "Standard_NG32adms_V620_v1"
    assert aliases["Standard_ND96asr_A100_v4"] == "Standard_ND96asr_v4"
    assert {alias for alias, target in aliases.items() if not target} == {
        f"Standard_{size}_Promo" for size in ("NC6", "NC12", "NC24", "NC24r", "NV6", "NV12", "NV24")
    }
    targets = {target for target in aliases.values() if target}
    assert targets.isdisjoint(aliases)
    assert all(("azure", target) in SIZES for target in targets)


def test_places_are_regions_or_zones_of_a_region() -> None:
    """122 regions, 34 Local Zones and 32 Wavelength Zones; a zone is in its parent's partition."""
    rows = read("regions")
    places = {(row["provider"], row["region_id"]): row for row in rows}

    assert len(places) == len(rows)
    assert Counter(row["kind"] for row in rows) == {"region": 122, "local_zone": 34, "wavelength_zone": 32}
    assert [row["region_id"] for row in rows if row["canary"] == "true"] == ["centraluseuap", "eastus2euap"]
    for row in rows:
        assert -90 <= float(row["latitude"]) <= 90 and -180 <= float(row["longitude"]) <= 180
        assert (row["kind"] == "region") == (not row["parent_region_id"])
        if row["parent_region_id"]:
            parent = places[row["provider"], row["parent_region_id"]]
            assert (parent["kind"], parent["partition"]) == ("region", row["partition"])
            assert row["region_id"].startswith(f"{parent['region_id']}-")


def test_a_place_keeps_its_columns_though_a_city_has_a_comma() -> None:
    """Japan East is "Tokyo, Saitama" at 139.7595 degrees east: no number slips into the partition."""
    (row,) = (row for row in read("regions") if row["region_id"] == "japaneast")

    assert (row["city"], row["longitude"], row["partition"]) == ("Tokyo, Saitama", "139.7595", "azure")


@pytest.mark.parametrize(
    ("provider", "name", "region_id"),
    [
        ("aws", "EU (Ireland)", "eu-west-1"),  # the price list
        ("aws", "Europe (Ireland)", "eu-west-1"),  # everything else of AWS
        ("aws", "AWS GovCloud (US)", "us-gov-west-1"),
        ("aws", "AWS GovCloud (US-West)", "us-gov-west-1"),
        ("azure", "US East", "eastus"),
        ("azure", "EU West", "westeurope"),
        ("azure", "West Europe", "westeurope"),
        ("azure", "CH West", "switzerlandwest"),
    ],
)
def test_a_region_is_found_by_the_name_a_price_list_gives_it(provider: str, name: str, region_id: str) -> None:
    """Both spellings lead to the one code."""
    found = [
        row["region_id"]
        for row in published("regions")
        if row["provider"] == provider and name.lower() in (row["display_name"].lower(), *row["other_names"])
    ]

    assert found == [region_id]


def test_no_two_regions_share_a_name() -> None:
    """A display name is the name of one region, and no other region's other name."""
    names = [(row["provider"], row["display_name"].lower()) for row in read("regions")]
    names += [(row["provider"], row["alias"]) for row in read("region_aliases")]
    regions = {(row["provider"], row["region_id"]) for row in read("regions")}

    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert {(row["provider"], row["region_id"]) for row in read("region_aliases")} <= regions
    assert all(row["alias"] == row["alias"].lower().strip() for row in read("region_aliases"))


def test_every_partition_has_a_currency_and_azure_germany_is_closed() -> None:
    """China is priced in CNY; the home regions are us-east-1 and eastus."""
    partitions = {row["partition"]: row for row in read("partitions")}

    assert partitions.keys() == {row["partition"] for row in read("regions")}
    assert {name for name, row in partitions.items() if row["currency"] == "CNY"} == {"aws-cn", "azure-china"}
    assert {row["home_region_id"] for row in partitions.values() if row["home_region_id"]} == {"us-east-1", "eastus"}
    assert "azure-germany" not in partitions


def test_what_is_no_gpu_matches_no_size_of_the_table() -> None:
    """Neuron, Gaudi, FPGA and media families; `Standard_NP` must not take a GPU size with it."""
    patterns = [(row["provider"], row["pattern"]) for row in read("not_gpus")]

    assert {"inf2", "trn1", "dl1", "vt1", "f1", "Standard_NP", "Standard_NM"} <= {pattern for _, pattern in patterns}
    for provider, pattern in patterns:
        family = pattern if provider == "azure" else f"{pattern}."
        assert [name for owner, name in SIZES if owner == provider and name.startswith(family)] == []


@pytest.mark.parametrize("path", sorted(REFERENCE_DIR.glob("*.csv")), ids=lambda path: path.stem)
def test_every_row_says_where_it_comes_from(path: Path) -> None:
    """The last column of each file: a source, or the reason of a decision."""
    rows = read(path.stem)
    told = "reason" if "source" not in rows[0] else "source"

    assert all(row[told].strip() for row in rows)


def test_the_warehouse_loads_them_with_numbers_as_numbers() -> None:
    """Fractions are integers, memory is exact, an empty cell is NULL."""
    with open_warehouse(":memory:") as connection:
        (size,) = table(connection, "from ref_instance_types where instance_type = 'Standard_NV6ads_A10_v5'")
        (model,) = table(connection, "from ref_gpu_models where gpu_model = 'P100'")
        (band,) = table(connection, "from ref_gpu_price_bands where gpu_model = 'T4'")

    assert (size["gpu_numerator"], size["gpu_denominator"]) == (1, 6)
    assert (model["memory_gb"], model["fp16_tensor_dense_tflops"], model["release_year"]) == (16, None, 2016)
    assert (band["lowest_price_per_gpu_hour"], band["highest_price_per_gpu_hour"]) == (Decimal("0.5"), Decimal("1.2"))
