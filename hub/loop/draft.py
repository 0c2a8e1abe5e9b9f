"""One step under construction: the new state, the changes to commit together, the commands to follow.

Local to one call of `step`, so its mutability is seen by nobody outside.
"""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.words import MoveReason, RunState, Source, Status
from hub.domain.card_states import RETURNS, move
from hub.domain.delivery import Device
from hub.domain.drives import AddDriveSample, Drives
from hub.domain.episode import AnyStep, Moved, Step
from hub.domain.mind import AutonomyState, Mind
from hub.domain.requests import Reply
from hub.domain.situation import Situation
from hub.domain.storage import AddCard, Change, MoveCard, PutDevice, SaveMind
from hub.domain.suggestion import Candidate, Card
from hub.domain.world_log_state import AddWorldLine, PutSession, PutWorldPlace
from hub.loop.commands import Command, Respond, ShowStatus, WriteWorld
from hub.loop.drive_verdict import rules_in
from hub.loop.events import Stamped
from hub.loop.state import State
from hub.loop.views import prediction_of
from hub.loop.world_draft import WorldDraft
from hub.what import ideas
from hub.when.drives import sampled


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
        self.world = WorldDraft(state.world)
        self._seed = stamped.seed
        self._ids = 0
        self._before = state
        self._ideas: tuple[Situation, Mind, tuple[Candidate, ...]] | None = None

    @property
    def mind(self) -> Mind:
        """The mind as it is so far."""
        return self.state.mind

    def ideas(self, situation: Situation) -> tuple[Candidate, ...]:
        """Return all ideas of a situation, best first: made once in a step, and again where an answer changes them.

        They are not kept between steps: the situation is, and they are many times its size.
        """
        if self._ideas is not None:
            made_of, mind, found = self._ideas
            if made_of is situation and mind.tallies is self.mind.tallies and mind.mutes is self.mind.mutes:
                return found
        found = ideas(situation, self.mind)
        self._ideas = situation, self.mind, found
        return found

    def finish(self) -> Next:
        """Return the step; a changed mind is saved in the same transaction, a changed state shown."""
        self._keep_world()
        if self.state.mind.drives.drives is not self._before.mind.drives.drives:
            self._sample()
        if self.state.mind != self._before.mind:
            self.changes.append(SaveMind(user=self.state.user, mind=self.state.mind))
        if self.state is not self._before:
            self.commands.append(ShowStatus())
        return Next(state=self.state, changes=tuple(self.changes), commands=tuple(self.commands))

    def _keep_world(self) -> None:
        """Store what became of sessions, each once however often it moved, and what is to stand in the log."""
        user, world = self.state.user, self.world
        self.changes.extend(PutSession(user=user, session=session) for session in world.changed())
        self.changes.extend(AddWorldLine(user=user, out=out) for out in world.out)
        if world.out:
            self.commands.append(WriteWorld())
        log_state = world.after(self.state.world)
        if log_state.intake is not self.state.world.intake:  # who had to make room is known only now
            self.changes = [
                replace(one, intake=log_state.intake) if isinstance(one, PutWorldPlace) else one for one in self.changes
            ]
        if log_state is not self.state.world:
            self.state = replace(self.state, world=log_state)

    def _sample(self) -> None:
        """Keep where the lines of the drives bend or jump in this step; one that goes on as before is no news."""
        rules = rules_in(self.state)
        before = sampled(self._before.mind.drives, rules_in(self._before), self.now)
        after = sampled(self.state.mind.drives, rules, self.now)
        if after.lines != before.lines:
            self.changes.append(AddDriveSample(user=self.state.user, sample=after))

    def new_id(self, prefix: str) -> str:
        """Return a fresh id; the same stamped event always gives the same ids."""
        self._ids += 1
        return f"{prefix}_{self._seed}{self._ids:x}"

    def set_mind(self, mind: Mind) -> None:
        """Replace the mind."""
        self.state = replace(self.state, mind=mind)

    def set_autonomy(self, autonomy: AutonomyState) -> None:
        """Take on an autonomous state."""
        if autonomy != self.mind.autonomy:
            self.set_mind(replace(self.mind, autonomy=autonomy))

    def set_drives(self, drives: Drives) -> None:
        """Take on changed drives."""
        if drives != self.mind.drives:
            self.set_mind(replace(self.mind, drives=drives))

    def reply(self, to: str, reply: Reply) -> None:
        """Answer the requester, if anybody waits."""
        if to:
            self.commands.append(Respond(to=to, reply=reply))

    def note(self, card_id: str, body: AnyStep) -> None:
        """Append to the card's episode."""
        self.changes.append(Step(card_id=card_id, at=self.now, body=body))

    def view(self, card: Card, run_state: RunState | None = None) -> Prediction:
        """Return the card as everybody outside sees it."""
        return prediction_of(card, self.state.policy, run_state)

    def add(self, card: Card) -> None:
        """Store a new card; it waits for the person."""
        self.changes.append(AddCard(card=card))
        self._count(card, 1)
        self.count_held(int(card.held is not None))

    def move(self, card: Card, reason: MoveReason) -> Card:
        """Move a card by the table of its life and store it, with a compare-and-set on what it was.

        `card` may carry other changed fields; its `version` and `status` are still the stored ones. What follows from
        the move alone is done here: a card that comes back is unanswered, and the open ones are counted.
        """
        before, after = card.status, move(card.status, reason)
        moved = replace(card, status=after, status_reason=reason, held=None)
        self.count_held(-int(card.held is not None))
        if reason in RETURNS:
            moved = replace(moved, settled=None, settled_at=None, snoozed_until=None, returned_at=self.now)
        if after is not before:
            if after is Status.PENDING:
                moved = replace(moved, round=card.round + 1, execution_id=None)
            self._count(card, (after is Status.PENDING) - (before is Status.PENDING))
            if card.session:
                self.world.end_question(card.session, card.id)
        self.note(card.id, Moved(before=before, after=after, reason=reason))
        return self.keep(moved, was=before)

    def keep(self, card: Card, *, was: Status | None = None) -> Card:
        """Store changed fields of a card; without `was`, of one that stays where it is."""
        kept = replace(card, version=card.version + 1)
        self.changes.append(MoveCard(card=kept, expect_version=card.version, expect_status=was or card.status))
        return kept

    def recount(self) -> None:
        """Take over what the store counted, now and then, so that several hubs agree."""
        self.state = replace(self.state, open_count=self.facts.open_count, open_asks=self.facts.open_asks)

    def device(self, surface: str, name: str) -> Device | None:
        """Return a device as it is so far."""
        return next((one for one in self.state.devices if (one.surface, one.device) == (surface, name)), None)

    def put_device(self, device: Device) -> None:
        """Store a device as it is from now on."""
        others = tuple(d for d in self.state.devices if (d.surface, d.device) != (device.surface, device.device))
        self.state = replace(self.state, devices=(*others, device))
        self.changes.append(PutDevice(device=device))

    def count_held(self, by: int) -> None:
        """Count the open cards that nobody was told of yet."""
        if by:
            self.state = replace(self.state, held=max(0, self.state.held + by))

    def _count(self, card: Card, by: int) -> None:
        """Count the open cards, and how many questions each client has among them."""
        asks = self.state.open_asks
        if by and card.proposal.source is Source.ASK:
            whose = card.proposal.signature
            asks = {**asks, whose: max(0, asks.get(whose, 0) + by)}
        self.state = replace(self.state, open_count=max(0, self.state.open_count + by), open_asks=asks)
