"""A digest on a surface: what waited for a good moment, at once, each card with its own leave to be answered. Pure."""

from msgspec.structs import replace

from hub.contract.alone import AwaySummary, DayEntry, DaySummary
from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import DigestReady, PredictionNew
from hub.contract.permission import Act, Permission
from hub.contract.surface import CardDelivery, DigestItem
from hub.kit.permissions import effects_said, sentence
from hub.kit.phrasebook import Phrase, Phrases
from hub.kit.text import Form, duration, one_line

LINE_CHARS_MAX = 120
_READ_CHARS_MAX = 10_000
_COUNTED = ("alone", "failed", "approved", "rejected", "made", "finished", "pairs", "waiting")
"""What is told of an absence, in this order; each is a field of the summary and an entry of the phrasebook."""


_OF_YESTERDAY = ("tasks", "done", "failed", "approved", "rejected")


class DigestLine(Value):
    """One card of a digest in one line: its text with what would run; whether all of it is there to be read."""

    text: str
    is_whole: bool


def cards_of(delivery: CardDelivery) -> tuple[CardDelivery, ...]:
    """Return each card of a digest as if it had come alone, silently; nothing of what is no digest.

    Whoever keeps cards keeps these as any other: they are answered, settled and taken back by themselves.
    """
    if not isinstance(delivery.event, DigestReady):
        return ()
    items = {item.card_id: item for item in delivery.items}
    return tuple(
        _alone(delivery, card, item) for card in delivery.event.cards if (item := items.get(card.id)) is not None
    )


def heading(digest: DigestReady) -> Phrase:
    """Say how many wait, or that it is only what happened meanwhile."""
    number = len(digest.cards) + digest.more
    if digest.alike:
        return Phrase(name="new_alike", values={"number": str(number)})
    if not number:
        return Phrase(name="away.title" if digest.day is None else "day.title")
    return Phrase(name="digest.one") if number == 1 else Phrase(name="digest", values={"number": str(number)})


def more_words(digest: DigestReady, words: Phrases) -> str:
    """Say how many wait beyond those that are shown; empty for none."""
    match digest.more:
        case 0:
            return ""
        case 1:
            return words.say("digest.more_one")
        case number:
            return words.say("digest.more", number=str(number))


def away_words(away: AwaySummary, words: Phrases, form: Form = "short") -> str:
    """Say what happened while the person was away, in their language."""
    told = ((name, getattr(away, name)) for name in _COUNTED)
    listed = (
        words.say(f"away.{name}{'_one' if number == 1 else ''}", number=str(number)) for name, number in told if number
    )
    time = duration(away.until - away.since, words.language, form)
    return words.title("away" if form == "short" else "away.spoken", time=time, listed=", ".join(listed))


def day_lines(day: DaySummary, words: Phrases) -> tuple[str, ...]:
    """Return what a day brings, a line for each thing, and what the day before brought."""
    lines = [_entry_line(entry, words) for entry in day.entries]
    if day.more:
        lines.append(words.say("digest.more_one") if day.more == 1 else words.say("digest.more", number=str(day.more)))
    told = ((name, getattr(day, name)) for name in _OF_YESTERDAY)
    listed = ", ".join(
        words.say(f"day.{name}{'_one' if number == 1 else ''}", number=str(number)) for name, number in told if number
    )
    return (*lines, *((words.title("day.yesterday", listed=listed),) if listed else ()))


def opening(digest: DigestReady, words: Phrases, form: Form = "short") -> tuple[str, ...]:
    """Return what a digest says before its cards: what the day brings, and what happened while the person was away."""
    lines = () if digest.day is None else day_lines(digest.day, words)
    title = () if digest.day is None or not digest.cards else (f"{words.title('day.title')}:",)
    away = () if digest.away is None else (away_words(digest.away, words, form),)
    return (*title, *lines, *away)


def _entry_line(entry: DayEntry, words: Phrases) -> str:
    title = one_line(entry.title, LINE_CHARS_MAX)
    if entry.kind == "overdue":
        return words.title("day.overdue", title=title)
    said = f"{entry.time}  {title}" if entry.time else words.say("day.all_day", title=title)
    return words.title("day.tomorrow", said=said) if entry.kind == "tomorrow" else said


def kind_words(digest: DigestReady, words: Phrases) -> str:
    """Say who wants what, and what that would do, where all of it is of one kind; empty for any other digest."""
    asked = next((card.permission for card in digest.cards if digest.alike and card.permission is not None), None)
    if asked is None:
        return ""
    effects = effects_said(asked, words)
    return " · ".join(filter(None, (sentence(asked, words), effects)))


def line_of(card: Prediction, chars_max: int = LINE_CHARS_MAX, *, is_alike: bool = False) -> DigestLine:
    """Put a card into one line: its text, and what would run behind it.

    What an agent asks leave for is never whole in one: its exact text, what that does and how to answer belong to it.
    Among requests that are alike, whose kind is told above them, a short command with nothing unusual is.
    """
    whole = " · ".join(
        filter(None, (one_line(part, _READ_CHARS_MAX) for part in (card.prompt, card.runs.line if card.runs else "")))
    )
    text = one_line(whole, chars_max)
    if card.permission is not None:
        return DigestLine(text=text, is_whole=is_alike and text == card.prompt and _is_plain(card.permission))
    return DigestLine(text=text, is_whole=text == whole)


def _is_plain(asked: Permission) -> bool:
    return asked.act is Act.COMMAND and not asked.left_out and not asked.unusual and asked.text.isprintable()


def in_lines(digest: DigestReady, words: Phrases) -> str:
    """Write a digest out: the day, what happened meanwhile, a numbered line for each card, how many more wait."""
    before = opening(digest, words) or (kind_words(digest, words),)
    numbered = (f"{number}. {line_of(card).text}" for number, card in enumerate(digest.cards, start=1))
    return "\n".join(filter(None, (*before, *numbered, more_words(digest, words))))


def _alone(delivery: CardDelivery, card: Prediction, item: DigestItem) -> CardDelivery:
    return replace(
        delivery,
        delivery_id=item.delivery_id,
        event=PredictionNew(prediction=card),
        loudness="silent",
        verbs=item.verbs,
        token=item.token,
        expires_at=card.expires_at,
        items=(),
    )
