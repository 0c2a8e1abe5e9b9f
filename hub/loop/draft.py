"""One step under construction: the new state, the changes to commit together, the commands to follow.

Local to one call of `step`, so its mutability is seen by nobody outside.
"""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.episode import AnyStep, Step
from hub.domain.life import Reason, move
from hub.domain.mind import AutonomyState, Mind
from hub.domain.requests import Reply
from hub.domain.storage import AddStep, Change, MoveCard, SaveMind
from hub.domain.suggestion import Card
from hub.loop.commands import Command, Respond, ShowStatus
from hub.loop.events import Stamped
from hub.loop.state import State


class Next(Value):
    """What a step returns: the new state, one transaction, and the commands to carry out once it is durable."""

    state: State
    changes: tuple[Change, ...]
    commands: tuple[Command, ...]


class Draft:
    """Collects what one event brings about."""

    def __init__(self, state: State, stamped: Stamped) -> None:
        self.state = state
        self.now: datetime = stamped.at
        self.facts = stamped.facts
        self.changes: list[Change] = []
        self.commands: list[Command] = []
        self._seed = stamped.seed
        self._ids = 0
        self._before = state

    @property
    def mind(self) -> Mind:
        """The mind as it is so far."""
        return self.state.mind

    def finish(self) -> Next:
        """Return the step; a changed mind is saved in the same transaction, a changed state shown."""
        if self.state.mind != self._before.mind:
            self.changes.append(SaveMind(user=self.state.user, mind=self.state.mind))
        if self.state is not self._before:
            self.commands.append(ShowStatus())
        return Next(state=self.state, changes=tuple(self.changes), commands=tuple(self.commands))

    def new_id(self, prefix: str) -> str:
        """Return a fresh id; the same stamped event always gives the same ids."""
        self._ids += 1
        return f"{prefix}_{self._seed}{self._ids:x}"

    def think(self, mind: Mind) -> None:
        """Replace the mind."""
        self.state = replace(self.state, mind=mind)

    def be(self, autonomy: AutonomyState) -> None:
        """Take on an autonomous state."""
        if autonomy != self.mind.autonomy:
            self.think(replace(self.mind, autonomy=autonomy))

    def reply(self, to: str, reply: Reply) -> None:
        """Answer whoever waits, if anybody does."""
        if to:
            self.commands.append(Respond(to=to, reply=reply))

    def note(self, card_id: str, body: AnyStep) -> None:
        """Append to the card's episode."""
        self.changes.append(AddStep(step=Step(card_id=card_id, at=self.now, body=body)))

    def move(self, card: Card, reason: Reason) -> Card:
        """Move a card by the table of its life and store it, with a compare-and-set on what it was.

        `card` may carry other changed fields; its `version` and `status` are still the stored ones.
        """
        moved = replace(card, status=move(card.status, reason), version=card.version + 1)
        self._store(moved, was=card, reason=reason.value)
        return moved

    def change(self, card: Card, reason: str) -> Card:
        """Store changed fields of a card that keeps its status."""
        changed = replace(card, version=card.version + 1)
        self._store(changed, was=card, reason=reason)
        return changed

    def _store(self, card: Card, *, was: Card, reason: str) -> None:
        self.changes.append(MoveCard(card=card, expect_version=was.version, expect_status=was.status, reason=reason))
