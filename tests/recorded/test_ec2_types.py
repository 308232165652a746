"""DescribeInstanceTypes in the sandbox says of a type what the recorded dump says."""

import json
from pathlib import Path
from typing import Any

import pytest

from connectors.sandbox import Sandbox
from tests.connectors.sandbox.ec2_asking import Account

# What a type can be bought as is the sandbox's choice of the region; of workloads the order says nothing.
NOT_COMPARED = ("SupportedUsageClasses", "Workloads")


def compare(told: Any, recorded: Any, path: str) -> int:
    """How many values are told; each must be the recorded one, in the place where that stands."""
    if isinstance(told, dict):
        names = [name for name in told if name not in NOT_COMPARED]
        return sum(compare(told[name], recorded[name], f"{path}.{name}") for name in names)
    if isinstance(told, list):
        assert len(told) == len(recorded), path
        return sum(compare(ours, theirs, path) for ours, theirs in zip(told, recorded, strict=True))
    assert told == recorded, path
    return 1


def test_each_description_is_part_of_the_recorded_one(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every type of the dump that some region sells, every field told; p5e is sold in us-east-2 as blocks alone."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    dump = json.loads((recorded / "aws/describe_instance_types/moto-5.2.5_accelerated.json").read_text())
    entries = {entry["InstanceType"]: entry for entry in dump["InstanceTypes"]}
    with Sandbox() as sandbox:
        account = Account(sandbox)
        found = {item["InstanceType"]: item for region in ("us-east-1", "us-east-2") for item in account.types(region)}

    told = {name: compare(found[name], entries[name], name) for name in found.keys() & entries.keys()}
    assert len(told) > 70
    assert min(told.values()) >= 20
