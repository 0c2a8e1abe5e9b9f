"""The autonomous state as the loop moves it: pauses, resumptions, and what a person's answers do to them."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.events import Paused, Resumed
from hub.contract.words import Autonomy, Verb
from hub.domain.mind import AutonomyState, Tally
from hub.domain.suggestion import Card
from hub.loop.draft import Draft
from hub.loop.tell import tell
from hub.may import after_answer
from hub.when import Happening, advance

TALLIES_MAX = 200
"""Kinds of suggestion whose answers are counted."""


def happen(draft: Draft, happening: Happening, reason: str) -> None:
    """Advance the machine of CROSSPOLL 5.2 and tell everybody when it pauses or goes on."""
    after = advance(draft.mind.autonomy, happening, draft.now)
    if after is not draft.mind.autonomy:
        become(draft, replace(after, reason=reason))


def become(draft: Draft, after: AutonomyState) -> None:
    """Take on a state, and tell everybody when it pauses Pulse or lets it go on."""
    before = draft.mind.autonomy
    draft.set_autonomy(after)
    if after.state is before.state:
        return
    if after.state is Autonomy.PAUSED:
        tell(draft, Paused(reason=after.reason))
    elif before.state is Autonomy.PAUSED:
        tell(draft, Resumed())


def count_answer(draft: Draft, card: Card, verb: Verb) -> None:
    """Count an answer: for the kind's pattern, the rejections in a row, and the end of onboarding."""
    ledger = after_answer(draft.mind.ledger, verb, draft.now)
    tallies = _tallied(draft.mind.tallies, card.proposal.kind, verb)
    draft.set_mind(replace(draft.mind, ledger=ledger, tallies=tallies))
    rejections = ledger.rejections_in_row
    if verb is Verb.REJECT and rejections >= draft.state.policy.rejections_to_pause:
        happen(draft, Happening.REJECTED_TOO_OFTEN, f"{rejections} rejections in a row")


def _tallied(tallies: dict[str, Tally], kind: str, verb: Verb) -> dict[str, Tally]:
    if kind not in tallies and len(tallies) >= TALLIES_MAX:
        return tallies
    tally = tallies.get(kind, Tally())
    if verb is Verb.REJECT:
        return {**tallies, kind: replace(tally, rejected=tally.rejected + 1)}
    return {**tallies, kind: replace(tally, approved=tally.approved + 1)}


def spoke(draft: Draft, at: datetime) -> None:
    """A person said something to an agent: silence ends, Pulse goes back to watching."""
    last = draft.mind.last_message_at
    if last is None or at > last:
        draft.set_mind(replace(draft.mind, last_message_at=min(at, draft.now)))
        happen(draft, Happening.PERSON_SPOKE, "you are active")
