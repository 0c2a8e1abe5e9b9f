"""What became of one attempt to push. Pure."""

from hub.contract.apns import Environment
from hub.contract.base import Value


class Accepted(Value):
    """APNs took it. It says nothing of the person, nor whether the device was there."""

    environment: Environment


class Later(Value):
    """It was certainly not taken: send it again, not before `after_s`."""

    why: str
    after_s: float = 0.0


class Doubtful(Value):
    """Nobody knows whether it was taken. The same apns-id and collapse id make a repeat recognisable."""

    why: str


class TooLarge(Value):
    """Shorten it, then send it again."""


class Dead(Value):
    """The token has ended, after it was registered."""


class Quarantined(Value):
    """Neither environment knows the token. It is kept, and tried no more until it is registered again."""

    why: str


class Misconfigured(Value):
    """APNs does not accept our settings; the device is not to blame. With `is_key` nothing at all can be sent."""

    why: str
    is_key: bool = False


class GivenUp(Value):
    """This message cannot be sent, now or later."""

    why: str


Outcome = Accepted | Later | Doubtful | TooLarge | Dead | Quarantined | Misconfigured | GivenUp
