"""The cards and the state that all watch faces of a person show, kept from what the hub tells. No I/O.

Everybody hears the events; the token to answer with is each device's own, and comes with its deliveries.
"""

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.events import (
    AnyEvent,
    ExecutionFailed,
    ExecutionStarted,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    StatusChanged,
)
from hub.contract.surface import CardDelivery
from hub.contract.words import Autonomy, Status, Verb
from hub.kit.announcing import told
from hub.kit.bounded import BoundedMap, BoundedSet
from surfaces.apns.face import Face, WatchCard, mood_of

CARDS_MAX = 500
GRANTS_MAX = 5_000


class Board:
    """What the hub said last."""

    def __init__(self) -> None:
        self._status: CrossPollStatus | None = None
        self._cards: BoundedMap[str, Prediction] = BoundedMap(CARDS_MAX)
        self._gone: BoundedSet[str] = BoundedSet(CARDS_MAX)
        self._grants: BoundedMap[tuple[str, str], tuple[str, tuple[Verb, ...]]] = BoundedMap(GRANTS_MAX)

    @property
    def pending(self) -> int | None:
        """How many cards wait; None while it is not known."""
        return self._status.pending if self._status else None

    @property
    def state(self) -> Autonomy | None:
        """The autonomous state; None while it is not known."""
        return self._status.state if self._status else None

    def start(self, status: CrossPollStatus, cards: tuple[Prediction, ...]) -> None:
        """Take over everything, as `GET /api/v1/sync` answers it."""
        self._status = status
        self._cards = BoundedMap(CARDS_MAX, ((card.id, card) for card in cards[:CARDS_MAX]))

    def hear(self, event: AnyEvent) -> None:
        """Take one event."""
        match event:
            case StatusChanged(status=status):
                self._status = status
            case PredictionNew(prediction=card):
                if card.id not in self._gone:  # a repeat may come after the end
                    self._keep(card)
            case PredictionReturned(prediction=card) | PredictionSnoozed(prediction=card):
                self._gone.discard(card.id)
                self._keep(card)
            case PredictionSettled(prediction=card) | PredictionExecuted(prediction=card):
                self._drop(card.id)
            case ExecutionStarted(prediction=card) | ExecutionFailed(prediction=card):
                self._drop(card.id)
            case PredictionExpired(prediction_id=card_id):
                self._drop(card_id)

    def grant(self, device: str, card: CardDelivery) -> None:
        """Keep the token that a device may answer a new card with."""
        if isinstance(card.event, PredictionNew | PredictionReturned) and card.token:
            self._grants[device, card.event.prediction.id] = (card.token, card.verbs)

    def face(self, device: str) -> Face:
        """Return what a device's face shows."""
        cards = tuple(self._watch_card(device, card) for card in self._cards.values())
        if self._status is None:
            return Face(cards=cards)
        return Face(mood=mood_of(self._status), cards=cards, count=self._status.pending, reason=self._status.reason)

    def _drop(self, card_id: str) -> None:
        self._cards.pop(card_id, None)
        self._gone.add(card_id)

    def _keep(self, card: Prediction) -> None:
        self._cards.pop(card.id, None)
        if card.status is Status.PENDING:
            self._cards[card.id] = card

    def _watch_card(self, device: str, card: Prediction) -> WatchCard:
        token, verbs = self._grants.get((device, card.id), ("", ()))
        return WatchCard(
            id=card.id,
            text=told(card),
            channel=card.target_channel,
            confidence=card.confidence,
            created_at=card.created_at,
            expires_at=card.expires_at,
            risk=card.risk,
            card_hash=card.card_hash,
            token=token,
            verbs=verbs,
            hidden_until=card.snoozed_until,
        )
