"""An agent's questions and its own ways to answer, as menus below a card and a form for own words. Pure.

A menu's values are places in what was shown, never words; its id says of which card and which text they are.
"""

import re
from collections.abc import Mapping, Sequence

from hub.contract.base import Value
from hub.contract.permission import AgentQuestion, PermissionAnswer, PermissionOption, QuestionChoice
from hub.contract.words import GRANTING, Verb
from hub.kit.bounded import BoundedMap
from hub.kit.chat.card import ChatCard
from hub.kit.phrase_files import phrases
from hub.kit.questions import questions_of
from hub.kit.shown import asks_twice
from surfaces.discord.buttons import HASH_CHARS, short
from surfaces.discord.limits import Menu, MenuOption
from surfaces.discord.text import plain, plain_cuts

MENUS_MAX = 4
"""Rows of one message that are free beside its buttons."""
FIELDS_MAX = 5
OPTION_CHARS_MAX, PLACEHOLDER_CHARS_MAX, FIELD_LABEL_CHARS_MAX = 100, 150, 45
KEPT_MAX = 200
_ID = re.compile(rf"pulse:pick:(o|[0-9]):([A-Za-z0-9_-]{{1,64}}):([0-9a-f]{{{HASH_CHARS}}})\Z")
SAY = phrases()


class Picked(Value):
    """What a menu was: of which question of which card, None for the agent's own ways to answer."""

    question: int | None
    card_id: str
    hash: str


class FormField(Value):
    """One field of the form for own words: the place of its question, and how it is called."""

    question: int
    label: str
    is_needed: bool


def can_ask(card: ChatCard) -> bool:
    """Say whether all questions of a card can be answered here."""
    asked = questions_of(card.prediction.permission)
    return 0 < len(asked) <= MENUS_MAX and Verb.APPROVE in card.verbs


def menus(card: ChatCard) -> tuple[Menu, ...]:
    """Return a menu for each question with choices, or one with the agent's own ways to answer."""
    permission = card.prediction.permission
    if permission is None or card.phase != "open" or card.is_hidden:
        return ()
    if can_ask(card):
        asked = enumerate(permission.questions)
        return tuple(_question_menu(card, place, one) for place, one in asked if one.choices)
    offered = tuple(
        MenuOption(label=plain(_option_said(one), OPTION_CHARS_MAX), value=str(place))
        for place, one in enumerate(permission.options)
        if may_take(card, one)
    )
    return (_menu(card, "o", SAY.title("chat.options"), offered, 1),) if offered else ()


def read_menu_id(text: str) -> Picked | None:
    """Read a menu's id back; None where it is none of ours."""
    found = _ID.match(text)
    if found is None:
        return None
    return Picked(question=None if found[1] == "o" else int(found[1]), card_id=found[2], hash=found[3])


def verb_of(option: PermissionOption) -> Verb:
    """Return what an option says."""
    return Verb.REJECT if option.refuses else Verb.APPROVE


def may_take(card: ChatCard, option: PermissionOption) -> bool:
    """Return True if an option can be taken here: a menu is no second press, and what it cuts off would hold too."""
    verb = verb_of(option)
    is_held = verb in GRANTING and (asks_twice(card.prediction) or plain_cuts(_option_said(option), OPTION_CHARS_MAX))
    return verb in card.verbs and not is_held


def chosen(labels: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """Return the labels at the places that were picked; what is no place is left out."""
    places = (int(one) for one in values if one.isdecimal())
    return tuple(labels[place] for place in places if place < len(labels))


def form_fields(card: ChatCard) -> tuple[FormField, ...]:
    """Return the fields of the form for own words; a question without choices needs its field."""
    asked = enumerate(questions_of(card.prediction.permission))
    fields = (
        FormField(question=place, label=plain(one.text, FIELD_LABEL_CHARS_MAX), is_needed=not one.choices)
        for place, one in asked
        if one.own_words
    )
    return tuple(fields)[:FIELDS_MAX]


class GivenAnswers:
    """What each person has answered so far, until all of a card's questions have an answer."""

    def __init__(self) -> None:
        self._given: BoundedMap[tuple[str, str], dict[str, tuple[str, ...]]] = BoundedMap(KEPT_MAX)

    def add(self, card: ChatCard, person_id: str, answers: Mapping[int, tuple[str, ...]]) -> PermissionAnswer | None:
        """Keep answers by their question's place; return all of them once none is missing."""
        asked, key = questions_of(card.prediction.permission), (card.key, person_id)
        new = {asked[place].id: said for place, said in answers.items() if place < len(asked) and said}
        given = {**self._given.get(key, {}), **new}
        self._given[key] = given
        return PermissionAnswer(answers=given) if all(one.id in given for one in asked) else None


def _question_menu(card: ChatCard, place: int, question: AgentQuestion) -> Menu:
    options = tuple(_choice(at, one) for at, one in enumerate(question.choices))
    return _menu(card, str(place), question.text, options, len(options) if question.several else 1)


def _choice(at: int, choice: QuestionChoice) -> MenuOption:
    label, about = plain(choice.label, OPTION_CHARS_MAX), plain(choice.description, OPTION_CHARS_MAX)
    return MenuOption(label=label, value=str(at), description=about)


def _menu(card: ChatCard, what: str, about: str, options: tuple[MenuOption, ...], most: int) -> Menu:
    return Menu(
        custom_id=f"pulse:pick:{what}:{card.id}:{short(card.prediction.card_hash)}",
        placeholder=plain(about, PLACEHOLDER_CHARS_MAX),
        options=options,
        most=most,
    )


def _option_said(option: PermissionOption) -> str:
    return f"{SAY.title('chat.no' if option.refuses else 'chat.yes')}: {option.label}"
