"""Points of AWS's price list and of EC2's API that no recording settles: the sandbox gives either answer."""

from dataclasses import dataclass
from typing import Literal

Gzip = Literal["never", "small", "always"]
Metal = Literal["mixed", "shared", "dedicated", "both"]
Refused = Literal["OptInRequired", "AuthFailure", "UnauthorizedOperation"]
Pages = Literal["full", "short", "empty"]
GZIP_LIMIT = 10_000_000  # bytes; CloudFront compresses nothing larger on the fly


@dataclass
class AwsUnverified:
    """How the AWS host and file are where nobody knows. The defaults are what is thought likely."""

    gzip: Gzip = "never"  # is Accept-Encoding: gzip honored: not at all, up to GZIP_LIMIT, for files of any size
    last_modified: bool = False  # is Last-Modified sent, and If-Modified-Since honored
    ranges: bool = False  # is Range honored (206), so that a broken download can go on
    missing_status: Literal[403, 404] = 403  # the status of a file that isn't there
    old_versions: bool = True  # can the files of earlier versions still be had; the index lists them either way
    # The tenancy of bare metal's own line: of each type one or both ("mixed": g5g only Dedicated, the rest both), or
    # of every type the same.
    metal_tenancy: Metal = "mixed"
    exact_duplicates: bool = False  # do pairs of products remain that differ in their SKU alone, at the same price
    new_types: bool = False  # are there types without an on-demand line of their own (p6-b300, p6e-gb200)
    # EC2: what is answered for a type that exists, but isn't sold in blocks in the region.
    type_without_blocks: Literal["empty list", "Unsupported"] = "empty list"
    region_not_enabled: Refused = "OptInRequired"  # EC2: the error of a region that the account hasn't turned on
    # EC2: does a page have as many items as asked for, or half as many, or is each other page empty, the first too.
    ec2_pages: Pages = "full"
    ec2_last_token: Literal["absent", "empty"] = "absent"  # EC2: the NextToken of the last page
    block_segments: bool = False  # EC2: does a plain block have a segment, which repeats it and tells the zone's id
    fresh_offering_ids: bool = False  # EC2: has an offering another id in each answer
    fee_in_whole_dollars: bool = False  # EC2: is an UpfrontFee "283" or "283.20"
