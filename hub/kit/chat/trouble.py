"""How a chat's process says what keeps it from its work; health shows it until it is over."""

from hub.kit.process import print_trouble


def say_trouble(why: str) -> None:
    """Say it, without a full stop; empty for nothing any more."""
    print_trouble(f"{why}. Messages and answers go on as soon as it works again." if why else "")


class ChatTrouble:
    """What keeps a chat from its work, said once."""

    def __init__(self) -> None:
        self._said = ""

    def say(self, why: str) -> None:
        """Say it, if it is another than before."""
        if why != self._said:
            self._said = why
            say_trouble(why)
