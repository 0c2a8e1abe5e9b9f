"""What a choice rests on, gathered while it is made, so that it can be kept with it and made again."""

from collections.abc import Collection

from hub.domain.episode import ChoiceBasis, Proposed
from hub.domain.likelihood import Estimate, Features
from hub.domain.moment import Occasion
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Likely
from hub.learn.yes import excerpt
from hub.loop.draft import Draft
from hub.loop.likelihood import around
from hub.loop.state import Cycle


class NotedEstimates:
    """Estimates, and remembers about what."""

    def __init__(self, likely: Likely) -> None:
        self._likely = likely
        self.abouts: list[Features] = []

    def __call__(self, idea: Candidate, channel: str) -> Estimate:
        """Return how likely a yes is."""
        found = self._likely(idea, channel)
        self.abouts.append(found.about)
        return found


def basis_of(
    draft: Draft,
    cycle: Cycle,
    situation: Situation,
    choice: Proposed,
    *,
    only: Collection[str] | None,
    noted: NotedEstimates,
    again: str | None = None,
) -> ChoiceBasis:
    """Return what this choice rested on; the state is still as it was when it was made.

    `again` is the reason of the open card that was looked at once more: neither it nor any other stood in the way.
    """
    mind = draft.mind
    known = {key: said for key, said in draft.state.known.items() if key != again}
    happened, presence = around(draft, cycle)
    reasons = {choice.proposal.reason_key, *(idea.reason_key for idea in draft.ideas(situation))}
    return ChoiceBasis(
        at=draft.now,
        tallies=mind.tallies,
        mutes=mind.mutes,
        channel_last_at=mind.channel_last_at,
        known={key: known[key] for key in sorted(reasons & known.keys())},
        open_keys=tuple(draft.facts.open_keys) if again is None else (),
        channel=cycle.channel,
        hint=cycle.hint,
        by_program=cycle.by_program,
        asked=cycle.occasion is Occasion.MANUAL,
        only=None if only is None else tuple(sorted(only)),
        happened=happened,
        presence=presence,
        model=excerpt(draft.state.habits.model, noted.abouts),
        risk=choice.proposal.risk,
    )
