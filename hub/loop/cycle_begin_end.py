"""The begin and the end of a cycle: there is one at a time, and a trigger that waited for its end begins the next."""

from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.phrasing import Phrasing
from hub.domain.drives import Wake
from hub.domain.moment import Occasion
from hub.domain.requests import Trigger
from hub.domain.suggestion import Card
from hub.kit.phrasebook import sentence_code
from hub.loop import drives
from hub.loop.attention import wake_held
from hub.loop.commands import Look
from hub.loop.draft import Draft
from hub.loop.news import take_up
from hub.loop.news import wake as wake_for_changes
from hub.loop.state import Cycle
from hub.loop.views import status_of
from hub.loop.waiting import wait_or_refuse


def begin(
    draft: Draft,
    occasion: Occasion,
    *,
    trigger: Trigger | None = None,
    reply_to: str = "",
    after: str = "",
    wake: Wake | None = None,
) -> None:
    """Start a cycle by looking around; one at a time.

    `after` is the channel whose finished work is followed up, `wake` the need that begins it.
    """
    if draft.state.cycle is not None:
        wait_or_refuse(draft, draft.state.cycle, trigger, reply_to)
        return
    asked = trigger or Trigger()
    cycle = Cycle(
        id=draft.new_id("cyc"),
        occasion=occasion,
        stage="looking",
        started_at=draft.now,
        reply_to=reply_to,
        channel=asked.channel,
        hint=asked.hint,
        force=asked.force,
        in_person=asked.in_person,
        by_program=asked.by_program,
        from_channel=after or None,
        returned=take_up(draft),
        wake=wake,
    )
    draft.state = replace(draft.state, cycle=cycle)
    draft.commands.append(Look(cycle_id=cycle.id))


def current(draft: Draft, cycle_id: str) -> Cycle | None:
    """Return the cycle under way, if it is this one; what a cycle that has ended asked for comes too late."""
    cycle = draft.state.cycle
    return cycle if cycle is not None and cycle.id == cycle_id else None


def end(draft: Draft, cycle: Cycle, card: Card | None, why: str, *, triggered: bool = False) -> None:
    """End a cycle and tell whoever waits for it what became of it."""
    drives.note_cycle(draft, cycle, card, triggered=triggered)
    draft.state = replace(draft.state, cycle=None)
    channel = card.proposal.channel if card else cycle.channel
    message = why or ("Pulse has a suggestion: see the card." if triggered else "")
    answer = TriggerAnswer(
        triggered=triggered,
        prediction=draft.view(card) if card else None,
        target_channel=channel,
        message=message,
        status=status_of(draft.state, draft.now),
        message_worded=Phrasing(code=sentence_code(message)) if message else None,  # most have no slots
    )
    draft.reply(cycle.reply_to, answer)
    if draft.state.waiting:
        first, *others = draft.state.waiting
        draft.state = replace(draft.state, waiting=tuple(others))
        begin(draft, Occasion.MANUAL, trigger=first.trigger, reply_to=first.reply_to)
    wake_for_changes(draft)
    wake_held(draft)
    drives.wake_up(draft)
