"""Notification categories: for each set of verbs that may be offered, one name that the app has registered. Pure.

A banner shows the first two actions, and a double tap on a watch runs the first one that is not destructive. So for a
risky card Approve comes after Snooze, and needs an unlocked device. The app never opens for an answer.
"""

from collections.abc import Iterable

from hub.contract.base import Value
from hub.contract.words import Risk, Verb


class Action(Value):
    """One button. `is_text` asks for words first."""

    identifier: str
    verb: Verb
    is_destructive: bool = False
    needs_unlocked: bool = False
    is_text: bool = False


class Category(Value):
    """A named set of buttons, in their order. `is_for_risky` says for which cards alone it is; None for all.

    `since` is the version of this list that it came with: an app that was built before has not registered it.
    """

    name: str
    actions: tuple[Action, ...]
    is_for_risky: bool | None = None
    since: int = 0

    @property
    def verbs(self) -> frozenset[Verb]:
        """What can be answered with it."""
        return frozenset(action.verb for action in self.actions)


APPROVE = Action(identifier="APPROVE", verb=Verb.APPROVE)
APPROVE_UNLOCKED = Action(identifier="APPROVE", verb=Verb.APPROVE, needs_unlocked=True)
REJECT = Action(identifier="REJECT", verb=Verb.REJECT, is_destructive=True)
SNOOZE = Action(identifier="SNOOZE", verb=Verb.SNOOZE)
EDIT = Action(identifier="EDIT", verb=Verb.EDIT, needs_unlocked=True, is_text=True)
UNDO = Action(identifier="UNDO", verb=Verb.UNDO)
STOP = Action(identifier="STOP", verb=Verb.STOP, is_destructive=True)
RETRY = Action(identifier="RETRY", verb=Verb.RETRY, needs_unlocked=True)
LESS = Action(identifier="LESS", verb=Verb.LESS)
NEVER = Action(identifier="NEVER", verb=Verb.NEVER)
FIX = Action(identifier="FIX", verb=Verb.FIX, needs_unlocked=True)
IGNORE = Action(identifier="IGNORE", verb=Verb.IGNORE)

VERSION = 1
"""Counts the changes of the list; an app says which one it has registered (`categories` of its address)."""
CATEGORIES = (
    Category(name="CROSSPOLL_PREDICTION", actions=(APPROVE, REJECT, SNOOZE, EDIT), is_for_risky=False),
    Category(name="CROSSPOLL_PREDICTION_BRIEF", actions=(APPROVE, REJECT, SNOOZE), is_for_risky=False),
    Category(name="CROSSPOLL_RISKY", actions=(REJECT, SNOOZE, APPROVE_UNLOCKED, EDIT), is_for_risky=True),
    Category(name="CROSSPOLL_RISKY_BRIEF", actions=(REJECT, SNOOZE, APPROVE_UNLOCKED), is_for_risky=True),
    Category(name="CROSSPOLL_UNREAD", actions=(REJECT, SNOOZE)),
    Category(name="CROSSPOLL_RUNNING", actions=(STOP,)),
    Category(name="CROSSPOLL_UNDO", actions=(UNDO,)),
    Category(name="CROSSPOLL_RETRY", actions=(RETRY,)),
    Category(name="CROSSPOLL_PREDICTION_LESS", actions=(APPROVE, REJECT, SNOOZE, LESS), is_for_risky=False, since=1),
    Category(name="CROSSPOLL_RISKY_LESS", actions=(REJECT, SNOOZE, APPROVE_UNLOCKED, LESS), is_for_risky=True, since=1),
    Category(name="CROSSPOLL_UNREAD_LESS", actions=(REJECT, SNOOZE, LESS, NEVER), since=1),
    Category(name="CROSSPOLL_FAILED", actions=(RETRY, IGNORE), since=1),
    Category(name="CROSSPOLL_FAILED_FIX", actions=(RETRY, FIX, IGNORE), since=1),
    Category(name="CROSSPOLL_IGNORE", actions=(IGNORE,), since=1),
)
"""The names that the app registers; docs/howto/ios.md has the same list in Swift."""


def choose(verbs: Iterable[Verb], risk: Risk, version: int = VERSION) -> Category | None:
    """Return the category that offers the most of `verbs` and nothing else; None where none fits.

    `version` is that of the list that the app has registered. Where two offer as much, the first is taken: other words
    for the work come before less of it.
    """
    offered = frozenset(verbs)
    known = (one for one in CATEGORIES if one.since <= version)
    fits = [one for one in known if one.verbs <= offered and one.is_for_risky in {None, risk is Risk.HIGH}]
    return max(fits, key=lambda category: len(category.actions), default=None)
