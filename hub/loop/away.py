"""What happened while the person was away, told once when they are back (CROSSPOLL, appendix A, 16:00).

Theory: an absence begins with the last sign of the person and is one once it has lasted as long as the silence after
which Pulse may act alone. What happens is counted from each sign on; a sign that comes sooner restarts the count,
one that comes later ends the absence, and what was counted is what they are told. Answering a card is no sign: who
approves from a walk is still away. Nothing happened, or nothing but cards that wait anyway, is not worth a word.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.words import DISMISSING, GRANTING, Verb
from hub.domain.mind import Absence, Returned
from hub.domain.requests import AgentFinished, Noted
from hub.domain.suggestion import Card
from hub.loop import today
from hub.loop.commands import WakeAt
from hub.loop.digests import NOTE_AFTER
from hub.loop.draft import Draft
from hub.loop.views import status_of

SAME_SIGN = timedelta(minutes=1)
"""Signs that come so soon after another, with nothing between them, are one; each would be a write."""


def sign(draft: Draft, at: datetime) -> None:
    """Note a sign of the person: it restarts the count, or ends an absence."""
    absence = draft.mind.absence
    if absence is None or at > absence.since:
        _begin(draft, absence, min(at, draft.now))


def _begin(draft: Draft, absence: Absence | None, at: datetime) -> None:
    away_s = draft.state.policy.timing.silence_s
    was_away = absence is not None and at - absence.since >= timedelta(seconds=away_s)
    returned = draft.mind.returned
    if absence is not None and was_away:
        is_news = absence.alone or absence.failed or absence.approved or absence.rejected or absence.finished
        returned = Returned(at=draft.now, absence=absence) if is_news else None
    if not was_away and absence is not None and _is_empty(absence) and at - absence.since < SAME_SIGN:
        return
    is_news_now = returned is not None and returned != draft.mind.returned
    draft.set_mind(replace(draft.mind, absence=Absence(since=at), returned=returned))
    if is_news_now:
        draft.commands.append(WakeAt(at=draft.now + NOTE_AFTER))


def made(draft: Draft) -> None:
    """Count a new card."""
    _count(draft, made=1)


def answered(draft: Draft, verb: Verb) -> None:
    """Count a person's answer."""
    today.count(draft, approved=int(verb in GRANTING), rejected=int(verb in DISMISSING))
    _count(draft, approved=int(verb in GRANTING), rejected=int(verb in DISMISSING))


def ended(draft: Draft, card: Card, *, is_well: bool) -> None:
    """Count the end of a run: what was done alone, and what failed, no matter who began it."""
    today.count(draft, done=int(is_well), failed=int(not is_well))
    if card.autonomous or not is_well:
        _count(draft, alone=int(is_well), failed=int(not is_well))


def paired(draft: Draft, pairs: int) -> None:
    """Count new training pairs."""
    if pairs:
        _count(draft, pairs=pairs)


def on_agent_finished(draft: Draft, request: AgentFinished, reply_to: str) -> None:
    """Count that an agent of the person's has finished: on their return they want to know that it waits."""
    del request
    _count(draft, finished=1)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _count(draft: Draft, **by: int) -> None:
    absence = draft.mind.absence
    if absence is not None:
        more = {name: getattr(absence, name) + number for name, number in by.items()}
        draft.set_mind(replace(draft.mind, absence=replace(absence, **more)))


def _is_empty(absence: Absence) -> bool:
    return absence == Absence(since=absence.since)
