"""Points of the AWS price list that no recording settles: the sandbox gives either answer."""

from dataclasses import dataclass
from typing import Literal

Gzip = Literal["never", "small", "always"]
Metal = Literal["mixed", "shared", "dedicated", "both"]
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
