"""A call of EC2's query protocol: a form in the body of a POST, signed for a region by an account's key."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from urllib.parse import parse_qsl

from connectors.sandbox.ec2_errors import Refusal, invalid, missing

# AWS4-HMAC-SHA256 Credential=AKID/20260720/us-east-1/ec2/aws4_request, SignedHeaders=..., Signature=...
CREDENTIAL = re.compile(r"AWS4-HMAC-SHA256 .*?Credential=([^/]+)/\d{8}/([^/]+)/ec2/aws4_request")


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked, of which region, with whose key; region and key are "" if it isn't signed."""

    action: str
    region: str
    key: str
    parameters: Mapping[str, str] = field(hash=False)

    @property
    def target(self) -> str:
        """How the list of requests shows it: action and region, then all other parameters as they came."""
        words = [f"Action={self.action}", f"region={self.region}", *(f"{n}={v}" for n, v in self.parameters.items())]
        return " ".join(["POST /", *words])

    def text(self, name: str) -> str:
        """A parameter that must be there."""
        if not self.parameters.get(name):
            raise missing(name)
        return self.parameters[name]

    def number(self, name: str, otherwise: int | None = None) -> int:
        """A whole number; it must be there if there is no other."""
        if otherwise is not None and name not in self.parameters:
            return otherwise
        text = self.text(name)
        if not re.fullmatch(r"-?\d{1,9}", text):
            raise invalid(name, text, "Expecting an integer.")
        return int(text)

    def yes(self, name: str) -> bool:
        """A switch, off unless it says true."""
        return self.parameters.get(name, "").lower() == "true"

    def moment(self, name: str) -> datetime | None:
        """A time in UTC."""
        if name not in self.parameters:
            return None
        try:
            found = datetime.fromisoformat(self.parameters[name])
        except ValueError:
            raise invalid(name, self.parameters[name], "Expecting an ISO 8601 date.") from None
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)

    def numbered(self, prefix: str, suffix: str = "") -> list[str]:
        """The values of `prefix.1suffix`, `prefix.2suffix` and so on, in their order."""
        shape = re.compile(rf"{re.escape(prefix)}\.(\d+){re.escape(suffix)}")
        found = [(int(match[1]), value) for name, value in self.parameters.items() if (match := shape.fullmatch(name))]
        return [value for _, value in sorted(found)]

    def filters(self, known: Iterable[str]) -> dict[str, list[str]]:
        """Values by the name of the filter, which must be a known one."""
        found: dict[str, list[str]] = {}
        for place, name in enumerate(self.numbered("Filter", ".Name"), 1):
            if name not in known:
                raise Refusal("InvalidParameterValue", f"The filter '{name}' is invalid")
            found[name] = self.numbered(f"Filter.{place}.Value")
        return found


def passes(filters: Mapping[str, Iterable[str]], attributes: Mapping[str, Iterable[str]]) -> bool:
    """Does each filter have a value, with * and ? as wildcards, that one of the attribute's texts is?"""
    return all(
        any(fnmatchcase(text, value) for text in attributes[name] for value in values)
        for name, values in filters.items()
    )


def call_of(headers: Mapping[str, str], body: bytes) -> Call:
    """The call in a request; headers by names such as Authorization."""
    form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    signed = CREDENTIAL.match(headers.get("Authorization", ""))
    key, region = signed.groups() if signed else ("", "")
    action = form.pop("Action", "")
    form.pop("Version", None)
    return Call(action, region, key, form)
