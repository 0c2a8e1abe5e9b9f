"""What a person answered an agent, held against what the agent then did: it may have taken another answer. Pure.

Theory: an agent that asks in its own dialog and here at once acts on one answer, and may let both sides believe that
theirs was first. What it does afterwards tells which. Either is heard first, the answer or the deed, so whichever comes
second is compared with the other. Each answer is compared once: what is heard again, or late, or of what nobody asked,
says nothing. Where what an agent did is never heard, its card says what the person said.
"""

from collections.abc import Callable, Hashable
from typing import Generic, Literal, TypeAlias, TypeVar

from hub.contract.base import Value
from hub.kit.bounded import BoundedMap

How: TypeAlias = Literal["allowed", "refused", "denied", "broken-off"]


class GivenAnswer(Value):
    """An answer of the person's that an agent was handed; `changed_from` names what it asked, where they changed it."""

    card_id: str
    is_yes: bool
    changed_from: str = ""


class Deed(Value):
    """What an agent did after it had asked: whether it went on, and the name of what it went on with, if known.

    `broken_off`: it went on, and somebody broke that off at its own terminal. `by_reviewer`: a program of its own said
    no, and no person. `failed`: it went on, and its tool ended badly.
    """

    went_on: bool
    name: str = ""
    broken_off: bool = False
    by_reviewer: bool = False
    failed: bool = False

    @property
    def how(self) -> How:
        """What was said where it runs, where that was not what the person said here."""
        if self.broken_off:
            return "broken-off"
        if self.by_reviewer:
            return "denied"
        return "allowed" if self.went_on else "refused"


K = TypeVar("K", bound=Hashable)
G = TypeVar("G", bound=GivenAnswer)


class GivenAnswers(Generic[K, G]):
    """The answers whose deeds are not heard yet, and the deeds whose answers are not; at most `most` of either."""

    def __init__(self, most: int) -> None:
        self._given: BoundedMap[K, G] = BoundedMap(most)
        self._done: BoundedMap[K, Deed] = BoundedMap(most)

    def begin(self, about: K) -> None:
        """Forget what was heard of an earlier request of this name."""
        self._given.pop(about, None)
        self._done.pop(about, None)

    def gave(self, about: K, given: G) -> Deed | None:
        """Note an answer; return what the agent did, where that is known and is not what was answered."""
        done = self._done.pop(about, None)
        if done is None:
            self._given[about] = given
            return None
        return done if overtakes(done, given) else None

    def did(self, about: K, deed: Deed) -> G | None:
        """Note what an agent did; return the answer that this is not what it says, where there is such a one."""
        given = self._given.pop(about, None)
        if given is None:
            self._done[about] = deed
            return None
        return given if overtakes(deed, given) else None

    def carried_out(self, about: K, deed: Deed) -> G | None:
        """Return the yes that a deed carries out, where it is known and no deed of it yet; ask before `did`."""
        given = self._given.get(about)
        return given if given is not None and given.is_yes and not overtakes(deed, given) else None

    def waits(self, about: K) -> bool:
        """Say whether an answer is known and its deed is not."""
        return about in self._given

    def forget(self, is_meant: Callable[[K, G], bool]) -> tuple[tuple[K, G], ...]:
        """Forget those answers, of those that are meant, whose deed is not known; return them."""
        known = tuple((about, given) for about, given in self._given.items() if is_meant(about, given))
        for about, _ in known:
            self._given.pop(about, None)
        return known


def overtakes(deed: Deed, given: GivenAnswer) -> bool:
    """Say whether an agent did otherwise than it was answered: the other thing, or unchanged what was to be changed.

    What was broken off is not what a yes was about, however much of it was done.
    """
    if deed.went_on is not given.is_yes or deed.broken_off:
        return True
    return deed.went_on and bool(given.changed_from) and deed.name == given.changed_from
