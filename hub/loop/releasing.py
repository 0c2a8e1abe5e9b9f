"""What was held is told: at a breakpoint, at the time of a digest, or when the person is back.

Theory: one card alone comes as it would have come; several at once, and whatever waited for a digest, come as a
digest, which is one interruption. What came in quiet hours is told at their end. Once the day's are spent, either
comes silently. Nothing is told in quiet hours, in mid-typing or in a meeting: it waits for their end. What a digest
has no room for stays held for the next one. Each card is told once, since its mark goes with the telling. What waited
for a good moment is weighed again when that has come, with how likely a yes is by then: it may come silently, or wait
on for the digest.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.words import Status
from hub.domain.attention import Doing, Weighed
from hub.domain.episode import Released
from hub.domain.provenance import say
from hub.domain.suggestion import Card
from hub.loop.attention import doing_of, held, last_breakpoint, meeting_ends, pause_begins, spend, weigh_again
from hub.loop.digests import give, let_go
from hub.loop.draft import Draft
from hub.loop.tell import tell_new
from hub.loop.views import seconds
from hub.loop.when_told import estimated_now
from hub.when import is_quiet, quiet_ended, quiet_ends
from hub.where import BUSY, digest_after, digest_before

MORNING = say("Quiet hours ended.").text
GOOD_MOMENT = say("It was a good moment.").text
DIGEST_TIME = say("It was time for a digest.").text
BACK = say("You were back.").text
BY_ITSELF = frozenset({GOOD_MOMENT, MORNING})


class Due(NamedTuple):
    """A card whose moment has come, why, and how telling it now was weighed; None where it comes in any case."""

    card: Card
    why: str
    weighed: Weighed | None


class Moments(NamedTuple):
    """The latest moments at which what is held may be told, as far as there were any."""

    breakpoint: datetime | None
    morning: datetime | None
    digest: datetime | None
    returned: datetime | None


def release(draft: Draft) -> None:
    """Tell what was held and is due; what waits for an agent's own dialog is told by itself (`at_agent.py`)."""
    pending = [card for card in draft.facts.held if card.status is Status.PENDING and card.expires_at > draft.now]
    draft.state = replace(draft.state, held=len(pending))
    waiting = [card for card in pending if card.held is not None and card.held.until != "dialog"]
    doing = doing_of(draft)
    if (
        not waiting
        or doing in BUSY
        or _is_looking(draft)
        or is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)
    ):
        return
    moments = _moments(draft, doing)
    due = [_due(draft, card, said) for card in waiting if (said := _why_now(draft, card, moments)) is not None]
    told = [one for one in due if not _waits_on(draft, one)]
    is_heard = any(one.weighed is None or one.weighed.telling == "loud" for one in told)
    if len(told) == 1 and told[0].why in BY_ITSELF:
        card = let_go(draft, told[0].card, Released(in_digest=False, why=told[0].why))
        tell_new(draft, card, is_heard=is_heard and spend(draft))
    elif told:
        _give(draft, told, is_heard=is_heard and spend(draft))


def _due(draft: Draft, card: Card, why: str) -> Due:
    """Return a card whose moment has come, as it is now; what waited for a digest comes with it, without more ado."""
    card = estimated_now(draft, card)
    weighed = weigh_again(draft, card) if why == GOOD_MOMENT else None
    return Due(card=card, why=why, weighed=weighed)


def _waits_on(draft: Draft, due: Due) -> bool:
    """Hold on to what has become less worth an interruption than when it was found, and say so."""
    weighed, before = due.weighed, due.card.held
    if weighed is None or before is None or weighed.telling == "loud":
        return False
    draft.note(due.card.id, weighed)
    after = held(draft, replace(due.card, when_told=None, held=None), weighed)
    if after.held is None:
        return False
    draft.keep(after)
    return True


def next_release(draft: Draft) -> datetime | None:
    """Return when what is held may be due next by the clock alone; None where nothing is, or nothing is known."""
    if not draft.state.held:
        return None
    policy, busy_at, dnd_until = draft.state.policy, draft.state.changes.busy_at, draft.mind.dnd_until
    rested = None if busy_at is None else busy_at + seconds(policy.timing.edit_quiet_s)
    digest = digest_after(policy.attention, policy.zone, draft.now)
    morning = quiet_ends(policy, dnd_until, draft.now)
    moments = (rested, pause_begins(draft), meeting_ends(draft), digest, morning)
    return min((moment for moment in moments if moment is not None and moment > draft.now), default=None)


def _is_looking(draft: Draft) -> bool:
    """Say whether a look is under way or about to be: what it shows to have passed is not to be told before."""
    return draft.state.cycle is not None or draft.state.changes.events is not None


def _moments(draft: Draft, doing: Doing) -> Moments:
    policy = draft.state.policy
    is_there = doing != "away"
    return Moments(
        breakpoint=last_breakpoint(draft) if is_there else None,
        morning=quiet_ended(policy, draft.mind.dnd_until, draft.now),
        digest=digest_before(policy.attention, policy.zone, draft.now),
        returned=draft.state.returned_at if is_there else None,
    )


def _why_now(draft: Draft, card: Card, moments: Moments) -> str | None:
    """Say why a held card is told now; None where it goes on waiting."""
    held, attention = card.held, draft.state.policy.attention
    if held is None or held.until == "never":
        return None
    if moments.digest is not None and held.since < moments.digest:
        return DIGEST_TIME
    is_back = moments.returned is not None and held.since < moments.returned
    if is_back and (held.until == "breakpoint" or attention.digest_on_return):
        return BACK
    waits_for_digest = held.until == "digest" and (attention.digest_times or attention.digest_on_return)
    if held.until == "breakpoint" and moments.morning is not None and held.since < moments.morning:
        return MORNING
    came = moments.breakpoint is not None and held.since < moments.breakpoint
    return GOOD_MOMENT if came and not waits_for_digest else None


def _give(draft: Draft, due: Sequence[Due], *, is_heard: bool) -> None:
    """Tell of several as one; those for which there is no room wait for the next digest."""
    made = give(draft, [draft.view(replace(one.card, held=None)) for one in due], is_heard=is_heard)
    shown = {card.id for card in made.cards}
    for one in due:
        if one.card.id in shown:
            let_go(draft, one.card, Released(in_digest=True, why=one.why))
        else:
            draft.keep(replace(one.card, when_told=None, held=Held(until="digest", since=draft.now)))
