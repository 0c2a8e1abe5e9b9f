"""What became of one attempt to push, in the same words for every push service. Pure.

First cut: whose fault; second cut: is later worth it. Only `Gone` ends an address: a service that is away, busy, or
displeased with us says nothing about the device behind it.
"""

from hub.contract.base import Value


class Accepted(Value):
    """The push service took it. It says nothing of the person, nor whether the device was there."""

    detail: str = ""


class RetryLater(Value):
    """It was not taken: send it again, not before `after_s`."""

    why: str
    after_s: float = 0.0


class Doubtful(Value):
    """Nobody knows whether it was taken. Its key, the same on every try, makes a repeat recognisable."""

    why: str


class TooLarge(Value):
    """Shorten it, then send it again."""


class Gone(Value):
    """The address has ended."""


class Quarantined(Value):
    """The service does not know the address, but may only have been asked wrongly: it is kept, and set aside."""

    why: str


class Misconfigured(Value):
    """The service does not accept our settings; the device is not to blame. With `stops_all` nothing can be sent."""

    why: str
    stops_all: bool = False


class Undeliverable(Value):
    """This message cannot be sent to this address, now or later."""

    why: str


Outcome = Accepted | RetryLater | Doubtful | TooLarge | Gone | Quarantined | Misconfigured | Undeliverable
