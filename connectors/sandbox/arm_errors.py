"""How Azure Resource Manager refuses a request: a status, and JSON with a code and a message.

Codes and statuses are documented; the messages are worded as they are met.
"""

import json
from collections.abc import Mapping, Sequence

from connectors.sandbox.answer import Answer

CONTENT_TYPE = "application/json; charset=utf-8"
LOGIN = "https://login.microsoftonline.com/"
# Code -> status and usual message. Others are 400.
USUAL: Mapping[str, tuple[int, str]] = {
    "AuthenticationFailed": (401, "Authentication failed. The 'Authorization' header is missing."),
    "AuthenticationFailedInvalidHeader": (
        401,
        "Authentication failed. The 'Authorization' header is provided in an invalid format.",
    ),
    "AuthorizationFailed": (403, "The client does not have authorization to perform the action over the scope."),
    "ExpiredAuthenticationToken": (401, "The access token expiry UTC time is earlier than current UTC time."),
    "GatewayTimeout": (504, "The gateway did not receive a response within the specified time period."),
    "InternalServerError": (500, "Encountered internal server error."),
    "InvalidAuthenticationToken": (401, "The access token is invalid."),
    "NotFound": (404, "The resource could not be found."),
    "RateLimiting": (429, "Please provide below info when asking for support."),
    "ServerTimeout": (503, "The request timed out."),
    "ServiceUnavailable": (503, "The service is unavailable."),
    "SubscriptionNotFound": (404, "The subscription could not be found."),
    "TooManyRequests": (429, "The request is being throttled."),
}
THROTTLED = (
    "Client application has been throttled and should not attempt to repeat the request until an amount of time "
    "has elapsed."
)


class ArmRefusal(Exception):
    """A request that Resource Manager refuses. `details` are (code, message) of what lies beneath."""

    def __init__(self, code: str, message: str = "", details: Sequence[tuple[str, str]] = ()) -> None:
        self.status, usual = USUAL.get(code, (400, ""))
        self.code = code
        self.details = details or ([(code, THROTTLED)] if code == "RateLimiting" else [])
        super().__init__(message or usual)

    def body(self) -> bytes:
        """The JSON."""
        error: dict[str, object] = {"code": self.code, "message": str(self)}
        if self.details:
            error["details"] = [{"code": code, "message": message} for code, message in self.details]
        return json.dumps({"error": error}).encode()

    def headers(self, retry_after: int | None = None) -> dict[str, str]:
        """Those beside the usual ones. A client without a good token is told where to get one."""
        found = {"Content-Type": CONTENT_TYPE}
        if self.status == 401:
            found["WWW-Authenticate"] = f'Bearer authorization_uri="{LOGIN}", error="invalid_token"'
        if self.status == 404 and self.code == "NotFound":
            found["x-ms-failure-cause"] = "gateway"
        if retry_after is not None:
            found["Retry-After"] = str(retry_after)
        return found

    def answer(self, retry_after: int | None = None) -> Answer:
        """The whole answer."""
        return Answer(self.status, self.body(), self.headers(retry_after))


def invalid_query(message: str) -> ArmRefusal:
    """A query that Resource Graph doesn't understand."""
    beneath = ("InvalidQuery", "Query is invalid. Please refer to the documentation and fix the error.")
    return ArmRefusal("BadRequest", "Please provide below info when asking for support.", [beneath, ("Query", message)])
