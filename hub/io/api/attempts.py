"""The attempts at a suggestion, with what each put out."""

import asyncio
from collections.abc import Iterable

from hub.contract.insight import RunList, RunView
from hub.domain.canonical import visible, wording_for
from hub.domain.execution import Execution
from hub.domain.lookalikes import reveal
from hub.domain.masking import mask
from hub.domain.policy import USD
from hub.domain.requests import Refused
from hub.domain.storage import ExecutionsOf
from hub.io.api import cards
from hub.io.api.call import Call, Nothing
from hub.loop.refusals import unknown_card
from hub.loop.views import result_of


async def runs(call: Call[Nothing, Nothing]) -> RunList | Refused:
    """Return every attempt at a suggestion, with its output; secrets are masked."""
    parts, card_id = call.parts, call.path["id"]
    if await cards.find(parts, card_id) is None:
        return unknown_card(card_id)
    found = await parts.store.read(ExecutionsOf(user=parts.user, card_id=card_id))
    views = await asyncio.to_thread(run_views, found)  # masking a long output takes a fraction of a second
    return RunList(runs=views, count=len(views))


def run_views(executions: Iterable[Execution]) -> tuple[RunView, ...]:
    """Return several attempts as everybody outside sees them."""
    return tuple(map(run_view, executions))


def run_view(run: Execution) -> RunView:
    """Return one attempt as everybody outside sees it."""
    result = run.result
    return RunView(
        execution_id=run.id,
        attempt=run.attempt,
        state=run.state,
        agent=run.agent,
        autonomous=run.autonomous,
        queued_at=run.queued_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        cost_usd=run.cost_microusd / USD,
        proof=visible(run.proof),
        proof_worded=wording_for(run.proof_worded, run.proof),
        # Not by `visible`, which remembers what it was given: outputs are long and looked at once.
        output="" if result is None else reveal(mask(result.output)),
        exit_code=None if result is None else result.exit_code,
        result=None if run.outcome is None else result_of(run.outcome),
        diff="" if result is None else reveal(mask(result.diff)),
        diff_cut=result is not None and result.diff_cut,
    )
