"""Notification categories: for each set of verbs that may be offered, one name that the app has registered. Pure.

A banner shows the first two actions, and a double tap on a watch runs the first one that is not destructive. So for a
risky card Approve comes after Snooze, and needs an unlocked device. The app never opens for an answer.
"""

from collections.abc import Iterable

from hub.contract.base import Value
from hub.contract.permission import AgentQuestion
from hub.contract.words import Risk, Verb


class Action(Value):
    """One button. `is_text` asks for words first; `choice` is the number of the answer that it gives to a question."""

    identifier: str
    verb: Verb
    is_destructive: bool = False
    needs_unlocked: bool = False
    is_text: bool = False
    choice: int = 0


class Category(Value):
    """A named set of buttons, in their order. `is_for_risky` says for which cards alone it is; None for all.

    One that `is_for_question` is for a question's answers and for nothing else.
    `since` is the version of this list that it came with: an app that was built before has not registered it.
    """

    name: str
    actions: tuple[Action, ...]
    is_for_risky: bool | None = None
    since: int = 0
    is_for_question: bool = False

    @property
    def verbs(self) -> frozenset[Verb]:
        """What can be answered with it."""
        return frozenset(action.verb for action in self.actions)

    @property
    def choices(self) -> int:
        """How many choices of a question it has."""
        return sum(action.choice > 0 for action in self.actions)

    @property
    def takes_words(self) -> bool:
        """Whether own words can be written with it."""
        return any(action.is_text for action in self.actions)


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

ANSWER = Action(identifier="ANSWER", verb=Verb.APPROVE, needs_unlocked=True, is_text=True)
CHOICES_MAX = 4
"""A question with more choices is answered elsewhere: a notification is no list."""
CHOICES = tuple(
    Action(identifier=f"CHOICE_{number}", verb=Verb.APPROVE, choice=number) for number in range(1, CHOICES_MAX + 1)
)
"""Their titles are numbers: an app registers its buttons before it knows any question. The text says what they mean."""


def _for_question(name: str, *actions: Action) -> Category:
    return Category(name=name, actions=actions, since=2, is_for_question=True)


VERSION = 2
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
    _for_question("CROSSPOLL_ANSWER", ANSWER, REJECT),
    _for_question("CROSSPOLL_CHOICES_1", *CHOICES[:1], REJECT),
    _for_question("CROSSPOLL_CHOICES_2", *CHOICES[:2], REJECT),
    _for_question("CROSSPOLL_CHOICES_3", *CHOICES[:3], REJECT),
    _for_question("CROSSPOLL_CHOICES_4", *CHOICES),
    _for_question("CROSSPOLL_CHOICES_1_ANSWER", *CHOICES[:1], ANSWER, REJECT),
    _for_question("CROSSPOLL_CHOICES_2_ANSWER", *CHOICES[:2], ANSWER, REJECT),
    _for_question("CROSSPOLL_CHOICES_3_ANSWER", *CHOICES[:3], ANSWER),
)
"""The names that the app registers; docs/howto/ios.md has the same list in Swift."""


def choose(verbs: Iterable[Verb], risk: Risk, version: int = VERSION) -> Category | None:
    """Return the category that offers the most of `verbs` and nothing else; None where none fits.

    `version` is that of the list that the app has registered. Where two offer as much, the first is taken: other words
    for the work come before less of it.
    """
    offered = frozenset(verbs)
    known = (one for one in CATEGORIES if one.since <= version and not one.is_for_question)
    fits = [one for one in known if one.verbs <= offered and one.is_for_risky in {None, risk is Risk.HIGH}]
    return max(fits, key=lambda category: len(category.actions), default=None)


def choose_for(question: AgentQuestion, verbs: Iterable[Verb], version: int, *, takes_text: bool) -> Category | None:
    """Return the category whose buttons answer a question: each of its choices, and own words where there is room.

    None where none does. A device that takes no text has the choices alone.
    """
    offered, count = frozenset(verbs), len(question.choices)
    known = (one for one in CATEGORIES if one.is_for_question and one.since <= version and one.verbs <= offered)
    with_words = question.own_words and takes_text
    fits = [one for one in known if one.choices == count and (with_words or not one.takes_words)]
    return max(fits, key=lambda category: category.takes_words, default=None)
