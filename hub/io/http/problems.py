"""Errors and refusals as RFC 9457 problem documents."""

from http import HTTPStatus

import msgspec
from starlette.responses import Response

from hub.contract.api import Problem
from hub.contract.errors import PulseError
from hub.domain.requests import Refused
from hub.io.http.errors import NotSignedInError, OutOfScopeError
from hub.io.http.session_errors import ProofStaleError

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:pulse:error:"
RETRY_AFTER_S = 1
_JSON_HEADERS = ((b"cache-control", b"no-store"), (b"content-type", b"application/json"))
_encoder = msgspec.json.Encoder()


class Json(Response):
    """An answer in JSON that nobody may keep; its few headers are put together without the detours of the base."""

    def __init__(self, body: bytes, status: int) -> None:  # sets all that the base class would
        self.status_code = status
        self.body = body
        self.background = None
        self.raw_headers = [*_JSON_HEADERS, (b"content-length", b"%d" % len(body))]


def problem_of(error: PulseError | Refused, instance: str = "") -> Problem:
    """Return the document of an error or refusal; `instance` is the path that was asked for."""
    refused = error if isinstance(error, Refused) else None
    is_invalid = refused is None and error.status == HTTPStatus.UNPROCESSABLE_ENTITY
    return Problem(
        type=TYPE_PREFIX + error.code,
        title=title(error.status),
        status=error.status,
        code=error.code,
        detail=error.detail,
        fix=error.fix,
        instance=instance,
        errors=(error.detail,) if is_invalid else (),
        settled=refused.settled if refused else None,
        prediction=refused.prediction if refused else None,
        look=refused.look if refused else "",
    )


def response_of(error: PulseError | Refused, instance: str = "") -> Response:
    """Return the HTTP answer of an error or refusal."""
    problem = problem_of(error, instance)
    return Response(
        _encoder.encode(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=_headers(error)
    )


def bytes_of(error: PulseError) -> bytes:
    """Return the document alone, for where there is no application yet to answer."""
    return _encoder.encode(problem_of(error))


def title(status: int) -> str:
    """Return the standard words for a status."""
    return HTTPStatus(status).phrase


def _headers(error: PulseError | Refused) -> dict[str, str]:
    headers = {"cache-control": "no-store"}
    if isinstance(error, ProofStaleError):
        headers["dpop-nonce"] = error.nonce
        headers["www-authenticate"] = 'DPoP realm="pulse", error="use_dpop_nonce"'
    if isinstance(error, NotSignedInError):
        headers["www-authenticate"] = 'Bearer realm="pulse"'
    if isinstance(error, OutOfScopeError):
        headers["www-authenticate"] = 'Bearer realm="pulse", error="insufficient_scope"'
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["retry-after"] = str(RETRY_AFTER_S)
    return headers
