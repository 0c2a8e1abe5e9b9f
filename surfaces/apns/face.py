"""What a watch face shows of Pulse (CROSSPOLL 6.4): the state, the open cards, and how both will look later. Pure.

The time line says beforehand how the face looks at each later moment, so ages and expiries stay right without a push.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from hub.contract.api import CrossPollStatus
from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.contract.surface import Privacy
from hub.contract.words import Autonomy, Risk, Verb
from hub.contract.world_api import WorldStatus
from hub.kit.naming import channel_title
from hub.kit.phrasebook import Phrase, Phrases, capital
from hub.kit.spirit import VERIFIED_SHOWN, spirit_of, spirit_said
from hub.kit.text import cut, duration
from hub.kit.wordings import worded

HEADLINE_CHARS_MAX = 40
"""What a rectangular complication shows whole; a longer text is opened by a tap, never approved by it."""
PLACE_CHARS_MAX = 24
ENTRIES_MAX = 16
COUNT_SHOWN_MAX = 99
SYMBOL = "🔮"
SYMBOLS = {"paused": "⏸", "emergency": "⛔", "off": "○", "autonomous": "🔮⚡"}
SPIRITS = {"verified": "✨", "failed": "🔮❗"}
"""Shown where nothing stronger is: a person who stopped Pulse sees that first."""
AGE_STEPS = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 120, 240, 480, 1_440))
FIRST_AGE = AGE_STEPS[0]

Mood = Literal["calm", "autonomous", "paused", "emergency", "off"]


class WatchCard(Value):
    """One open card as far as a face needs it. `token` is this watch's own; empty where it may only open the card."""

    id: str
    text: str
    channel: str
    created_at: datetime
    expires_at: datetime
    risk: Risk
    card_hash: str
    place: str = ""
    """The repository, or who asks; without either the kind of work is named."""
    sure: Phrase | None = None
    token: str = ""
    verbs: tuple[Verb, ...] = ()
    hidden_until: datetime | None = None


class Face(Value):
    """Everything that a face shows. `count` is the hub's own count, where it is known and ours may be partial.

    `world` is how the sessions of the world log are: a symbol, and words where no card waits.
    """

    mood: Mood = "calm"
    cards: tuple[WatchCard, ...] = ()
    count: int | None = None
    reason: str = ""
    reason_worded: Phrasing | None = None
    world: WorldStatus | None = None
    drive: str = ""
    """What presses most, where the person wants it named and something presses."""


class Circular(Value):
    """The small complication: a symbol and a number."""

    symbol: str
    text: str


class Rectangular(Value, rename="camel", omit_defaults=True):
    """The wide complication. `tap` says what a tap does; `token` is there only where it approves."""

    headline: str
    detail: str = ""
    tap: Literal["approve", "open"] = "open"
    card_id: str = field(name="predictionId", default="")
    card_hash: str = ""
    token: str = ""


class Entry(Value, rename="camel"):
    """How the face looks from a moment on."""

    at: datetime
    count: int
    circular: Circular
    rectangular: Rectangular


def mood_of(status: CrossPollStatus) -> Mood:
    """Read the state that a face shows."""
    if status.state is Autonomy.DISABLED:
        return "emergency" if status.killed_by == "emergency" else "off"
    if status.state is Autonomy.PAUSED:
        return "paused"
    return "autonomous" if status.state is Autonomy.AUTONOMOUS else "calm"


def timeline(face: Face, words: Phrases, *, privacy: Privacy, now: datetime) -> tuple[Entry, ...]:
    """Return how the face looks now and at each later moment at which it changes by itself, soonest first."""
    changes = (*(moment for card in face.cards for moment in _moments(card)), *_world_moments(face))
    moments = sorted({now, *(moment for moment in changes if moment > now)})
    entries: list[Entry] = []
    for moment in moments:
        entry = _entry(face, words, privacy, moment, now)
        if not entries or not _looks_same(entries[-1], entry):
            entries.append(entry)
        if len(entries) == ENTRIES_MAX:
            break
    return tuple(entries)


def newest(cards: Sequence[WatchCard], now: datetime) -> WatchCard | None:
    """Return the newest card that can be answered at a moment."""
    return max(_open(cards, now), key=lambda card: (card.created_at, card.id), default=None)


def looks(face: Face, words: Phrases, *, privacy: Privacy, now: datetime) -> tuple[object, ...]:
    """Return what tells two faces apart, without their ages: two equal ones need no push between them.

    That sessions are working is shown, and worth no push; that one was verified, or needs somebody, is.
    """
    world, verified_at = face.world, None if face.world is None else face.world.verified_at
    still = None if world is None or not world.failed else replace(world, active=0, pending=0, verified_at=None)
    entry = _entry(replace(face, world=still), words, privacy, now, now)
    card = newest(face.cards, now)
    pressing = "" if card else _pressing(face, words, privacy)
    shown = (entry.circular, face.mood, entry.count, card.id if card else "", entry.rectangular.headline)
    return (*shown, verified_at, pressing)


def _open(cards: Sequence[WatchCard], now: datetime) -> list[WatchCard]:
    return [card for card in cards if card.expires_at > now and (card.hidden_until is None or card.hidden_until <= now)]


def _moments(card: WatchCard) -> tuple[datetime, ...]:
    ages = tuple(card.created_at + step for step in AGE_STEPS if card.created_at + step < card.expires_at)
    return (*ages, card.expires_at, *([card.hidden_until] if card.hidden_until else []))


def _world_moments(face: Face) -> tuple[datetime, ...]:
    verified_at = None if face.world is None else face.world.verified_at
    return () if verified_at is None else (verified_at + VERIFIED_SHOWN,)


def _symbol(face: Face, moment: datetime) -> str:
    spirit = SPIRITS.get(spirit_of(face.world, moment), SYMBOL)
    return SYMBOLS.get(face.mood, spirit) if face.mood != "autonomous" or spirit == SYMBOL else spirit


def _entry(face: Face, words: Phrases, privacy: Privacy, moment: datetime, now: datetime) -> Entry:
    waiting = len(_open(face.cards, moment))
    if face.count is not None:  # what we do not know of expires unseen; the count is the hub's, less what we see go
        waiting = max(0, face.count - (len(_open(face.cards, now)) - waiting))
    number = str(waiting) if waiting <= COUNT_SHOWN_MAX else f"{COUNT_SHOWN_MAX}+"
    circular = Circular(symbol=_symbol(face, moment), text=number if waiting else "")
    return Entry(at=moment, count=waiting, circular=circular, rectangular=_wide(face, words, privacy, moment))


def _wide(face: Face, words: Phrases, privacy: Privacy, moment: datetime) -> Rectangular:
    card = newest(face.cards, moment)
    if face.mood in {"paused", "emergency", "off"}:
        headline = f"{SYMBOLS[face.mood]} {words.title('paused' if face.mood == 'paused' else 'stopped')}"
        said = worded(face.reason_worded, face.reason, words) if privacy == "full" else ""
        reason = cut(said, HEADLINE_CHARS_MAX)
        return Rectangular(headline=headline, detail=reason, card_id=card.id if card else "")
    if card is None:
        said = spirit_said(face.world, moment, words)
        headline = f"{_symbol(face, moment)} {capital(said)}" if said else f"{SYMBOL} {words.title('calm')}"
        return Rectangular(headline=headline, detail=_pressing(face, words, privacy))
    age = _age(moment - card.created_at, words)
    if privacy != "full":
        headline = f"{SYMBOL} {words.title('hidden.waits')}"
        return Rectangular(headline=headline, detail=age, card_id=card.id)
    place = cut(card.place or channel_title(card.channel, words), PLACE_CHARS_MAX)
    detail = " • ".join([place, *([] if card.sure is None else [words.written(card.sure)]), age])
    shown = cut(card.text, HEADLINE_CHARS_MAX)
    approves = _may_approve(card, shown)
    return Rectangular(
        headline=f'{SYMBOL} "{shown}"',
        detail=detail,
        tap="approve" if approves else "open",
        card_id=card.id,
        card_hash=card.card_hash,
        token=card.token if approves else "",
    )


def _pressing(face: Face, words: Phrases, privacy: Privacy) -> str:
    """Name what presses most, also a drive of the person's own, which is theirs alone to read."""
    if not face.drive or privacy != "full":
        return ""
    code = f"drive.{face.drive}"
    name = words.say(code) if code in words.texts else cut(face.drive, PLACE_CHARS_MAX)
    return words.title("calm.pressing", drive=name)


def _may_approve(card: WatchCard, shown: str) -> bool:
    """A touch by mistake must do no harm: only what is of low risk, and is shown whole, is approved by a tap."""
    return card.risk is Risk.LOW and Verb.APPROVE in card.verbs and bool(card.token) and shown == card.text


def _age(age: timedelta, words: Phrases) -> str:
    if age < FIRST_AGE:
        return words.say("ago.now")
    return words.say("ago", time=duration(age, words.language))


def _looks_same(one: Entry, other: Entry) -> bool:
    return (one.count, one.circular, one.rectangular) == (other.count, other.circular, other.rectangular)
