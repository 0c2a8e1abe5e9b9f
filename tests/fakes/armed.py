"""Whether runs may begin, in memory."""

from hub.contract.errors import WorldError


class FakeArming:
    """The fact, and what the disk says to a change of it."""

    def __init__(self, *, armed: bool = True) -> None:
        self.armed = armed
        self.lets_go = True
        """Whether the disk lets the fact be taken away."""
        self.takes = True
        """Whether the disk lets it be made."""

    def is_armed(self) -> bool:
        return self.armed

    def disarm(self) -> bool:
        if self.lets_go:
            self.armed = False
        return not self.armed

    def arm(self) -> None:
        if not self.takes:
            raise WorldError("There is no space left.")
        self.armed = True
