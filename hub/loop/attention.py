"""The person's attention as the loop knows it: what they are doing, what a day has cost them, how a card is told.

Theory: a breakpoint is a moment: a commit or a branch, the end of a run, a return, the end of a meeting, or a pause
after work with their hands. It counts for a while, unless they have gone on meanwhile. What is held stands with its
card, so a restart forgets only the moment itself; the next one, or the next digest, takes its place (`releasing.py`).
"""

from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from hub.contract.attention import Held, HeldUntil
from hub.domain.attention import Circumstances, Doing, Matter, Telling, Weighed
from hub.domain.mind import with_interruption
from hub.domain.moment import Change, Occasion
from hub.domain.situation import Situation
from hub.domain.suggestion import Card
from hub.loop.attention_views import day_of, spent_on
from hub.loop.commands import WakeAt
from hub.loop.draft import Draft
from hub.loop.state import Cycle
from hub.loop.tell import tell_new
from hub.loop.views import seconds
from hub.what import is_always_asked
from hub.when import is_quiet, quiet_ends
from hub.where import digest_after, how_to_tell

ENDS_SOMETHING = frozenset({Change.GIT, Change.TESTS, Change.RUN})
"""Changes after which a person has a hand free."""
BETWEEN = timedelta(minutes=2)
"""So long after the end of something a person counts as between two things."""
LOOKING = timedelta(minutes=5)
"""So long after something was heard a person still looks: people at work were away from what they had in hand for ten
minutes and more after an alert (Iqbal and Horvitz 2007).
"""
BREAKPOINT_IN_S = 900.0
"""A breakpoint that nobody can foresee is expected within a quarter of an hour."""
HELD: Final[dict[Telling, HeldUntil]] = {"breakpoint": "breakpoint", "digest": "digest", "never": "never"}
MEETING_MAX = timedelta(hours=20)
MEETINGS_MAX = 20


def weigh(draft: Draft, cycle: Cycle, card: Card) -> Weighed | None:
    """Say how a card is told; None where the person asked for something, or always wants to be asked about this."""
    return None if cycle.occasion is Occasion.MANUAL else weigh_again(draft, card)


def weigh_again(draft: Draft, card: Card) -> Weighed | None:
    """Say how a card is told as it is now; None where the person always wants to be asked about this."""
    proposal, estimate = card.proposal, card.estimate
    if is_always_asked(draft.mind, proposal.kind, proposal.work.workspace, proposal.channel):
        return None
    matter = Matter(
        p=estimate.p if estimate is not None and estimate.is_learnt else None,
        urgency=proposal.factors.urgency,
        left_s=(card.expires_at - draft.now).total_seconds(),
    )
    return how_to_tell(matter, circumstances(draft), draft.state.policy.attention)


def held(draft: Draft, card: Card, weighed: Weighed | None) -> Card:
    """Return the card with its mark, where it is held."""
    until = HELD.get(weighed.telling) if weighed is not None else None
    return card if until is None else replace(card, held=Held(until=until, since=draft.now))


def announce(draft: Draft, card: Card, weighed: Weighed | None) -> None:
    """Tell of a new card as it was weighed: heard, silently, or only on a list that somebody looks at."""
    is_heard = weighed is None or (weighed.telling == "loud" and spend(draft))
    tell_new(draft, card, is_heard=is_heard)


def spend(draft: Draft) -> bool:
    """Count one of the day's interruptions; return False if none is left, so that it may not be heard.

    Without a device nobody is interrupted and nothing is counted.
    """
    if all(device.revoked for device in draft.state.devices):
        return True
    zone = draft.state.policy.zone
    if spent_on(draft.mind, zone, draft.now) >= draft.state.policy.attention.interruptions_per_day:
        return False
    draft.set_mind(with_interruption(draft.mind, day_of(zone, draft.now), draft.now))
    return True


def circumstances(draft: Draft) -> Circumstances:
    """Return how it is now, as far as the loop knows."""
    policy, doing = draft.state.policy, doing_of(draft)
    return Circumstances(
        doing=doing,
        quiet=is_quiet(policy, draft.mind.dnd_until, draft.now),
        spent=spent_on(draft.mind, policy.zone, draft.now),
        just_told=_was_just_told(draft),
        breakpoint_in_s=_breakpoint_in_s(draft, doing),
        digest_in_s=_digest_in_s(draft, doing),
    )


def doing_of(draft: Draft) -> Doing:
    """Return what the person is doing."""
    timing, busy_at = draft.state.policy.timing, draft.state.changes.busy_at
    if meeting_ends(draft) is not None:
        return "meeting"
    if any(end <= draft.now <= end + BETWEEN for _, end in draft.state.meetings):
        return "between"
    absence = draft.mind.absence
    if absence is not None and draft.now - absence.since >= seconds(timing.silence_s):
        return "away"
    ended = last_breakpoint(draft)
    if ended is not None and draft.now - ended <= BETWEEN and (busy_at is None or busy_at <= ended):
        return "between"
    if busy_at is not None and draft.now - busy_at < seconds(timing.edit_quiet_s):
        return "typing"
    return "working" if busy_at is not None and draft.now - busy_at < seconds(timing.work_pause_s) else "here"


def last_breakpoint(draft: Draft) -> datetime | None:
    """Return when the person last came to the end of something."""
    moments = (draft.state.breakpoint_at, pause_begins(draft), *(end for _, end in draft.state.meetings))
    return max((moment for moment in moments if moment is not None and moment <= draft.now), default=None)


def pause_begins(draft: Draft) -> datetime | None:
    """Return when the person's hands have rested long enough, or will have."""
    busy_at = draft.state.changes.busy_at
    return None if busy_at is None else busy_at + seconds(draft.state.policy.timing.work_pause_s)


def meeting_ends(draft: Draft) -> datetime | None:
    """Return when the meetings that are on end; None without one."""
    return max((end for start, end in draft.state.meetings if start <= draft.now < end), default=None)


def note_change(draft: Draft, change: Change, at: datetime, *, is_return: bool) -> None:
    """Take note that something came to its end; what waits for such a moment is looked at."""
    if change not in ENDS_SOMETHING and not is_return:
        return
    state = replace(draft.state, breakpoint_at=at)
    draft.state = replace(state, returned_at=at) if is_return else state
    wake_held(draft)


def wake_held(draft: Draft) -> None:
    """Look at once whether what is held may be told."""
    if draft.state.held:
        draft.commands.append(WakeAt(at=draft.now))


def is_back(draft: Draft, at: datetime) -> bool:
    """Return True if a sign of the person ends an absence."""
    absence = draft.mind.absence
    return absence is not None and at - absence.since >= seconds(draft.state.policy.timing.silence_s)


def note_meetings(draft: Draft, situation: Situation) -> None:
    """Remember when meetings are; what could not be read leaves what was known."""
    if situation.meetings is not None:
        spans = [(one.starts_at, one.ends_at) for one in situation.meetings if not one.all_day]
        short = tuple(span for span in spans if span[1] - span[0] < MEETING_MAX)
        draft.state = replace(draft.state, meetings=short[:MEETINGS_MAX])


def _was_just_told(draft: Draft) -> bool:
    """Return True if the person was told of something a moment ago, and so sees at once what comes now."""
    heard_at = draft.mind.spent.heard_at
    return heard_at is not None and timedelta() <= draft.now - heard_at <= LOOKING


def _breakpoint_in_s(draft: Draft, doing: Doing) -> float | None:
    policy, dnd_until = draft.state.policy, draft.mind.dnd_until
    if is_quiet(policy, dnd_until, draft.now):
        return (quiet_ends(policy, dnd_until, draft.now) - draft.now).total_seconds()
    if doing == "between":
        return None
    if doing == "away":
        return _return_in_s(draft)
    ends = meeting_ends(draft)
    return BREAKPOINT_IN_S if ends is None else (ends - draft.now).total_seconds()


def _return_in_s(draft: Draft) -> float:
    """Return when somebody who is away is expected back: after as long again as they have been away already."""
    absence = draft.mind.absence
    return 0.0 if absence is None else (draft.now - absence.since).total_seconds()


def _digest_in_s(draft: Draft, doing: Doing) -> float | None:
    attention = draft.state.policy.attention
    at = digest_after(attention, draft.state.policy.zone, draft.now)
    waits = [] if at is None else [(at - draft.now).total_seconds()]
    if doing == "away" and attention.digest_on_return:
        waits.append(_return_in_s(draft))
    return min(waits, default=None)
