"""What the rails are asked about a card that a cycle has made."""

from msgspec.structs import replace

from hub.domain.judgement import RunRequest
from hub.domain.moment import Occasion
from hub.domain.provenance import RepositoryText
from hub.domain.situation import Situation
from hub.domain.suggestion import Card
from hub.loop.draft import Draft
from hub.loop.grants import asked_as_it_stands
from hub.loop.state import Cycle
from hub.what import is_always_asked

ONLY_PROPOSED = frozenset({Occasion.FOLLOW_UP, Occasion.START, Occasion.CHANGE})
"""What begins with these is a card in any case, and has a limit of its own; so is a need's that may not act alone."""


def asked_about(draft: Draft, card: Card, cycle: Cycle, situation: Situation) -> RunRequest:
    """Return the question about a fresh card, under the circumstances of its cycle."""
    return replace(
        asked_as_it_stands(draft, card),
        may_act=cycle.may_act and not _is_pinned(draft, card),
        from_channel=cycle.from_channel,
        force=cycle.force,
        follow_up=cycle.occasion in ONLY_PROPOSED or (cycle.occasion is Occasion.DRIVE and not cycle.may_act),
        branch=branch_of(situation, card.proposal.work.workspace),
    )


def _is_pinned(draft: Draft, card: Card) -> bool:
    proposal = card.proposal
    return is_always_asked(draft.mind, proposal.kind, proposal.work.workspace, proposal.channel)


def branch_of(situation: Situation, workspace: str | None) -> RepositoryText | None:
    """Return the branch of a workspace, where it is known."""
    repositories = situation.repositories or ()
    return next((one.branch for one in repositories if one.path == workspace), None)
