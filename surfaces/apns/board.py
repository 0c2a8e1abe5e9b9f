"""The cards and the state that all watch faces of a person show, kept from what the hub tells. No I/O.

Everybody hears the events; the token to answer with is each device's own, and comes with its deliveries.
"""

from datetime import datetime

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.events import AnyEvent, PredictionNew, PredictionReturned, StatusChanged
from hub.contract.surface import CardDelivery
from hub.contract.words import Autonomy, Source, Verb
from hub.kit import cards
from hub.kit.announcing import told
from hub.kit.bounded import BoundedMap
from hub.kit.cards import CardProjection
from hub.kit.digests import cards_of
from hub.kit.gateway.waiting import WaitingCount
from hub.kit.naming import sure_of
from hub.kit.questions import questions_of
from surfaces.apns.face import Face, WatchCard, mood_of

CARDS_MAX = 1_000
"""Those that are over among them: a repeat may come after the end."""
GRANTS_MAX = 5_000


class Board:
    """What the hub said last."""

    def __init__(self, *, names_drive: bool = False) -> None:
        self._names_drive = names_drive
        self._status: CrossPollStatus | None = None
        self._pending = WaitingCount()
        self._cards: BoundedMap[str, CardProjection] = BoundedMap(CARDS_MAX)
        self._grants: BoundedMap[tuple[str, str], tuple[str, tuple[Verb, ...]]] = BoundedMap(GRANTS_MAX)

    @property
    def pending(self) -> int | None:
        """How many cards wait; None while it is not known."""
        return self._pending.count

    @property
    def state(self) -> Autonomy | None:
        """The autonomous state; None while it is not known."""
        return self._status.state if self._status else None

    def start(self, status: CrossPollStatus, open_cards: tuple[Prediction, ...], at: datetime) -> None:
        """Take over everything, as `GET /api/v1/sync` answers it."""
        self._status = status
        self._pending.hear(status.pending, at)
        self._cards.clear()
        for card in open_cards[:CARDS_MAX]:
            self.hear(PredictionNew(prediction=card), at)

    def hear(self, event: AnyEvent, at: datetime) -> None:
        """Take one event that the hub made `at`."""
        if isinstance(event, StatusChanged):
            self._status = event.status
            self._pending.hear(event.status.pending, at)
        card_id = cards.card_id_of(event)
        card = cards.hear(self._cards.get(card_id), event, at, CardProjection)
        if card is not None:
            self._cards[card_id] = card

    def count(self, card: CardDelivery, at: datetime) -> None:
        """Take how many cards wait from a delivery: the state follows it."""
        self._pending.hear(card.pending, at)

    def grant(self, device: str, card: CardDelivery) -> None:
        """Keep the token that a device may answer a new card with; of a digest, each card's."""
        for one in cards_of(card):
            self.grant(device, one)
        if isinstance(card.event, PredictionNew | PredictionReturned) and card.token:
            self._grants[device, card.event.prediction.id] = (card.token, card.verbs)

    def face(self, device: str) -> Face:
        """Return what a device's face shows."""
        shown = tuple(self._watch_card(device, card.prediction) for card in self._cards.values() if _is_shown(card))
        if self._status is None:
            return Face(cards=shown)
        return Face(
            mood=mood_of(self._status),
            cards=shown,
            count=self._pending.count or 0,
            reason=self._status.reason,
            reason_worded=self._status.reason_worded,
            world=self._status.world,
            drive=_pressing(self._status) if self._names_drive else "",
        )

    def _watch_card(self, device: str, card: Prediction) -> WatchCard:
        token, verbs = self._grants.get((device, card.id), ("", ()))
        if questions_of(card.permission):  # a tap has no answer to a question
            token, verbs = "", ()
        return WatchCard(
            id=card.id,
            text=told(card),
            channel=card.target_channel,
            place=card.target_agent if card.source is Source.ASK else card.repository,
            sure=sure_of(card),
            created_at=card.created_at,
            expires_at=card.expires_at,
            risk=card.risk,
            card_hash=card.card_hash,
            token=token,
            verbs=verbs,
            hidden_until=card.snoozed_until,
        )


def _pressing(status: CrossPollStatus) -> str:
    """Return the drive that presses most, if one does."""
    return status.drives.top if status.drives is not None and status.drives.load > 0 else ""


def _is_shown(card: CardProjection) -> bool:
    """Whether it waits, or comes back by itself."""
    return card.phase in {"open", "snoozed"}
