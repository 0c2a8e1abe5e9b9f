"""All cards of a chat, what is to be shown of them, and what a press or a word means. Pure; `now` is an argument.

`dirty` names what may look different from what the chat shows; whoever posts asks `wanted` for each.
"""

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.events import DigestReady, PredictionNew
from hub.contract.surface import LOUD, CardDelivery
from hub.kit import cards
from hub.kit.bounded import BoundedMap
from hub.kit.cards import card_id_of
from hub.kit.chat.card import ChatCard, correct, take
from hub.kit.chat.post import ChatPost
from hub.kit.chat.shown import ShownPosts
from hub.kit.chat.writing import ChatWriter, card_post, digest_post, end_post, note_post
from hub.kit.digests import cards_of
from hub.kit.wordings import card_in, event_in

CARDS_MAX = 300
NOTES_MAX = 50


class ChatBook:
    """What one chat knows; it changes between two awaits only."""

    def __init__(self, writer: ChatWriter, shown: ShownPosts) -> None:
        self.writer = writer
        self.shown = shown
        self.dirty: dict[str, None] = {}
        self._cards: BoundedMap[str, ChatCard] = BoundedMap(CARDS_MAX)
        self._notes: BoundedMap[str, ChatPost] = BoundedMap(NOTES_MAX)
        self._digests: BoundedMap[str, tuple[DigestReady, bool]] = BoundedMap(NOTES_MAX)

    def card(self, card_id: str) -> ChatCard | None:
        """Return a card by its id."""
        return self._cards.get(card_id)

    def open_cards(self) -> tuple[ChatCard, ...]:
        """Return the cards that wait for an answer."""
        return tuple(one for one in self._cards.values() if one.phase == "open")

    def unsettled(self) -> tuple[str, ...]:
        """Return the cards of which something may have become while nobody listened, those of old messages too."""
        known = (one.id for one in self._cards.values() if one.phase != "settled")
        return tuple(dict.fromkeys((*known, *self.shown.unsettled_cards())))

    def take(self, delivery: CardDelivery, at: datetime) -> str:
        """Take a delivery; return the name of the message that shows it, empty where there is none."""
        event, is_silent = event_in(delivery.event, self.writer.words), delivery.loudness not in LOUD
        if isinstance(event, DigestReady) and event.cards:
            return self._digest(delivery, event, at, is_silent=is_silent)
        card_id = card_id_of(event)
        if not card_id:
            note = note_post(event, self.writer, is_silent=is_silent, privacy=delivery.privacy)
            return self._note(f"note:{delivery.delivery_id}", note)
        before = self._cards.get(card_id)
        known = take(before, replace(delivery, event=event), at)
        if known is None:
            return ""
        if before is None:
            known = self._where_it_was(known)
        self.put(replace(known, folded=False) if isinstance(event, PredictionNew) else known)
        ended = known.phase == "settled" and known.run_end and not is_silent
        return self._note(known.end_key, end_post(known, self.writer)) if ended else known.key

    def put(self, card: ChatCard) -> None:
        """Keep a card as it is now; all that shows it is to be looked at."""
        self._cards[card.id] = replace(card, prediction=card_in(card.prediction, self.writer.words))
        self.dirty.update(dict.fromkeys((card.key, *self.shown.messages_of(card.id))))
        for key, (digest, _) in self._digests.items():
            if any(one.id == card.id for one in digest.cards):
                self.dirty[key] = None

    def told(self, prediction: Prediction, now: datetime) -> None:
        """Take a card as the hub has it, after a refusal or where a delivery may have been missed."""
        before = self._cards.get(prediction.id)
        if before is None:
            before = self._where_it_was(ChatCard(prediction=prediction, opened_at=prediction.opened_at))
        self.put(correct(before, cards.correct(before, prediction, now)))

    def unknown(self, card_id: str) -> None:
        """The hub does not know this card any more: its messages stay, and cannot be answered."""
        for key in self.shown.rounds_of(card_id):
            shown = self.shown.get(key)
            if shown is not None:
                self.shown.keep(key, replace(shown, is_settled=True))

    def wanted(self, key: str) -> ChatPost | None:
        """Return what a message is to show; None where there is to be none."""
        kind, _, rest = key.partition(":")
        if kind == "digest" and key in self._digests:
            digest, is_silent = self._digests[key]
            return digest_post(digest, self.of_digest(key), self.writer, is_silent=is_silent)
        card = self._cards.get(rest.rpartition(":")[0]) if kind in {"card", "end"} else None
        if card is None:
            return self._notes.get(key)
        if kind == "end":
            return end_post(card, self.writer) if key == card.end_key else _without_choices(self._notes.get(key))
        is_newest = key == card.key
        if is_newest and self.shown.get(key) is None and not self._is_worth_a_message(card):
            return None
        return card_post(card, self.writer, is_newest=is_newest)

    def add(self, posts: Iterable[tuple[str, ChatPost]]) -> None:
        """Have these messages posted, before anything else."""
        added = dict(posts)
        self._notes.update(added)
        self.dirty = {**dict.fromkeys(added), **self.dirty}

    def mark_shown(self, key: str, face: str) -> None:
        """A message is in the chat as it is wanted; once all of a card's text is, that was shown."""
        post = self.wanted(key)
        for card in self._unfolding(key):
            if post is not None and post.face == face:
                left = card.unfolding - {key}
                self.put(replace(card, unfolding=left, is_unfolded_text=not left))

    def mark_refused(self, key: str) -> None:
        """A message will not be in the chat; where it held part of a card's text, not all of that was shown."""
        for card in self._unfolding(key):
            self.put(replace(card, unfolding=frozenset(), is_unshowable=True))

    def is_settled(self, key: str) -> bool:
        """Return True if a message is settled for good."""
        if self._unfolding(key):
            return False
        card = self._cards.get(key.partition(":")[2].rpartition(":")[0])
        return card is None or key != card.key or card.phase == "settled"

    def of_digest(self, key: str) -> tuple[ChatCard, ...]:
        """Return the cards of a message that lists several, in its order."""
        listed = self._digests[key][0].cards if key in self._digests else ()
        return tuple(card for one in listed if (card := self._cards.get(one.id)) is not None)

    def _unfolding(self, key: str) -> tuple[ChatCard, ...]:
        return tuple(card for card in self._cards.values() if key in card.unfolding)

    def _where_it_was(self, card: ChatCard) -> ChatCard:
        """After a restart a card goes on in its newest message; the count of its rounds begins there."""
        rounds = [int(key.rpartition(":")[2]) for key in self.shown.rounds_of(card.id)]
        return replace(card, round=max(rounds, default=card.round))

    def _is_worth_a_message(self, card: ChatCard) -> bool:
        """What was settled before it came here, and what is a line among others, has no message of its own."""
        return not card.folded and (card.phase in {"open", "running"} or card.autonomous)

    def _digest(self, delivery: CardDelivery, digest: DigestReady, at: datetime, *, is_silent: bool) -> str:
        key = f"digest:{digest.digest_id if digest.alike else delivery.delivery_id}"
        for one in cards_of(delivery):
            card_id = card_id_of(one.event)
            before = self._cards.get(card_id)
            known = take(before, one, at)
            if known is not None:
                known = self._where_it_was(known) if before is None else known
                self.put(replace(known, folded=self.shown.get(known.key) is None))
        self._digests[key] = (digest, is_silent)
        self.dirty[key] = None
        return key

    def _note(self, key: str, post: ChatPost | None) -> str:
        if post is None:
            return ""
        self._notes[key] = post
        self.dirty[key] = None
        return key


def _without_choices(post: ChatPost | None) -> ChatPost | None:
    return None if post is None else replace(post, rows=())
