"""What the rails are asked about a card that a cycle has made."""

from hub.domain.judgement import RunRequest
from hub.domain.moment import Occasion
from hub.domain.provenance import RepositoryText
from hub.domain.situation import Situation
from hub.domain.suggestion import Card
from hub.loop.draft import Draft
from hub.loop.grants import execution_id
from hub.loop.state import Cycle
from hub.may import switched_off_by
from hub.what import is_always_asked


def asked_about(draft: Draft, card: Card, cycle: Cycle, situation: Situation) -> RunRequest:
    """Return the question about a fresh card, under the circumstances of its cycle."""
    return RunRequest(
        card_id=card.id,
        card_hash=card.card_hash,
        attempt=1,
        execution_id=execution_id(card.id, 1),
        prompt=card.prompt,
        trigger=card.trigger,
        may_act=cycle.may_act and not _is_pinned(draft, card),
        from_channel=cycle.from_channel,
        force=cycle.force,
        follow_up=cycle.occasion in {Occasion.FOLLOW_UP, Occasion.START, Occasion.CHANGE},
        branch=branch_of(situation, card.proposal.work.workspace),
        plan=card.plan,
        switched_off_by=switched_off_by(draft.state.file_policy, draft.state.patch),
    )


def _is_pinned(draft: Draft, card: Card) -> bool:
    proposal = card.proposal
    return is_always_asked(draft.mind, proposal.kind, proposal.work.workspace, proposal.channel)


def branch_of(situation: Situation, workspace: str | None) -> RepositoryText | None:
    """Return the branch of a workspace, where it is known."""
    repositories = situation.repositories or ()
    return next((one.branch for one in repositories if one.path == workspace), None)
