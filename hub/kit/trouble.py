"""What keeps a surface from the service behind it, reported to the hub until it is over.

What is heard and what is sent fail apart: a bot may still hear in a chat where it can no longer write. So do several
services behind one surface.
"""

from typing import Protocol

from hub.contract.base import Value
from hub.kit.bounded import BoundedMap
from hub.kit.process import print_limits, print_trouble

KINDS_MAX = 32


class TellTrouble(Protocol):
    """Tells the hub what is wrong and what helps; both are empty once it is over."""

    def __call__(self, why: str, /, fix: str = "") -> object:
        """Tell it."""


class Wrong(Value):
    """One thing that is wrong, and what helps. With `limits` every message still reaches the person."""

    why: str
    fix: str = ""
    limits: bool = False


class ServiceTrouble:
    """Everything that is wrong with a service now. `then` stands in for a `fix` where there is none."""

    def __init__(self, then: str, tell: TellTrouble = print_trouble, tell_limits: TellTrouble = print_limits) -> None:
        self._then = then
        self._tell = tell
        self._tell_limits = tell_limits
        self._wrong: BoundedMap[str, Wrong] = BoundedMap(KINDS_MAX)
        self._said: dict[bool, tuple[str, str]] = {False: ("", ""), True: ("", "")}

    def say(self, doing: str, why: str, fix: str = "", *, limits: bool = False) -> None:
        """Report why `doing` ("hearing", "sending") fails, as a clause without a full stop; an empty `why` ends it."""
        self._wrong.pop(doing, None)
        if why:
            self._wrong[doing] = Wrong(why=why, fix=fix, limits=limits)
        self._say(self._tell, limits=False)
        self._say(self._tell_limits, limits=True)

    @property
    def sending(self) -> Wrong | None:
        """What keeps messages from getting out."""
        return self._wrong.get("sending")

    def _say(self, tell: TellTrouble, *, limits: bool) -> None:
        wrong = [one for one in self._wrong.values() if one.limits is limits]
        why = ". ".join(dict.fromkeys(one.why for one in wrong))
        fix = " ".join(dict.fromkeys(one.fix for one in wrong if one.fix)) or self._then
        said = (why, fix) if why else ("", "")
        if said != self._said[limits]:
            self._said[limits] = said
            tell(*said)
