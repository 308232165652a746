"""EC2's own API as far as prices are asked of it: calls by POST, answered in XML."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from uuid import UUID

from connectors.sandbox import ec2_blocks, ec2_types
from connectors.sandbox.answer import Answer
from connectors.sandbox.ec2_call import Call, passes
from connectors.sandbox.ec2_errors import CONTENT_TYPE, Refusal
from connectors.sandbox.ec2_places import Region, Scene, regions
from connectors.sandbox.ec2_xml import Reply, Value, document

REGION_FILTERS = ("endpoint", "opt-in-status", "region-name")


def answer(call: Call, scene: Scene) -> Answer:
    """The answer to a call."""
    request_id = str(UUID(int=scene.serial, version=4))
    headers = {"Content-Type": CONTENT_TYPE, "x-amzn-RequestId": request_id}
    try:
        reply = _reply(call, scene)
    except Refusal as refusal:
        return Answer(refusal.status, refusal.body(request_id), headers)
    items = [_spoiled(item, call.region, scene) for item in reply.items]
    return Answer(200, document(call.action, replace(reply, items=items), request_id), headers)


def _reply(call: Call, scene: Scene) -> Reply:
    region = regions().get(call.region)
    if region is None or call.region in scene.faults.omitted_regions:
        raise Refusal("AuthFailure")
    if _status(call.region, region, scene) == "not-opted-in":
        raise Refusal(scene.unverified.region_not_enabled)
    if call.action not in ACTIONS:
        raise Refusal("InvalidAction", f"The action {call.action} is not valid for this web service.")
    if call.yes("DryRun"):
        raise Refusal("DryRunOperation")
    return ACTIONS[call.action](call, scene)


def _describe_regions(call: Call, scene: Scene) -> Reply:
    """All regions that the account may ask, or all there are; not enabled ones also when they are named."""
    named, filters = call.numbered("RegionName"), call.filters(REGION_FILTERS)
    there = {code: region for code, region in regions().items() if code not in scene.faults.omitted_regions}
    unknown = [code for code in named if code not in there]
    if unknown:
        raise Refusal("InvalidParameterValue", f"Invalid region names: {', '.join(unknown)}")
    items: list[Mapping[str, Value]] = []
    for code, region in there.items():
        status, endpoint = _status(code, region, scene), f"ec2.{code}.amazonaws.com"
        wanted = code in named if named else call.yes("AllRegions") or status != "not-opted-in"
        if wanted and passes(filters, dict(zip(REGION_FILTERS, ([endpoint], [status], [code]), strict=True))):
            place: list[Value] = [{"name": region.geography}]
            items.append({"regionName": code, "regionEndpoint": endpoint, "optInStatus": status, "geographySet": place})
    return Reply("regionInfo", items)


def _status(code: str, region: Region, scene: Scene) -> str:
    if not region.opt_in:
        return "opt-in-not-required"
    return "opted-in" if code in scene.opted_in else "not-opted-in"


# An action -> what answers it.
ACTIONS: Mapping[str, Callable[[Call, Scene], Reply]] = {
    "DescribeCapacityBlockOfferings": ec2_blocks.describe,
    "DescribeInstanceTypes": ec2_types.describe,
    "DescribeRegions": _describe_regions,
}


def _spoiled(item: Mapping[str, Value], region: str, scene: Scene) -> Mapping[str, Value]:
    """The item without the field that is to be missing, and with the one that is to be added."""
    faults = scene.faults
    if faults.spoiled_regions and region not in faults.spoiled_regions:
        return item
    kept = {name: value for name, value in item.items() if name != faults.missing_column}
    return kept | {faults.unknown_column: ""} if faults.unknown_column else kept
