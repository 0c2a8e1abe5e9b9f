"""What the terminal shows, as one value. Only `story` (what the hub says) and `keys` (what a person does) change it."""

from datetime import datetime
from typing import Literal

from hub.contract.api import CrossPollStatus
from hub.contract.base import Value
from hub.contract.surface import Decision
from hub.contract.words import DeliveryState, Verb
from hub.kit.answer_retry import HandedAnswer
from hub.kit.cards import CardProjection
from hub.kit.questions import Given

NOTICES_MAX = 3
CARDS_MAX = 200
"""Beyond this the oldest settled cards are let go; the hub keeps them all."""

Mode = Literal["cards", "confirm", "snooze", "edit", "question", "words", "alike", "help"]
Tone = Literal["plain", "good", "bad", "warn"]
LinkState = Literal["connecting", "up", "lost", "refused", "gone"]


class Shown(CardProjection, kw_only=True):
    """One card on the screen, in its phase `since` then; `sending` while an answer to it is on its way."""

    since: datetime
    sending: bool = False
    fold_at: datetime | None = None

    @property
    def is_answerable(self) -> bool:
        """Whether it is open and not being answered."""
        return self.phase == "open" and not self.sending


class Notice(Value):
    """A line at the bottom, for a while."""

    text: str
    until: datetime
    tone: Tone = "plain"
    delivery_id: str = ""


class View(Value):
    """Everything that a picture is made from."""

    device: str
    command: str = "pulse"
    """How the person calls Pulse here."""
    link: LinkState = "connecting"
    link_note: str = ""
    broker: str = ""
    status: CrossPollStatus | None = None
    cards: tuple[Shown, ...] = ()
    focus: str = ""
    focus_since: datetime | None = None
    held: bool = False
    """Whether the person went to the focused card by themselves: it then stays, also when it is settled."""
    mode: Mode = "cards"
    details: bool = False
    scroll: int = 0
    clipped: bool = False
    """Whether a part of what a yes to the focused card is about has not been on the screen."""
    page_rows: int = 1
    """How far one key reads on: no further than the screen is high, so that no line is skipped."""
    draft: str = ""
    cursor: int = 0
    after_confirm: Verb = Verb.APPROVE
    option: str = ""
    """The option of an agent's that a second key is to confirm."""
    given: Given = Given()
    """What was answered so far of an agent's questions."""
    listed: tuple[tuple[str, str], ...] = ()
    """Requests that are alike and looked at together: the id of each, and the hash of what was shown."""
    notices: tuple[Notice, ...] = ()
    sent: tuple[HandedAnswer, ...] = ()
    complained_at: datetime | None = None
    """When the person was last told that the hub says nothing to what was sent before."""
    decisions: int = 0

    @property
    def focused(self) -> Shown | None:
        """The card that a key would answer."""
        return next((card for card in self.cards if card.id == self.focus), None)


class Report(Value):
    """Say what became of a delivery."""

    delivery_id: str
    state: DeliveryState


class Ring(Value):
    """Sound the terminal's bell."""


class Quit(Value):
    """Leave."""


Intent = Decision | Report | Ring | Quit
