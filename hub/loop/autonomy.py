"""The autonomous state as the loop moves it: pauses, resumptions, and what a person's answers do to them."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.events import Paused, Resumed
from hub.contract.phrasing import Phrasing
from hub.contract.words import DISMISSING, Autonomy, Origin, Verb
from hub.domain.mind import AutonomyState, Tally
from hub.domain.moment import Change
from hub.domain.suggestion import Card
from hub.kit.text import one_line
from hub.loop.draft import Draft
from hub.loop.news import note
from hub.loop.tell import tell
from hub.may import after_answer, after_regret, after_undone_rejection, regrets_of
from hub.when import Happening, advance

TALLIES_MAX = 200
"""Kinds of suggestion whose answers are counted."""
EXAMPLE_CHARS_MAX = 120
"""Of the suggestion by which a kind is shown."""


def happen(draft: Draft, happening: Happening, reason: str = "", wording: Phrasing | None = None) -> None:
    """Advance the machine of CROSSPOLL 5.2 and tell everybody when it pauses or goes on; a `reason` is more exact."""
    after = advance(draft.mind.autonomy, happening, draft.now)
    if after is not draft.mind.autonomy:
        become(draft, replace(after, reason=reason, wording=wording) if reason else after)


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
    """Count an answer: for the kind's pattern and its dismissals in a row, for the gate, and the end of onboarding."""
    ledger = after_answer(draft.mind.ledger, verb, draft.now)
    tallies = _tallied(draft.mind.tallies, card, verb, draft.now)
    draft.set_mind(replace(draft.mind, ledger=ledger, tallies=tallies))


def uncount_dismissal(draft: Draft, card: Card) -> None:
    """Count a dismissal as if it had never been: the person has thought better of it."""
    mind, kind = draft.mind, card.proposal.kind
    tallies = mind.tallies
    if kind in tallies:
        before = tallies[kind]
        after = replace(before, rejected=max(0, before.rejected - 1), in_row=max(0, before.in_row - 1))
        tallies = {**tallies, kind: after}
    draft.set_mind(replace(mind, ledger=after_undone_rejection(mind.ledger), tallies=tallies))


def count_regret(draft: Draft) -> None:
    """Count that a person stopped or took back what Pulse did alone; too many of them pause it."""
    ledger = after_regret(draft.mind.ledger, draft.now)
    draft.set_mind(replace(draft.mind, ledger=ledger))
    regrets = regrets_of(ledger, draft.now)
    if regrets >= draft.state.policy.rejections_to_pause:
        wording = Phrasing(code="because.taken_back", values={"count": str(regrets)})
        reason = f"you undid {regrets} things that Pulse did on autopilot"
        happen(draft, Happening.REJECTED_TOO_OFTEN, reason, wording)


def after_noes(draft: Draft) -> str:
    """Return what the person is told once as many noes in a row as may be let nothing run alone; empty before."""
    rejections, limit = draft.mind.ledger.rejections_in_row, draft.state.policy.rejections_to_pause
    if not draft.state.policy.autonomous or rejections != limit:
        return ""
    return f"{rejections} noes in a row: autopilot is off until you say yes to something."


def _tallied(tallies: dict[str, Tally], card: Card, verb: Verb, now: datetime) -> dict[str, Tally]:
    kind = card.proposal.kind
    if kind not in tallies and len(tallies) >= TALLIES_MAX:
        return tallies
    before = replace(tallies.get(kind, Tally()), last_at=now)
    if verb not in DISMISSING:
        return {**tallies, kind: replace(before, approved=before.approved + 1, in_row=0)}
    rejected = replace(before, rejected=before.rejected + 1)
    if card.proposal.origin is not Origin.PERSON:  # who dismisses what they asked for has not had enough of anything
        rejected = replace(
            rejected,
            in_row=before.in_row + 1,
            example=one_line(card.prompt, EXAMPLE_CHARS_MAX),
            example_worded=card.proposal.prompt_worded,
        )
    return {**tallies, kind: rejected}


def spoke(draft: Draft, at: datetime) -> None:
    """A person said something to an agent: silence ends, Pulse goes back to watching."""
    last = draft.mind.last_message_at
    if last is None or at > last:
        draft.set_mind(replace(draft.mind, last_message_at=min(at, draft.now)))
        happen(draft, Happening.PERSON_SPOKE)
        note(draft, Change.MESSAGE, at=at)
