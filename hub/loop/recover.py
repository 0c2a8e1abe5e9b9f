"""After a start: take up what was stored, and be honest about what was running when the hub went away.

A queued execution was never started, so it may start now. An active one may or may not have done its work: it is
interrupted and goes back to the person, unless its agent is idempotent by key, in which case it is resumed.
"""

from msgspec.structs import replace

from hub.contract.events import PredictionReturned, PredictionSettled
from hub.contract.words import MoveReason, RunState, Status
from hub.do import CannotRun, prepare
from hub.domain.delivery import Device
from hub.domain.episode import Ran
from hub.domain.execution import Execution
from hub.domain.mind import AutonomyState, Mind
from hub.domain.moment import Occasion
from hub.domain.provenance import Wording, say
from hub.domain.storage import MoveExecution
from hub.domain.suggestion import Card
from hub.loop import drives, habits, outside_wakes, world, world_checks, world_person, world_runs, world_watch
from hub.loop.commands import Run, Start, WakeAt
from hub.loop.cycle_begin_end import begin
from hub.loop.draft import Draft
from hub.loop.events import Opened
from hub.loop.outside_wakes import is_wake
from hub.loop.tell import tell
from hub.loop.views import is_killed
from hub.may import effective, still_holding
from hub.verify import INTERRUPTED, interrupted
from hub.when import next_wake, open_until

NOT_ALONE = say("Interrupted: it was to run on autopilot, but the source of its text is no longer known")
RESUMED = say("It continues after a restart of Pulse.")


def on_opened(draft: Draft, event: Opened) -> None:
    """Take up the stored mind, devices and executions, then have a first look."""
    mind = event.mind or Mind(autonomy=AutonomyState(since=draft.now))
    overrides = still_holding(mind.overrides, draft.state.file_policy)
    draft.state = replace(
        draft.state,
        policy=effective(draft.state.file_policy, overrides.patch),
        mind=replace(mind, started_at=draft.now, overrides=overrides),
        known={known.key: known.signature for known in reversed(event.known)},
        devices=tuple(_unseen(draft, device) for device in event.devices),
        open_count=event.open_count,
        open_asks=event.open_asks,
        held=event.held,
    )
    habits.on_opened(draft, event.taught)
    world.on_opened(draft, event)
    world_person.on_opened(draft, event.session_cards)
    world_checks.on_opened(draft)
    for execution, card in event.executions:
        _take_up(draft, execution, card)
    world_runs.on_opened(draft)
    drives.begin(draft)
    world_watch.begin(draft)
    outside_wakes.end_interrupted(draft, event.wakes, resumed=_resumed(draft, event))
    begin(draft, Occasion.START)
    draft.commands.append(WakeAt(at=next_wake(draft.mind, draft.state.policy, draft.now)))


def _resumed(draft: Draft, event: Opened) -> frozenset[str]:
    """Return the wakes whose message to an agent goes on, or begins, after the start."""
    going = {*draft.state.running, *draft.state.queued}
    cards = (card for execution, card in event.executions if execution.id in going and card is not None)
    return frozenset(card.proposal.signature for card in cards if is_wake(card))


def _unseen(draft: Draft, device: Device) -> Device:
    """Nobody counts as there until it says so; who was there when the hub stopped has left only now.

    A page that was open is given a while to come back, and is said to have left if it does not: then what nobody saw
    on it is pushed.
    """
    profile = draft.state.profiles.get(device.profile)
    if not device.online or (profile is not None and profile.live_while_present):
        return device
    return replace(device, online=False, left_at=draft.now)


def _take_up(draft: Draft, execution: Execution, card: Card | None) -> None:
    if card is None or card.status is not Status.CONFIRMED:
        _interrupt(draft, execution, None, INTERRUPTED)
    elif execution.autonomous and not card.proposal.is_our_own:
        _interrupt(draft, execution, card, NOT_ALONE)  # permitted by an earlier version, which did not know whose words
    elif execution.state is RunState.QUEUED:
        draft.state = replace(draft.state, queued=(*draft.state.queued, execution.id))
        draft.commands.append(Start(execution_id=execution.id))
    elif not _resume(draft, execution, card):
        _interrupt(draft, execution, card, INTERRUPTED)


def _resume(draft: Draft, execution: Execution, card: Card) -> bool:
    agent = draft.state.policy.agent(execution.agent)
    job = prepare(execution.permit, draft.state.policy)
    if agent is None or isinstance(job, CannotRun) or is_killed(draft.state):
        return False
    if card.check_of or (
        not agent.idempotent and not is_wake(card)
    ):  # a message to an agent has a key, by which it is taken once
        return False
    _note(draft, execution, card, RunState.ACTIVE, RESUMED)
    draft.state = replace(draft.state, running=(*draft.state.running, execution.id))
    draft.commands.append(Run(card_id=card.id, job=job))
    return True


def _interrupt(draft: Draft, execution: Execution, card: Card | None, why: Wording) -> None:
    ended = replace(execution, state=RunState.INTERRUPTED, ended_at=draft.now, proof=why.text, proof_worded=why.worded)
    draft.changes.append(MoveExecution(execution=ended, expect_state=execution.state))
    if card is None:
        return
    _note(draft, execution, card, RunState.INTERRUPTED, why)
    expires_at = max(card.expires_at, open_until(draft.state.policy, draft.mind.dnd_until, draft.now))
    came = replace(card, outcome=why.text, result=interrupted(execution, draft.now), expires_at=expires_at)
    back = draft.move(came, MoveReason.INTERRUPTED)
    if card.works_for:  # its session asks; two questions could let it run twice
        gone = draft.move(back, MoveReason.WITHDRAWN)
        tell(draft, PredictionSettled(prediction=draft.view(gone, RunState.INTERRUPTED)), gone)
        return
    tell(draft, PredictionReturned(prediction=draft.view(back, RunState.INTERRUPTED), reason=why.text), back)


def _note(draft: Draft, execution: Execution, card: Card, state: RunState, why: Wording) -> None:
    draft.note(card.id, Ran(execution_id=execution.id, state=state, text=why.text, text_worded=why.worded))
