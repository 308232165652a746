"""DescribeInstanceTypes: the accelerated types on sale in a region, as EC2 describes them.

From the table of recorded descriptions; of the fields, those that say what the machine is. What is sold in a region is
what has a recorded price on demand there, and what it sells as Capacity Blocks.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from connectors.sandbox import ec2_blocks
from connectors.sandbox.ec2_call import Call, passes
from connectors.sandbox.ec2_errors import Refusal
from connectors.sandbox.ec2_paging import Bounds, page
from connectors.sandbox.ec2_places import Scene
from connectors.sandbox.ec2_xml import Reply, Value
from connectors.sandbox.facts import read_table
from connectors.sandbox.serving import served_by_region

BOUNDS = Bounds(least=5, most=100, usual=100)
FILTERS = (
    *("bare-metal", "current-generation", "hypervisor", "instance-type", "processor-info.supported-architecture"),
    *("supported-usage-class", "vcpu-info.default-vcpus"),
)


@lru_cache(maxsize=1)
def described() -> Mapping[str, Mapping[str, str]]:
    """Recorded descriptions by type."""
    return {row["instance_type"]: row for row in read_table("ec2_types.csv")}


def describe(call: Call, scene: Scene) -> Reply:
    """The answer."""
    named = call.numbered("InstanceType")
    if named and "MaxResults" in call.parameters:
        raise Refusal(
            "InvalidParameterCombination", "The parameter instanceTypes cannot be used with the parameter maxResults"
        )
    here = _on_sale(call.region, scene)
    unknown = [name for name in named if name not in here]
    if unknown:
        raise Refusal(
            "InvalidInstanceType", f"The following supplied instance types do not exist: [{', '.join(unknown)}]"
        )
    filters = call.filters(FILTERS)
    blocks = ec2_blocks.sold_in(call.region, scene)
    found = [
        _item(described()[name], name in blocks)
        for name in named or here
        if passes(filters, _attributes(described()[name], name in blocks))
    ]
    return Reply("instanceTypeSet", *page(found, call, BOUNDS, scene.unverified))


def _on_sale(region: str, scene: Scene) -> Sequence[str]:
    """In an order that is no order of names."""
    priced = {figure.fact.instance_type for figure in served_by_region("aws", scene.day).get(region, ())}
    names = (priced | set(ec2_blocks.sold_in(region, scene))) & described().keys()
    return sorted(names, key=lambda name: name[::-1])


def _classes(row: Mapping[str, str], in_blocks: bool) -> list[str]:
    return [word for word in row["usage_classes"].split() if in_blocks or word != "capacity-block"]


def _attributes(row: Mapping[str, str], in_blocks: bool) -> Mapping[str, Sequence[str]]:
    texts = (_truth(_bare(row)), _truth(row["current"] == "yes"), row["hypervisor"], row["instance_type"])
    single = [[text] for text in (*texts, row["architecture"])]
    return dict(zip(FILTERS, [*single, _classes(row, in_blocks), [row["vcpus"]]], strict=True))


def _bare(row: Mapping[str, str]) -> bool:
    return ".metal" in row["instance_type"]


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _item(row: Mapping[str, str], in_blocks: bool) -> dict[str, Value]:
    disks = int(row["disks"] or 0)
    size = int(row["disk_gb"] or 0)
    item: dict[str, Value] = {
        "instanceType": row["instance_type"],
        "currentGeneration": row["current"] == "yes",
        "freeTierEligible": False,
        "supportedUsageClasses": _classes(row, in_blocks),
        "bareMetal": _bare(row),
        "hypervisor": row["hypervisor"] or None,
        "processorInfo": {
            "supportedArchitectures": [row["architecture"]],
            "sustainedClockSpeedInGhz": row["clock"] or None,
            "manufacturer": row["cpu_maker"] or None,
        },
        "vCpuInfo": {
            "defaultVCpus": row["vcpus"],
            "defaultCores": row["cores"] or None,
            "defaultThreadsPerCore": row["threads"] or None,
        },
        "memoryInfo": {"sizeInMiB": row["memory_mib"]},
        "instanceStorageSupported": disks > 0,
        "networkInfo": {"networkPerformance": row["network"]},
        "supportedInRegion": True,
    }
    if disks:
        disk: dict[str, Value] = {"sizeInGB": size, "count": disks, "type": "ssd"}
        item["instanceStorageInfo"] = {"totalSizeInGB": disks * size, "disks": [disk]}
    return item | _accelerator(row)


def _accelerator(row: Mapping[str, str]) -> dict[str, Value]:
    chip: dict[str, Value] = {"name": row["name"], "manufacturer": row["maker"] or None, "count": row["count"]}
    chip["memoryInfo"] = {"sizeInMiB": row["mib"]}
    if row["accelerator"] == "gpu":
        # A share of a GPU has count 0: it is one logical GPU, of which the partition size says how much.
        chip |= {"logicalGpuCount": row["logical"], "gpuPartitionSize": f"{float(row['partition'])}"}
        chip["workloadSet"] = row["workloads"].split()
        return {"gpuInfo": {"gpus": [chip], "totalGpuMemoryInMiB": int(row["logical"]) * int(row["mib"])}}
    total = int(row["count"]) * int(row["mib"])
    if row["accelerator"] == "neuron":
        chip["coreInfo"] = {"count": row["neuron_cores"], "version": row["neuron"]}
        return {"neuronInfo": {"neuronDevices": [chip], "totalNeuronDeviceMemoryInMiB": total}}
    return {"inferenceAcceleratorInfo": {"accelerators": [chip], "totalInferenceMemoryInMiB": total}}
