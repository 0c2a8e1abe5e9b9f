"""Presence at an agent's own terminal: there its dialog comes first, and nothing else makes a sound for some seconds.

Who has just written to an agent, or answered in its dialog, sits before it. Only that agent's own word counts for this,
or any program could keep quiet what another asks. But a hook's word can be forged by what the agent has started: by
its process it looks like the hook. So **presence chooses for some seconds where a question is shown first, and nothing
else**: it keeps no card from being made or from reaching the person's devices, and it is neither a look nor an answer.

What that session asks is open at once, and seen in every list; it is told aloud only when it was not answered there in
time, or at once when the person has done something elsewhere since, or is away. Where the dialog opens only when the
hook is done, the card is told at once, and the hook waits for it briefly (`api/hooks.py`). The first answer counts.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.words import Status
from hub.domain.at_agent import AtAgent, AtAgentSeen, LookAtAgent
from hub.domain.canonical import digest
from hub.domain.episode import Released
from hub.domain.provenance import say
from hub.domain.requests import Noted
from hub.domain.suggestion import Card
from hub.loop.attention import doing_of
from hub.loop.commands import WakeAt
from hub.loop.digests import let_go
from hub.loop.draft import Draft
from hub.loop.state import SeenAtAgent
from hub.loop.tell import tell_asked
from hub.loop.views import seconds, status_of

STAYS = timedelta(minutes=5)
"""So long after their last word to an agent a person counts as sitting before it."""
TOLD_AT_ONCE = timedelta(minutes=1)
"""A card that is over within this is never kept quiet: it could be over before it was told."""
SESSIONS_MAX = 50
NOT_THERE = say("It was not answered in the agent's own dialog.").text


def on_at_agent(draft: Draft, request: AtAgent, reply_to: str) -> None:
    """A person wrote to an agent, or answered in its dialog."""
    session = digest(request.asker, request.agent, request.session)
    others = tuple(one for one in draft.state.at_agents if one.session != session)
    seen = SeenAtAgent(at=draft.now, session=session)
    draft.state = replace(draft.state, at_agents=(*others, seen)[-SESSIONS_MAX:])
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_look(draft: Draft, request: LookAtAgent, reply_to: str) -> None:
    """Tell if the agent's own dialog is to open soon; never where the person wants to be told at once."""
    is_there = _is_there(draft, request.asker, request.agent, request.session)
    draft.reply(reply_to, AtAgentSeen(is_there=is_there))


def first_there(draft: Draft, card: Card) -> Card:
    """Return the card of an agent's request, kept quiet for a moment where the person sits before that agent.

    Its signature says who asked (`asker_of`). What a subagent asks has no dialog until its card is over, so that is
    told at once.
    """
    wait_s, asked = draft.state.policy.timing.dialog_first_s, card.permission
    if asked is None or asked.subagent or card.expires_at <= draft.now + seconds(wait_s) + TOLD_AT_ONCE:
        return card
    if not _is_there(draft, card.proposal.signature, asked.agent, asked.session):
        return card
    draft.commands.append(WakeAt(at=draft.now + seconds(wait_s)))
    return replace(card, held=Held(until="dialog", since=draft.now))


def tell_unanswered(draft: Draft) -> None:
    """Tell aloud what was not answered at the agent's dialog in time."""
    wait = seconds(draft.state.policy.timing.dialog_first_s)
    for card in draft.facts.held:
        if card.held is None or card.held.until != "dialog" or card.status is not Status.PENDING:
            continue
        due = card.held.since + wait
        if due > draft.now:
            draft.commands.append(WakeAt(at=due))
        elif card.expires_at > draft.now:
            told = let_go(draft, card, Released(in_digest=False, why=NOT_THERE))
            tell_asked(draft, told)


def _is_there(draft: Draft, asker: str, agent: str, session: str) -> bool:
    if not session or not draft.state.policy.timing.dialog_first_s:
        return False
    name = digest(asker, agent, session)
    seen_at = next((one.at for one in draft.state.at_agents if one.session == name), None)
    if seen_at is None or not timedelta() <= draft.now - seen_at <= STAYS:
        return False
    elsewhere = [one.person_active_at for one in draft.state.devices if one.person_active_at is not None]
    return doing_of(draft) != "away" and all(active_at <= seen_at for active_at in elsewhere)
