"""The drives as the loop moves them: pressed by each look, woken by need, decayed by what was really done (DRIVES 2-5).

A look says what stands open; between looks pressure grows along straight lines, so the next crossing is computed and
woken up for. A wake begins a cycle whose ideas are those of the heaviest drive. What it brings up rests for a while;
what is then done about it, or reported, lets the pressure fall.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.drives import Outcome, WakeRule
from hub.contract.words import Status
from hub.domain.drive_requests import DrivesShown, LookAtDrives
from hub.domain.drives import Drive, DriveRules, Drives, DriveVerdict, Feedback, PutWake, Wake
from hub.domain.requests import FeedbackTaken, Refused, TakeFeedback
from hub.domain.situation import Situation
from hub.domain.suggestion import WAKE_AGENT, Candidate, Card
from hub.loop import outside_wakes
from hub.loop.commands import WakeAt
from hub.loop.draft import Draft
from hub.loop.drive_model import consult
from hub.loop.drive_verdict import is_paused, next_look, rules_in, verdict_at
from hub.loop.drive_views import view_of
from hub.loop.state import Cycle
from hub.what import doable, idle, wants
from hub.when.drives import (
    addressed,
    brought,
    changed,
    heard_with,
    looked,
    pressure_at,
    waiting,
    with_built_in,
    without,
    without_ended,
)

HOUR = timedelta(hours=1)


def rules_of(draft: Draft) -> DriveRules:
    """Return the person's rules with what mutations changed of them."""
    return rules_in(draft.state)


def begin(draft: Draft) -> None:
    """Have the drives there from the start on, so that they can be seen, weighed and spiked before the first look."""
    rules = rules_of(draft)
    if rules.enabled:
        draft.set_drives(with_built_in(draft.mind.drives, rules))


def press(draft: Draft, situation: Situation) -> None:
    """Let a look press the drives: news spikes, what is gone takes its pressure along."""
    rules = rules_of(draft)
    if not rules.enabled:
        return
    shown, known = draft.facts.open_keys, draft.state.known
    found = wants(_comes_up(draft, situation), draft.mind, known, shown, draft.now)
    pressing = {want.key for each in found.values() for want in each} | set(shown)
    rest = idle(draft.ideas(situation), draft.mind, known, pressing, draft.now)
    draft.state = replace(draft.state, idle=rest)
    drives = with_built_in(without_ended(draft.mind.drives, rules, draft.now), rules)
    draft.set_drives(looked(drives, found, rules, draft.now, blind=_blind(situation)))
    _wait(draft, shown)


def _comes_up(draft: Draft, situation: Situation) -> tuple[Candidate, ...]:
    """Return what a wake could bring up: what somebody here could do, or all of it to an agent outside that is told."""
    policy, found = draft.state.policy, draft.ideas(situation)
    return found if policy.wake_channel is not None else doable(policy, found)


def woken(draft: Draft) -> Wake | None:
    """Return the wake that is due now, noted as such, or None; the verdict is kept where it is another than before."""
    # Before a model is asked, or its yes is spent: this turn is taken then, and no wake would follow from either.
    is_taken = not is_paused(draft.state) and outside_wakes.is_tried_again(draft, rules_of(draft))
    verdict = verdict_at(draft.state, draft.now)
    verdict = verdict if is_taken else consult(draft, verdict)
    before = draft.state.verdict
    if before is None or _gist(before) != _gist(verdict):
        draft.state = replace(draft.state, verdict=verdict)
    return None if is_taken or verdict.woken_by is None else _wake(draft, verdict, verdict.woken_by)


def _gist(verdict: DriveVerdict) -> tuple[object, ...]:
    """Return what makes a verdict another one; the moment at which an agent is tried again is told anew each time."""
    return verdict.rule, verdict.drive, verdict.until if verdict.rule == "away" else None


def next_moment(draft: Draft) -> datetime | None:
    """Return when the drives are to be looked at again: the next crossing, or the end of what speaks against waking."""
    return next_look(draft.state, draft.now)


def _wake(draft: Draft, verdict: DriveVerdict, rule: WakeRule) -> Wake:
    """Note a wake by `rule`; the cycle that follows says what came of it."""
    made = Wake(
        id=draft.new_id("wake"),
        at=draft.now,
        rule=rule,
        drive=verdict.drive,
        pressure=verdict.pressure,
        total=verdict.total,
        threshold=verdict.single_threshold if rule == "single" else verdict.threshold,
    )
    lately = tuple(at for at in draft.mind.drives.woke_at if draft.now - HOUR < at <= draft.now)
    draft.set_drives(replace(draft.mind.drives, woke_at=(*lately, draft.now)))
    draft.changes.append(PutWake(user=draft.state.user, wake=made))
    return made


def note_cycle(draft: Draft, cycle: Cycle, card: Card | None, *, triggered: bool) -> None:
    """A cycle has ended: what it brought up rests, and so does all else of the drive that began it.

    Where nothing was thought about (the person paused Pulse meanwhile, the sensors did not answer), nothing was.
    """
    if card is not None:
        _wait(draft, (card.proposal.reason_key,))
    wake = cycle.wake
    if wake is None:
        return
    ended: Literal["card", "refused", "nothing"] = "nothing" if card is None else "card" if triggered else "refused"
    told = replace(wake, ended=ended, card_id=None if card is None else card.id, ended_at=draft.now)
    choice = cycle.choice
    is_outside = choice is not None and choice.proposal.kind == WAKE_AGENT
    if choice is not None and is_outside:
        told = _note_outside(draft, replace(told, place=choice.proposal.agent), card, triggered=triggered)
    draft.changes.append(PutWake(user=draft.state.user, wake=told))
    if cycle.situation is not None and not (is_outside and card is None):
        draft.set_drives(changed(draft.mind.drives, wake.drive, lambda one: brought(one, draft.now)))


def _note_outside(draft: Draft, wake: Wake, card: Card | None, *, triggered: bool) -> Wake:
    """A message to the agent outside is on a card, or under way; one that came too soon is no card, and comes again."""
    if card is None:
        return replace(wake, ended="refused")
    if triggered:
        wake = wake if card.status is Status.PENDING else replace(wake, ended="", ended_at=None)
        outside_wakes.begun(draft, wake)
    return wake


def note_done(draft: Draft, card: Card, outcome: Outcome) -> None:
    """A run of Pulse's own has ended: the drive whose matter it was decays by what was proven."""
    key, rules = card.proposal.reason_key, rules_of(draft)
    drive = _of_want(draft.mind.drives, key)
    if drive is None:
        return
    after = addressed(drive, rules, draft.now, outcome)
    after = without(after, key) if outcome == "success" else after
    draft.set_drives(changed(draft.mind.drives, drive.name, lambda _: after))


def on_feedback(draft: Draft, request: TakeFeedback, reply_to: str) -> None:
    """Whoever did the work reports what came of it; the same report counts once."""
    feedback, drives = request.feedback, draft.mind.drives
    unknown = tuple(name for name in feedback.drives if drives.named(name) is None)
    if unknown or not feedback.drives:
        draft.reply(reply_to, _unknown(unknown, drives))
        return
    if feedback.key and feedback.key in drives.heard:
        draft.reply(reply_to, FeedbackTaken(repeated=True))
        return
    rules = rules_of(draft)
    named = [one for one in drives.drives if one.name in feedback.drives]
    moved = tuple(_moved(draft, rules, one, feedback) for one in named)
    outside_wakes.reported(draft, feedback)
    if feedback.key:
        draft.set_drives(replace(draft.mind.drives, heard=heard_with(draft.mind.drives.heard, feedback.key)))
    draft.reply(reply_to, FeedbackTaken(decayed=moved))


def on_look(draft: Draft, request: LookAtDrives, reply_to: str) -> None:  # noqa: ARG001  it has no fields
    """Show what presses; nothing changes by it."""
    draft.reply(reply_to, DrivesShown(view=view_of(draft.state, draft.now), rules=draft.state.policy.drives))


def wake_up(draft: Draft) -> None:
    """Tick at the next crossing."""
    at = next_moment(draft)
    if at is not None and draft.state.cycle is None:
        draft.commands.append(WakeAt(at=max(at, draft.now)))


def _moved(draft: Draft, rules: DriveRules, before: Drive, feedback: Feedback) -> tuple[str, float, float]:
    after = addressed(before, rules, draft.now, feedback.outcome)
    draft.set_drives(changed(draft.mind.drives, before.name, lambda _: after))
    return before.name, pressure_at(before, rules, draft.now), after.pressure


def _blind(situation: Situation) -> frozenset[str]:
    """Return the sensors that could not read; one of which a part is missing (`git:PATH`) has not seen all either."""
    return frozenset(name.partition(":")[0] for name in situation.unknown)


def _wait(draft: Draft, keys: Collection[str]) -> None:
    """What waits for the person's answer wakes nobody meanwhile."""
    drives, rules = draft.mind.drives, rules_of(draft)
    draft.set_drives(replace(drives, drives=tuple(waiting(one, keys, rules, draft.now) for one in drives.drives)))


def _of_want(drives: Drives, key: str) -> Drive | None:
    return next((drive for drive in drives.drives if any(want.key == key for want in drive.wants)), None)


def _unknown(names: tuple[str, ...], drives: Drives) -> Refused:
    said = ", ".join(drive.name for drive in drives.drives)
    detail = f"No drive is called {', '.join(names)}." if names else "The report names no drive."
    return Refused(code="unknown-drive", status=422, detail=detail, fix=f"Name some of: {said}." if said else "")
