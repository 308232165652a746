"""Recorded answers of DescribeInstanceTypes -> ec2_types.csv: accelerated types as EC2 itself describes them.

From the dump in moto 5.2.5; types that are older than it from the rows of aws_types.csv. Used only to build the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from connectors.sandbox.recorded_types import OLDER_GPUS, aws_types, descriptions

DESCRIBED_COLUMNS = (
    *("instance_type", "current", "hypervisor", "usage_classes", "architecture", "clock", "cpu_maker"),
    *("vcpus", "cores", "threads", "memory_mib", "disks", "disk_gb", "network"),
    *("accelerator", "name", "maker", "count", "logical", "partition", "mib", "workloads", "neuron_cores", "neuron"),
)
# Maker and name as EC2 tells them, by family. Source of g2 and p3: recorded answers of 2020; of the others:
# aws.amazon.com/ec2/instance-types, previous generations.
OLDER_NAMES: Mapping[str, tuple[str, str]] = {
    "dl1": ("Habana", "Gaudi HL-205"),
    "g2": ("NVIDIA", "K520"),
    "g3": ("NVIDIA", "M60"),
    "g3s": ("NVIDIA", "M60"),
    "g4ad": ("AMD", "Radeon Pro V520"),
    "p2": ("NVIDIA", "K80"),
    "p3": ("NVIDIA", "V100"),
}
STILL_CURRENT = ("dl1", "g4ad")
WITHOUT_SPOT = ("g2",)


def aws_described(folder: Path) -> Iterator[list[str]]:
    """Rows of ec2_types.csv, sorted by type."""
    rows = [_row(entry) for entry in descriptions(folder).values()]
    rows += [_older(row) for row in aws_types(folder) if row[0] in OLDER_GPUS]
    yield from sorted(rows)


def _row(entry: Mapping[str, Any]) -> list[str]:
    cpu, vcpus = entry["ProcessorInfo"], entry["VCpuInfo"]
    disks = entry.get("InstanceStorageInfo", {}).get("Disks", [{"Count": "", "SizeInGB": ""}])[0]
    cells = (
        *(entry["InstanceType"], _word(entry["CurrentGeneration"]), entry.get("Hypervisor", "")),
        *(" ".join(entry["SupportedUsageClasses"]), cpu["SupportedArchitectures"][0]),
        *(cpu.get("SustainedClockSpeedInGhz", ""), cpu.get("Manufacturer", "")),
        *(vcpus["DefaultVCpus"], vcpus.get("DefaultCores", ""), vcpus.get("DefaultThreadsPerCore", "")),
        *(entry["MemoryInfo"]["SizeInMiB"], disks["Count"], disks["SizeInGB"]),
        entry["NetworkInfo"]["NetworkPerformance"],
        *_accelerator(entry),
    )
    return [str(cell) for cell in cells]


def _accelerator(entry: Mapping[str, Any]) -> Sequence[object]:
    if "GpuInfo" in entry:
        gpu = entry["GpuInfo"]["Gpus"][0]
        share = (gpu["LogicalGpuCount"], f"{gpu['GpuPartitionSize']:g}")
        memory = (gpu["MemoryInfo"]["SizeInMiB"], " ".join(sorted(gpu["Workloads"])))
        return ("gpu", gpu["Name"], gpu["Manufacturer"], gpu["Count"], *share, *memory, "", "")
    if "NeuronInfo" in entry:
        chip = entry["NeuronInfo"]["NeuronDevices"][0]
        cores = (chip["CoreInfo"]["Count"], chip["CoreInfo"]["Version"])
        return ("neuron", chip["Name"], "", chip["Count"], "", "", chip["MemoryInfo"]["SizeInMiB"], "", *cores)
    chip = entry["InferenceAcceleratorInfo"]["Accelerators"][0]
    mib = chip["MemoryInfo"]["SizeInMiB"]
    return ("inference", chip["Name"], chip["Manufacturer"], chip["Count"], "", "", mib, "", "", "")


def _older(row: Sequence[str]) -> list[str]:
    name, _, vcpu, memory, _, network, gpu, gpu_memory = row
    family = name.split(".")[0]
    maker, chip = OLDER_NAMES[family]
    mib = int(gpu_memory.split()[0]) * 1024 // int(gpu)
    classes = "on-demand" if family in WITHOUT_SPOT else "on-demand spot"
    head = [name, _word(family in STILL_CURRENT), "", classes, "x86_64", "", "", vcpu, "", ""]
    machine = [str(int(float(memory.split()[0]) * 1024)), "", "", network]
    return [*head, *machine, "gpu", chip, maker, gpu, gpu, "1", str(mib), "", "", ""]


def _word(yes: bool) -> str:
    return "yes" if yes else "no"
