"""What a set-up asks for, and what can be wrong with it: four faults that a person mends in four ways. Pure.

A surface's `discover` raises them in its own process, `hub.kit.process.run` hands them over, the command asks again.
"""

import re

import msgspec

from hub.contract.base import Value
from hub.contract.errors import PulseError, UserError
from hub.kit.gateway.outcome import Doubtful, Misconfigured, Outcome, RetryLater

EXIT_SETUP_FAULT = 5
"""The exit status of a surface's program that has written a `SetupFault` to its standard output."""
FIELD_CHARS_MAX = 4_096


class SetupError(UserError):
    """The set-up cannot continue like this. The message says why."""

    code = "setup"

    def __init__(self, detail: str = "", *, fix: str = "", field: str = "", doubtful: tuple[str, ...] = ()) -> None:
        """Describe the fault; `field` is what has to be typed again, empty where nothing was typed wrongly.

        Where it may be any of several they are `doubtful`: each is asked for again, and Enter keeps it.
        """
        super().__init__(detail, fix=fix)
        self.field = field
        self.doubtful = doubtful


class SetupMalformedError(SetupError):
    """What was given cannot be right: it does not look like what was asked for. Nothing was sent."""

    code = "setup-malformed"


class SetupNoNetworkError(SetupError):
    """The service does not answer. Check the address and this machine's network."""

    code = "setup-no-network"


class SetupWrongTokenError(SetupError):
    """The service does not accept the token. Copy it again, or make a new one."""

    code = "setup-wrong-token"


class SetupPermissionError(SetupError):
    """The service accepts the token, but does not allow what Pulse needs. Grant the permission, and try again."""

    code = "setup-missing-permission"


ERRORS: dict[str, type[SetupError]] = {
    error.code: error
    for error in (SetupMalformedError, SetupNoNetworkError, SetupWrongTokenError, SetupPermissionError)
}


class SetupFault(Value):
    """A fault as one process tells it another."""

    code: str
    detail: str
    fix: str = ""
    field: str = ""
    doubtful: tuple[str, ...] = ()

    def error(self) -> SetupError:
        """Return it as an error."""
        return ERRORS[self.code](self.detail, fix=self.fix, field=self.field, doubtful=self.doubtful)


class SetupField(Value):
    """One thing that a set-up needs: what it is called, where it comes from, what it looks like.

    `name` is a secret's variable or a field of the surface's table; with a `default` or where `optional`, an empty
    answer is one. `shape` is a regular expression for the whole of it, or of each line with `several`.
    """

    name: str
    title: str
    where: str
    looks: str
    shape: str
    is_secret: bool = True
    default: str = ""
    optional: bool = False
    several: bool = False

    def require_shape(self, text: str) -> None:
        """Check what was given, before any of it is sent.

        Raises:
            SetupMalformedError: it cannot be what was asked for; the text itself is not repeated, it may be a secret.
        """
        parts = text.splitlines() if self.several else [text]
        fits = all(re.fullmatch(self.shape, part) for part in parts)
        if not text and self.optional:
            return
        if len(text) > FIELD_CHARS_MAX or not parts or not fits:
            detail = f"This is not what was asked for. {self.title} looks like this: {self.looks}."
            raise SetupMalformedError(detail, fix=self.where, field=self.name)


def fault_of(outcome: Outcome | object, service: str, field: SetupField, address: str = "") -> SetupError:
    """Return what a first call that failed means for the set-up; `address` is the field where the service is named."""
    why, fix = getattr(outcome, "why", ""), getattr(outcome, "fix", "")
    match outcome:
        case RetryLater(lacks_permission=False) | Doubtful():
            return SetupNoNetworkError(
                f"{why or f'{service} does not answer'}.", fix="Check this machine's network.", field=address
            )
        case Misconfigured(lacks_permission=False):
            return SetupWrongTokenError(f"{why}.", fix=field.where, field=field.name)
        case _:
            return SetupPermissionError(f"{why or f'{service} does not allow that'}.", fix=fix)


def encoded(error: PulseError) -> bytes:
    """Return a fault as one process tells it another."""
    field, doubtful = (error.field, error.doubtful) if isinstance(error, SetupError) else ("", ())
    fault = SetupFault(code=error.code, detail=error.detail, fix=error.fix, field=field, doubtful=doubtful)
    return msgspec.json.encode(fault)
