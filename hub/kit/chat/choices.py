"""What can be pressed below a card, and what was pressed: ids that are understood after a restart too. Pure."""

import re

from hub.contract.base import Value
from hub.contract.permission import Permission, PermissionOption
from hub.contract.words import GRANTING, Verb
from hub.kit.chat.card import ChatCard
from hub.kit.chat.post import Choice, Tone
from hub.kit.phrasebook import Phrases
from hub.kit.questions import asked_now, chosen, questions_of
from hub.kit.shown import sayable
from hub.kit.text import one_line, unbroken
from hub.kit.wordings import question_said, worded

LABEL_CHARS_MAX = 40
DIGITS = ("1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣", "🔟")
LETTERS = tuple(chr(0x1F1E6 + place) for place in range(10))
"""Regional letters, for what comes after ten: a chat that only knows reactions needs a sign of its own for each."""
NUMBER_SIGNS = (*DIGITS, *LETTERS)
OPTION_SIGNS = ("🅰️", "🅱️", "🟢", "🔵", "🟣", "🟡", "🟠", "🔴", "🟤", "⚫", "⚪", "🔶")
SIGNS = {
    "open": "🔮",
    "snoozed": "⏰",
    "waiting": "✔️",
    "running": "▶️",
    "settled": "☑️",
    "done": "✅",
    "failed": "❌",
}
ENDED_SIGNS = {"ignored": "🙈", "handed_over": "📤"}
"""How a run ended that is neither done nor failed."""
PRESSED_SIGNS = {
    "approve": "✅",
    "reject": "❌",
    "snooze": "⏰",
    "edit": "✏️",
    "undo": "↩️",
    "stop": "🛑",
    "retry": "🔁",
    "fix": "🔧",
    "ignore": "🙈",
    "less": "📉",
    "never": "🚫",
    "words": "✍️",
    "reason": "💬",
    "whole": "👀",
    "on": "➡️",
    "confirm": "‼️",
    "back": "↩️",
}
VERB_IDS = {
    "a": Verb.APPROVE,
    "r": Verb.REJECT,
    "s": Verb.SNOOZE,
    "u": Verb.UNDO,
    "x": Verb.STOP,
    "t": Verb.RETRY,
    "f": Verb.FIX,
    "i": Verb.IGNORE,
    "l": Verb.LESS,
    "n": Verb.NEVER,
}
_TONES: dict[Verb, Tone] = {Verb.APPROVE: "yes", Verb.REJECT: "no", Verb.STOP: "no"}
_ID = re.compile(r"(?P<what>[arsuxtfilnewymodcgzk])(?:(?P<first>[0-9]{1,2})(?:\.(?P<second>[0-9]{1,2}))?)?\Z")


class Chosen(Value):
    """What a choice was: its letter, and up to two numbers."""

    what: str
    first: int = -1
    second: int = -1


def read_choice(text: str) -> Chosen | None:
    """Read a choice's id back; None where it is none of ours."""
    found = _ID.match(text)
    if found is None:
        return None
    return Chosen(what=found["what"], first=int(found["first"] or -1), second=int(found["second"] or -1))


def numbered(place: int, choice_id: str, label: str) -> Choice:
    """Return a choice that has the number of its place, from 0, as its sign."""
    return Choice(id=choice_id, label=label, sign=NUMBER_SIGNS[place % len(NUMBER_SIGNS)])


def open_choices(card: ChatCard, words: Phrases, *, is_whole: bool) -> tuple[Choice, ...]:
    """Return what stands below an open card: only what may be answered here, and no yes before all was shown."""
    permission = card.prediction.permission
    if card.pending:
        return second_choices(words)
    verbs = sayable(card.verbs, is_whole=is_whole)
    found: list[Choice] = []
    if permission is not None and questions_of(permission):
        found += _of_question(card, permission, words) if Verb.APPROVE in verbs else ()
    elif Verb.APPROVE in verbs:
        found.append(verb_choice("a", words))
    if not is_whole:
        found.append(_named("m", words.title("chat.whole"), "whole"))
    if permission is not None and not card.is_hidden:
        found += _options(permission.options, verbs, words)
    found += [verb_choice(one, words) for one in ("r", "s") if VERB_IDS[one] in verbs]
    if Verb.EDIT in verbs and (permission is None or permission.editable):
        found.append(_named("e", words.title("edit"), "edit"))
    if permission is not None and Verb.REJECT in verbs:
        found.append(_named("y", words.title("chat.why_not"), "reason"))
    if is_whole:  # of what is not shown nobody can want less
        found += [verb_choice(one, words) for one in ("l", "n") if VERB_IDS[one] in verbs]
    return tuple(found)


def options_text(card: ChatCard, words: Phrases) -> str:
    """Return all that can be allowed beside a plain yes, a line each: a button shows the beginning of it alone."""
    permission = card.prediction.permission
    if permission is None or Verb.APPROVE not in card.verbs:
        return ""
    kind = words.title("chat.yes")
    return "\n".join(
        f"{_option_sign(place)} {kind}: {unbroken(worded(one.label_worded, one.label, words))}"
        for place, one in enumerate(permission.options)
        if not one.refuses
    )


def second_choices(words: Phrases) -> tuple[Choice, ...]:
    """Return what stands below a card whose yes takes a second press."""
    return (
        _named("z", words.title("shown.go_on"), "confirm"),
        _named("k", words.title("shown.back"), "back"),
    )


def grants(card: ChatCard, found: Chosen) -> bool:
    """Return True if a choice lets something run; an answer in own words takes more than one press anyway."""
    permission = card.prediction.permission
    if found.what == "o" and permission is not None and 0 <= found.first < len(permission.options):
        return not permission.options[found.first].refuses
    return VERB_IDS.get(found.what) in GRANTING


def after_choices(card: ChatCard, words: Phrases, *, is_whole: bool) -> tuple[Choice, ...]:
    """Return what stands below a card that was answered: what may still be said to it, and is not run again unread."""
    if card.pending:
        return second_choices(words)
    verbs = sayable(card.verbs, is_whole=is_whole)
    wanted = {"running": ("x",), "waiting": ("u",), "settled": ("u", "t", "f", "i")}.get(card.phase, ())
    return tuple(verb_choice(one, words) for one in wanted if VERB_IDS[one] in verbs)


def verb_choice(letter: str, words: Phrases) -> Choice:
    """Return the choice of a verb."""
    verb = VERB_IDS[letter]
    sign = PRESSED_SIGNS[verb.value]
    return Choice(id=letter, label=words.title(verb.value), sign=sign, tone=_TONES.get(verb, "plain"))


def _of_question(card: ChatCard, permission: Permission, words: Phrases) -> tuple[Choice, ...]:
    question = asked_now(permission.questions, card.given)
    if question is None:
        return ()
    at, taken = card.given.asked, chosen(permission.questions, card.given)
    labels = [one_line(one.label, LABEL_CHARS_MAX) for one in question_said(question, words).choices]
    found = [
        numbered(place, f"c{at}.{place}", f"{'✓ ' if one.label in taken else ''}{labels[place]}")
        for place, one in enumerate(question.choices)
    ]
    if question.several and taken:
        found.append(_named(f"g{at}", words.title("chat.go_on"), "on"))
    if question.own_words and question.choices:
        found.append(_named(f"w{at}", words.title("chat.own_words"), "words"))
    return tuple(found)


def _options(options: tuple[PermissionOption, ...], verbs: tuple[Verb, ...], words: Phrases) -> list[Choice]:
    """An option says whether it is a yes, for its label is the agent's own."""
    found = []
    for place, one in enumerate(options):
        if (Verb.REJECT if one.refuses else Verb.APPROVE) not in verbs:
            continue
        kind = words.title("chat.no" if one.refuses else "chat.yes")
        label = f"{kind}: {one_line(worded(one.label_worded, one.label, words), LABEL_CHARS_MAX)}"
        tone: Tone = "no" if one.refuses else "plain"
        found.append(Choice(id=f"o{place}", label=label, sign=_option_sign(place), tone=tone))
    return found


def _option_sign(place: int) -> str:
    return OPTION_SIGNS[place % len(OPTION_SIGNS)]


def _named(choice_id: str, label: str, sign: str) -> Choice:
    return Choice(id=choice_id, label=label, sign=PRESSED_SIGNS[sign])
