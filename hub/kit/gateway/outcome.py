"""What became of one attempt to push, in the same words for every push service. Pure.

First cut: whose fault; second cut: is later worth it. Only `Gone` ends an address: a service that is away, busy, or
displeased with us says nothing about the device behind it.

`why` is in plain words without a full stop, and `fix` what a person can do about it: both are shown wherever the device
is named as not reached (`hub.contract.api.Unreached`).
"""

from hub.contract.base import Value


class Accepted(Value):
    """The push service took it. It says nothing of the person, nor whether the device was there."""

    detail: str = ""


class RetryLater(Value):
    """It was not taken: send it again, not before `after_s`. With `lacks_permission` the service does not allow it."""

    why: str
    after_s: float = 0.0
    fix: str = ""
    lacks_permission: bool = False


class Doubtful(Value):
    """Nobody knows whether it was taken. Its key, the same on every try, makes a repeat recognisable."""

    why: str
    fix: str = ""


class TooLarge(Value):
    """Shorten it, then send it again."""


class Gone(Value):
    """The address has ended."""


class Quarantined(Value):
    """The service does not know the address, but may only have been asked wrongly: it is kept, and set aside."""

    why: str
    fix: str = ""


class Misconfigured(Value):
    """The service does not accept our settings; the device is not to blame. With `stops_all` nothing can be sent.

    With `lacks_permission` it knows who we are, and does not allow what we want.
    """

    why: str
    stops_all: bool = False
    fix: str = ""
    lacks_permission: bool = False


class Undeliverable(Value):
    """This message cannot be sent to this address, now or later.

    With `only_this` another may well be, so it says nothing about the device.
    """

    why: str
    fix: str = ""
    only_this: bool = False


Outcome = Accepted | RetryLater | Doubtful | TooLarge | Gone | Quarantined | Misconfigured | Undeliverable
