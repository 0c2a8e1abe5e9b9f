"""The set-up's look at each service: does Apprise know its address, does it answer, does it let us in?

Apprise itself only says whether a service took a message; why not is seen where its requests leave this process.
"""

import importlib
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from hub.kit.setup_faults import (
    SetupError,
    SetupMalformedError,
    SetupNoNetworkError,
    SetupPermissionError,
    SetupWrongTokenError,
)
from surfaces.apprise.app import AppriseTold
from surfaces.apprise.errors import UnknownAddressError
from surfaces.apprise.render import TextPush
from surfaces.apprise.services import Services
from surfaces.apprise.settings import APPRISE, URLS

HELLO = TextPush(
    delivery_id="setup",
    title="Pulse is being set up",
    body="Suggestions will arrive here. Nothing has to be done.",
    is_alert=False,
)


async def discover(told: AppriseTold) -> dict[str, object]:
    """Tell each service that Pulse is being set up, and return the table to keep.

    Raises:
        SetupError: one did not take it; says which and why, and never its address.
        BadAppriseConfigError: Apprise is not installed.
    """
    try:
        services = Services(told.urls)
    except UnknownAddressError as error:
        raise SetupMalformedError(error.detail, fix=APPRISE.asks[0].where, field=URLS) from error
    for number in range(len(services)):
        with _watched() as seen:
            is_taken = await services.tell(number, HELLO)
        if not is_taken:
            raise _fault(f"The service at address number {number + 1}", seen)
    return {"enabled": True, **({"page": told.config.page} if told.config.page else {})}


def _fault(which: str, seen: list[int | Exception]) -> SetupError:
    last = seen[-1] if seen else None
    is_login_refused = isinstance(last, smtplib.SMTPAuthenticationError)
    if last == HTTPStatus.UNAUTHORIZED or is_login_refused:
        return SetupWrongTokenError(f"{which} does not accept what its address says of who we are.", field=URLS)
    if last == HTTPStatus.FORBIDDEN:
        detail = f"{which} knows us, and does not let us write there."
        return SetupPermissionError(detail, fix="Allow it there, then try again.", field=URLS)
    if isinstance(last, Exception):
        detail = f"{which} does not answer ({type(last).__name__})."
        return SetupNoNetworkError(detail, fix="Check this machine's network.", field=URLS)
    why = f" (status {last})" if last is not None else ""
    return SetupWrongTokenError(f"{which} did not take a message{why}.", field=URLS)


@contextmanager
def _watched() -> Iterator[list[int | Exception]]:
    """Collect how the requests and the mail log-ins of this process end, while it is open."""
    seen: list[int | Exception] = []
    requests: Any = importlib.import_module("requests")
    kept = {(requests.Session, "send"), (smtplib.SMTP, "connect"), (smtplib.SMTP, "login")}
    before = {(owner, name): getattr(owner, name) for owner, name in kept}

    def watching(call: Any) -> Any:  # noqa: ANN401  any of the three
        def watched(*args: Any, **options: Any) -> Any:  # noqa: ANN401  passed on as it is
            try:
                answer = call(*args, **options)
            except Exception as error:
                seen.append(error)
                raise
            if isinstance(answer, requests.Response):
                seen.append(answer.status_code)
            return answer

        return watched

    for (owner, name), call in before.items():
        setattr(owner, name, watching(call))
    try:
        yield seen
    finally:
        for (owner, name), call in before.items():
            setattr(owner, name, call)
