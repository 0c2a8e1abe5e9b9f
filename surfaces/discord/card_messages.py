"""Everything this surface knows, and what each message of the channel must look like. Pure: `now` is an argument.

Cards come from the hub, votes from Discord; `vote_counter` makes answers of both. What is to be done is never kept
as a list of things to do: it follows, at any moment, from what is wanted and what is known to be there (`plan`).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.words import MoveReason, Status, Verb
from hub.kit import cards
from hub.kit.bounded import BoundedMap
from hub.kit.cards import CardPhase
from hub.kit.chat.card import ChatCard
from hub.kit.digests import cards_of
from hub.kit.fates import fate_of
from hub.kit.naming import place_of
from hub.kit.shown import asks_twice
from surfaces.discord import render
from surfaces.discord.ballots import Ballots
from surfaces.discord.card import SAY, Note, note_of, voted
from surfaces.discord.found import Sorted
from surfaces.discord.limits import THREAD_NAME_CHARS_MAX
from surfaces.discord.plan import Known, Place, Wanted
from surfaces.discord.readable import as_shown
from surfaces.discord.settings import Config
from surfaces.discord.text import plain
from surfaces.discord.together import DIGESTS_MAX, Together, together_of, wanted_together

FACES_MAX = 400
"""Cards, settled ones among them, that are kept; beyond it the oldest settled ones are let go."""
SAID_MAX = 200
"""Results and notes whose messages are remembered, so that none is posted twice."""
STATUS = "status"
OVER: frozenset[CardPhase] = frozenset({"settled", "snoozed"})


class CardMessages:
    """Cards, results, notes and the status; and which message on Discord is which."""

    def __init__(self, config: Config, ballots: Ballots) -> None:
        self.config = config
        self.ballots = ballots
        self.current: dict[str, str] = {}
        """The key of each card's present message."""
        self.faces: dict[str, ChatCard] = {}
        self.results: BoundedMap[str, ChatCard] = BoundedMap(SAID_MAX)
        self.notes: dict[str, Note] = {}
        self.digests: dict[str, Together] = {}
        self.within: dict[str, str] = {}
        """The digest that shows a card in the place of a message of its own, by the card's key."""
        self.known: dict[str, Known] = {}
        self.orphans: dict[str, Sorted] = {}
        """Messages that were found, of cards that the hub has yet to be asked about; until then nothing is posted."""
        self.fresh: dict[str, Sorted] = {}
        """Messages that show an open card as it is; they are its own as soon as the hub hands the card over."""
        self.unknown: dict[str, str] = {}
        """Messages of cards that the hub does not know, by their key."""
        self.to_read: set[str] = set()
        """Messages of open cards whose votes became of interest and are not known."""
        self.dirty: set[str] = set()
        self.unsure: set[str] = set()
        """Messages whose post was begun and not confirmed: they may be there."""
        self._by_message: dict[str, str] = {}
        self._said: BoundedMap[str, None] = BoundedMap(SAID_MAX)
        self._posts: dict[str, int] = {}
        self._status: CrossPollStatus | None = None
        self._connected = False

    def card(self, card_id: str) -> ChatCard | None:
        """Return a card as it is now."""
        key = self.current.get(card_id)
        return self.faces.get(key) if key else None

    def card_of(self, message_id: str) -> ChatCard | None:
        """Return the card that a message shows, if that is its present message."""
        card = self.faces.get(self._by_message.get(message_id, ""))
        return card if card is not None and self.current.get(card.id) == card.key else None

    def open_cards(self) -> Iterator[ChatCard]:
        """Yield every card that can be answered."""
        for key in self.current.values():
            if self.faces[key].phase == "open":
                yield self.faces[key]

    def hear(self, delivery: CardDelivery, at: datetime) -> str:
        """Take one delivery; return the key of the message that will show it, or nothing if none will."""
        card_id = cards.card_id_of(delivery.event)
        if not card_id:
            return self._hear_digest(delivery, at) or self._hear_note(delivery)
        before = self.card(card_id)
        card = cards.take(before, delivery, at, ChatCard)
        if card is None or card is before or _is_strange(card):  # not shown here, or a newer delivery was faster
            return ""
        is_unchanged = before is not None and card.phase == "open" and card.round == before.round
        self.put(card if is_unchanged else replace(card, refused=""))
        if _has_result(card):
            return self._hear_result(f"result:{card.run_id}", card)
        return card.key

    def put(self, card: ChatCard) -> None:
        """Keep a card as it is now; one that was opened anew leaves its old message behind."""
        card = as_shown(card)
        before = self.current.get(card.id)
        if before is not None and before != card.key:
            if before in self.within and card.prediction.status_reason is MoveReason.UNDONE:
                self.within[card.key] = self.within.pop(before)  # taken back in its place
            self._fold(before)
        self.current[card.id] = card.key
        self.faces[card.key] = card
        self.dirty |= {card.key, *(key for key, one in self.digests.items() if card.id in one.card_ids)}
        waiting = self.fresh.get(card.id)
        if waiting is not None and card.key not in self.known:
            self.claim(card, self.fresh.pop(card.id))
        if self.is_unread(card.key):
            self.to_read.add(card.key)
        self._bound()

    def claim(self, card: ChatCard, found: Sorted) -> None:
        """Take a message that was found for a card's own; its reactions are to be read."""
        seen = found.seen
        self.learn(card.key, Known(message_id=seen.message_id, own=seen.own, threaded=seen.threaded))
        for entry in found.votes:
            self.ballots.ballot(card.key).put(entry, may_vote=True)
        self.dirty.add(card.key)
        self.to_read.add(card.key)

    def hear_status(self, status: CrossPollStatus | None, *, connected: bool) -> None:
        """Take the status, and whether the hub is there at all."""
        self._status, self._connected = status or self._status, connected
        self.dirty.add(STATUS)

    def correct(self, prediction: Prediction, now: datetime) -> None:
        """Take a card as the hub has it. What is settled here, or opened anew there, is told by events alone."""
        card = self.card(prediction.id)
        if card is None or card.phase == "settled":
            return
        if prediction.status is Status.PENDING and card.phase not in {"open", "snoozed"}:
            return
        self.put(cards.correct(card, prediction, now))

    def refuse(self, card_id: str, why: str) -> None:
        """Show that the hub did not take the answer."""
        card = self.card(card_id)
        if card is not None and card.phase == "open":
            self.put(replace(card, refused=why))

    def wanted(self, key: str, now: datetime) -> Wanted | None:
        """Say what a message should be; None where nothing is to be shown."""
        if key == STATUS:
            rendered = render.render_status(self._status, connected=self._connected)
            place: Place = "status" if self.config.status else "bridge"
            return Wanted(key=key, born="", rendered=rendered, place=place, silent=True, face=rendered.embeds[0].title)
        if key in self.results:
            return self._wanted_result(key, self.results[key])
        if key in self.notes:
            return self._wanted_note(key, self.notes[key])
        if key in self.unknown:
            return Wanted(key=key, born="", rendered=render.render_unknown(self.unknown[key]))
        if key in self.digests:
            found = {one: card for one in self.digests[key].card_ids if (card := self.card(one)) is not None}
            owner_id = self.config.owner_id if self.config.alert_owner else ""
            return wanted_together(self.digests[key], found, owner_id=owner_id)
        card = self.faces.get(key)
        if (
            card is None
            or key in self.within
            or not card.was_open
            or (card.id in self.orphans and key not in self.known)
        ):
            return None
        if key not in self.known and key not in self.unsure and card.phase in OVER and not card.autonomous:
            return None  # it was settled before anybody saw it here
        return self._wanted_card(card, now)

    def held(self, key: str) -> bool:
        """Say whether a card's message waits for the hub's word on one that was found."""
        card = self.faces.get(key)
        return card is not None and card.id in self.orphans

    def is_unread(self, key: str) -> bool:
        """Say whether a message shows an open card whose votes are not known: its tally would be wrong."""
        card = self.faces.get(key)
        is_open = card is not None and card.phase == "open" and key in self.known
        return is_open and not self.ballots.ballot(key).known

    def unread(self) -> tuple[str, ...]:
        """Return every message whose votes are to be read."""
        return tuple(key for key in self.current.values() if self.is_unread(key))

    def posts(self, key: str) -> int:
        """Return how often a message was posted and lost."""
        return self._posts.get(key, 0)

    def learn(self, key: str, known: Known) -> None:
        """A message is there, and looks so."""
        self.known[key] = known
        self._by_message[known.message_id] = key

    def is_free(self, message_id: str, key: str) -> bool:
        """Say whether a message shows nothing else."""
        return self._by_message.get(message_id, key) == key

    def lose(self, message_id: str) -> None:
        """A message is gone. An open card is posted again, with no votes; what was settled stays gone."""
        key = self._by_message.pop(message_id, None)
        if key is None:
            return
        self.known.pop(key, None)
        self.ballots.forget(key)
        self._posts[key] = self.posts(key) + 1
        card = self.faces.get(key)
        if key == STATUS or (card is not None and card.phase not in OVER):
            self.dirty.add(key)
        else:
            self._drop(key)

    def bare(self, key: str, emoji: str) -> None:
        """A moderator took all reactions of a message away, or all of one emoji, ours among them."""
        known = self.known.get(key)
        if known is not None:
            self.learn(key, replace(known, own=known.own - {emoji} if emoji else frozenset()))
            self.dirty.add(key)

    def repost(self, key: str) -> None:
        """A post was refused because the message of its nonce was deleted: it needs another nonce."""
        self._posts[key] = self.posts(key) + 1

    def lose_all(self, place_ids: Iterable[str]) -> None:
        """A channel is gone, and every message in it."""
        for message_id in tuple(place_ids):
            self.lose(message_id)

    def messages(self) -> tuple[tuple[str, Known], ...]:
        """Return every message that is known to be there."""
        return tuple(self.known.items())

    def done(self, key: str) -> None:
        """A message is as it should be; what is said once needs no more memory."""
        self.dirty.discard(key)
        if key in self.results or key in self.notes:
            self.results.pop(key, None)
            self.notes.pop(key, None)
            for old, _ in self._said.put(key, None):
                self._drop(old)
        if key in self.unknown:
            self.unknown.pop(key)
            self._drop(key)

    def _wanted_card(self, card: ChatCard, now: datetime) -> Wanted:
        ballot = self.ballots.ballot(card.key)
        details = ballot.wants_details()
        is_current = self.current.get(card.id) == card.key
        rendered = render.render_card(
            card, self.ballots.marks(card), self.ballots.tally(card, now), self.config, details=details
        )
        name = plain(f"{place_of(card.prediction, SAY)}: {card.prediction.prompt}", THREAD_NAME_CHARS_MAX)
        threaded = self.config.threads and card.phase == "running" and is_current and not card.is_hidden
        return Wanted(
            key=card.key,
            born=card.opened_at.isoformat(),
            rendered=rendered,
            own=self._own(card),
            silent=card.loudness not in LOUD,
            thread=name if threaded else "",
            face=f"{card.phase}|{fate_of(card.prediction)}|{details}|{card.refused}|{card.privacy}|{','.join(card.verbs)}",
            delivery_id=card.delivery_id,
        )

    def _own(self, card: ChatCard) -> tuple[str, ...]:
        """Say which reactions are ours: the ways to answer, or how it ended."""
        emoji = self.config.emoji
        if card.phase == "open":
            pairs = (("approve", emoji.approve), ("reject", emoji.reject), ("snooze", emoji.snooze))
            by_reaction = {*voted(card)} - ({Verb.APPROVE} if asks_twice(card.prediction) else set())
            return (*(sign for verb, sign in pairs if verb in by_reaction), emoji.details)
        if card.has_failed:
            return (emoji.reject,)
        approved = card.prediction.status in {Status.CONFIRMED, Status.EXECUTED}
        return (emoji.approve,) if card.autonomous or approved else ()

    def _wanted_result(self, key: str, card: ChatCard) -> Wanted:
        known = self.known.get(self.current.get(card.id, ""))
        rendered = render.render_result(card, self.config)
        return Wanted(
            key=key,
            born=card.run_id,
            rendered=rendered,
            reply_to=known.message_id if known else "",
            silent=card.loudness not in LOUD,
            fixed=True,
            delivery_id=card.delivery_id,
        )

    def _wanted_note(self, key: str, note: Note) -> Wanted:
        place: Place = "log" if note.to_log and self.config.log else "bridge"
        quiet = note.loudness not in LOUD
        rendered = render.render_note(note, self.config)
        return Wanted(
            key=key,
            born="",
            rendered=rendered,
            place=place,
            silent=quiet,
            fixed=True,
            delivery_id=note.delivery_id,
        )

    def digest_of(self, message_id: str) -> Together | None:
        """Return the digest that a message shows."""
        return self.digests.get(self._by_message.get(message_id, ""))

    def show_alone(self, card: ChatCard) -> None:
        """Let a card of a digest have a message of its own."""
        if self.within.pop(card.key, None) is not None:
            self.dirty.add(card.key)

    def _hear_digest(self, delivery: CardDelivery, at: datetime) -> str:
        """Take several cards at once; where no text may be shown, each has a message of its own."""
        digest = together_of(delivery)
        for one in cards_of(delivery):
            key = self.hear(one, at)
            if digest is not None and key and key not in self.known and key not in self.unsure:
                self.within[key] = digest.key
        if digest is None:
            return ""
        self.digests[digest.key] = digest
        while len(self.digests) > DIGESTS_MAX:
            self._end_digest(next(iter(self.digests)))
        self.dirty.add(digest.key)
        return digest.key

    def _end_digest(self, key: str) -> None:
        """A digest is no more: what is open of it has messages of its own."""
        self.digests.pop(key, None)
        for card_key in [one for one, shown_by in self.within.items() if shown_by == key]:
            del self.within[card_key]
            self.dirty.add(card_key)

    def _hear_result(self, key: str, card: ChatCard) -> str:
        for old, _ in self.results.put(key, card):  # the channel is away, and there are more than will ever be read
            self.dirty.add(old)  # so that its delivery is cleared
        self.dirty.add(key)
        return key

    def _hear_note(self, delivery: CardDelivery) -> str:
        note = note_of(delivery)
        if note is None or len(self.notes) >= SAID_MAX:
            return ""
        key = f"note:{delivery.delivery_id}"
        self.notes[key] = note
        self.dirty.add(key)
        return key

    def _fold(self, key: str) -> None:
        """An older message of a card that was opened anew: it stays as a record and can no longer be answered."""
        card = self.faces[key]
        settled = replace(card.prediction, status=Status.PENDING, outcome="")
        self.faces[key] = replace(card, prediction=settled, phase="settled", verbs=(), token="", refused="")
        self.dirty.add(key)

    def _drop(self, key: str) -> None:
        card = self.faces.pop(key, None)
        if card is not None and self.current.get(card.id) == key:
            del self.current[card.id]
        known = self.known.pop(key, None)
        if known is not None:
            self._by_message.pop(known.message_id, None)
        self.ballots.forget(key)
        self.within.pop(key, None)
        self._end_digest(key)
        self.dirty.discard(key)
        self.to_read.discard(key)
        self._posts.pop(key, None)

    def _bound(self) -> None:
        if len(self.faces) <= FACES_MAX:
            return
        finished = (key for key, card in self.faces.items() if card.phase == "settled" and key not in self.dirty)
        oldest = next(finished, None)
        if oldest is not None:
            self._drop(oldest)


def _has_result(card: ChatCard) -> bool:
    return card.phase == "settled" and bool(card.run_id) and bool(card.result or card.has_failed)


def _is_strange(card: ChatCard) -> bool:
    """Whether nothing of it was shown here, and there is no result to tell."""
    return not card.was_open and not _has_result(card)
