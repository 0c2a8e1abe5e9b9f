"""Every error that Pulse shows: one root class, the docstring is the message, the code is stable.

First cut: whose fault is it; second cut: is later worth a try (``retryable``).
Each class is listed in docs/errors.md; a house test holds the list.
"""

from typing import ClassVar


class PulseError(Exception):
    """Something went wrong inside Pulse. This is our bug: please report it with the output of `pulse doctor`."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, detail: str = "", *, fix: str = "") -> None:
        """Describe one occurrence: ``detail`` says what and why, ``fix`` what to do next."""
        super().__init__(detail or (self.__doc__ or "").strip())
        self.detail = str(self)
        self.fix = fix


class UserError(PulseError):
    """The request cannot be carried out as given."""

    code = "bad-request"
    status = 400


class WorldError(PulseError):
    """Something outside Pulse (a disk, a broker, a program) failed."""

    code = "unavailable"
    status = 503
    retryable = True


class BusyError(WorldError):
    """Pulse is too busy right now and did not accept this. Try again in a second."""

    code = "busy"
