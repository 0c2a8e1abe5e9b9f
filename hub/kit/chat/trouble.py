"""How a chat's process says what keeps it from its work; the hub shows it until it is over."""

from hub.kit.process import print_trouble

GOES_ON = "Messages and answers go on as soon as it works again."


def say_trouble(why: str, fix: str = "") -> None:
    """Say it, without a full stop, and what to do about it; empty for nothing any more."""
    print_trouble(why, (fix or GOES_ON) if why else "")


class ChatTrouble:
    """What keeps a chat from its work, said once."""

    def __init__(self) -> None:
        self._said = ""

    def say(self, why: str, fix: str = "") -> None:
        """Say it, if it is another than before."""
        if why != self._said:
            self._said = why
            say_trouble(why, fix)
