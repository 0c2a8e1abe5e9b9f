"""A card as it begins: what is proposed, what would run for it, and until when it may be answered."""

from typing import Literal

from hub.contract.words import Badge, Status
from hub.domain.canonical import card_hash
from hub.domain.plan import AnyPlan
from hub.domain.suggestion import Card, Proposal
from hub.loop.draft import Draft
from hub.when import open_until


def fresh_card(
    draft: Draft,
    proposal: Proposal,
    plan: AnyPlan | None,
    *,
    trigger: Literal["cron", "manual"],
    badges: tuple[Badge, ...] = (),
) -> Card:
    """Return a pending card for a proposal, with an id of its own, bound to what would run."""
    return Card(
        id=draft.new_id("pred"),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=proposal.prompt,
        card_hash=card_hash(proposal.prompt, proposal.channel, proposal.work, proposal.need, plan),
        created_at=draft.now,
        expires_at=open_until(draft.state.policy, draft.mind.dnd_until, draft.now),
        trigger=trigger,
        badges=badges,
        plan=plan,
    )
