"""Asking the rails again, offline, with nothing but what an episode has kept."""

import msgspec

from hub.domain.episode import Judged, Proposed, Step
from hub.domain.judgement import Judgement
from hub.domain.provenance import decoded, encoded
from hub.domain.storage import RecentCards, StepsOf
from hub.may import judge
from tests.fakes.world import World

LIMIT = 1_000


async def judged_again(world: World) -> list[tuple[Judged, Judgement]]:
    """Return every judgement that was stored, and what the rails say to the same question now."""
    user, pairs = world.state.user, []
    for card in await world.store.read(RecentCards(user=user, limit=LIMIT)):
        steps = await world.store.read(StepsOf(user=user, card_id=card.id, limit=LIMIT))
        kept = msgspec.json.encode(steps, enc_hook=encoded)
        pairs += _again(msgspec.json.decode(kept, type=tuple[Step, ...], dec_hook=decoded))
    return pairs


def _again(steps: tuple[Step, ...]) -> list[tuple[Judged, Judgement]]:
    proposals = [step.body.proposal for step in steps if isinstance(step.body, Proposed)]
    pairs = []
    for step in steps:
        body = step.body
        if isinstance(body, Judged):
            assert body.asked is not None
            again = judge(proposals[0], policy=body.policy, ledger=body.ledger, now=step.at, asked=body.asked)
            pairs.append((body, again))
    return pairs
