"""How EC2 refuses a call: a status, and XML with a code and a message."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

CONTENT_TYPE = "text/xml;charset=UTF-8"
# Code -> status and usual message. Client errors that aren't here are 400.
USUAL: Mapping[str, tuple[int, str]] = {
    "AuthFailure": (401, "AWS was not able to validate the provided access credentials"),
    "DryRunOperation": (412, "Request would have succeeded, but DryRun flag is set."),
    "InternalError": (500, "An internal error has occurred"),
    "OptInRequired": (403, "You are not subscribed to this service."),
    "RequestLimitExceeded": (503, "Request limit exceeded."),
    "Unavailable": (503, "The service is unavailable. Please try again shortly."),
    "UnauthorizedOperation": (403, "You are not authorized to perform this operation."),
}


class Refusal(Exception):
    """A call that EC2 refuses."""

    def __init__(self, code: str, message: str = "") -> None:
        self.status, usual = USUAL.get(code, (400, ""))
        self.code = code
        super().__init__(message or usual)

    def body(self, request_id: str = "00000000-0000-4000-8000-000000000000") -> bytes:
        """The XML. Unlike a good answer it has no namespace, and its RequestID begins with a capital letter."""
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>{self.code}</Code>'
            f"<Message>{escape(str(self))}</Message></Error></Errors><RequestID>{request_id}</RequestID></Response>"
        ).encode()


def missing(parameter: str) -> Refusal:
    """A call without a parameter that it needs."""
    return Refusal("MissingParameter", f"The request must contain the parameter {parameter}")


def invalid(parameter: str, value: object, why: str) -> Refusal:
    """A parameter with a value that it can't have."""
    return Refusal("InvalidParameterValue", f"Value ({value}) for parameter {parameter} is invalid. {why}")
