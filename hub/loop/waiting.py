"""Triggers that come while a cycle is under way: a person's waits a little, more are told that Pulse is busy."""

from msgspec.structs import replace

from hub.domain.moment import Occasion
from hub.domain.requests import Refused, Trigger
from hub.loop.commands import WakeAt
from hub.loop.draft import Draft
from hub.loop.state import Cycle, WaitingTrigger
from hub.loop.views import seconds

WAITING_MAX = 8
"""So many triggers wait for a cycle under way to end; more are told at once that Pulse is busy."""


def wait_or_refuse(draft: Draft, current: Cycle, trigger: Trigger | None, reply_to: str) -> None:
    """Let a person's trigger wait a little for a cycle that nobody asked for; its own suggestion is another matter."""
    waiting = draft.state.waiting
    if trigger is None or not reply_to or current.occasion is Occasion.MANUAL or len(waiting) >= WAITING_MAX:
        draft.reply(reply_to, _busy())
        return
    until = draft.now + seconds(draft.state.limits.trigger_wait_s_max)
    one = WaitingTrigger(trigger=trigger, reply_to=reply_to, until=until)
    draft.state = replace(draft.state, waiting=(*waiting, one))
    draft.commands.append(WakeAt(at=until))


def refuse_late(draft: Draft) -> None:
    """Tell those whose trigger has waited long enough that Pulse is busy."""
    for one in draft.state.waiting:
        if one.until <= draft.now:
            draft.reply(one.reply_to, _busy())
    draft.state = replace(draft.state, waiting=tuple(one for one in draft.state.waiting if one.until > draft.now))


def _busy() -> Refused:
    return Refused(
        code="cycle-running",
        status=409,
        detail="Pulse is already thinking.",
        fix="Its suggestion will appear in a moment: `pulse cards`.",
    )
