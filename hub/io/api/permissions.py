"""An agent asks leave for one thing and waits; whoever waits no longer takes the question back by hanging up."""

import asyncio
from typing import Annotated

from msgspec import Meta

from hub.contract.api import AnswerReply, Prediction
from hub.contract.base import Message
from hub.contract.control import PermissionReply
from hub.contract.permission import WAIT_S_MAX, OverRequest, PermissionRequest, PermissionsOver
from hub.contract.phrasing import Phrasing
from hub.contract.topics import is_segment
from hub.contract.words import Risk, Status
from hub.domain.at_agent import AtAgent
from hub.domain.requests import Ask, Noted, Refused, Withdraw
from hub.domain.storage import OpenCards
from hub.domain.suggestion import Card
from hub.domain.worded import Worded
from hub.io.access.tokens import AGENT_ID, LOCAL_ID, RUN_ID, UNPROVEN_ID
from hub.io.agents.hooks.links import LINKS
from hub.io.agents.lineage import AGENTS
from hub.io.api.asks import safe_key, shown_name
from hub.io.api.call import Call, Nothing
from hub.io.api.cards import find, view
from hub.io.api.local_caller import share_of, shares_of
from hub.io.http.loop_requests import ask_loop
from hub.io.server.peer_credentials import folder_of
from hub.loop.asks import ask_id, asker_of, is_asked_by
from hub.loop.permissions import permission_of, reply_of, title_of
from hub.loop.refusals import unknown_card

OPEN_MAX = 200
ELSEWHERE = {
    "allowed": Worded(text="Allowed in the agent's own dialog.", wording=Phrasing(code="over.allowed")),
    "went-on": Worded(
        text="The agent says that it went on without your answer here.", wording=Phrasing(code="over.went_on")
    ),
    "despite": Worded(text="You said no, and the agent says that it went on.", wording=Phrasing(code="over.despite")),
    "unchanged": Worded(
        text="The agent says that it ran what it had asked for, without your change.",
        wording=Phrasing(code="over.unchanged"),
    ),
    "refused": Worded(text="Refused in the agent's own dialog.", wording=Phrasing(code="over.refused")),
    "broken-off": Worded(
        text="Started, then interrupted in the agent's own terminal.", wording=Phrasing(code="over.broken_off")
    ),
    "gone": Worded(
        text="You said yes, then the agent ended. The outcome is unknown.", wording=Phrasing(code="over.gone")
    ),
    "denied": Worded(text="Refused by the agent's own reviewer.", wording=Phrasing(code="over.denied")),
    "ended": Worded(text="The agent is no longer waiting for an answer.", wording=Phrasing(code="over.ended")),
    "limit": Worded(text="The agent stopped: its account reached a limit.", wording=Phrasing(code="over.limit")),
    "failed": Worded(
        text="The agent stopped: its model provider returned an error.", wording=Phrasing(code="over.failed")
    ),
}
"""What became of a question that was not answered here, as its card says it."""
FOR_HOOKS = frozenset({AGENT_ID, LOCAL_ID, RUN_ID, UNPROVEN_ID})
"""Clients that may speak for a hook."""
BY_PERSON = frozenset({"allowed", "refused"})
"""What a person said at the agent's own dialog."""


def taken_back(
    card_id: str, client: str, how: str, *, shares: tuple[str, ...] | None = None, overrules: bool = False
) -> Withdraw:
    """Return the request that takes a question back, with what became of it; `shares` as in a `Withdraw`."""
    said = ELSEWHERE[how]
    return Withdraw(
        card_id=card_id,
        client=client,
        shares=shares,
        why=said.text,
        why_worded=said.wording,
        overrules=overrules,
        as_asked=overrules and how in {"allowed", "unchanged"},
    )


AnyCall = Call[PermissionRequest, Nothing] | Call[OverRequest, Nothing] | Call[Nothing, "PermissionQuery"]


class PermissionQuery(Message):
    """Query of `GET /api/v1/permissions/{id}`: how long to wait, and whether hanging up takes the question back."""

    wait: Annotated[int, Meta(ge=0, le=WAIT_S_MAX)] = 0
    withdraw: bool = False


async def ask(call: Call[PermissionRequest, Nothing]) -> PermissionReply | Refused:
    """Put what an agent asks before the person; with `waitS`, reply when they have answered, or after that time."""
    body, whose = call.body, _whose(call)
    if whose == AGENT_ID:  # what this agent has started may not answer it either
        call.to.terminals.note_hook(call.caller_pid)
    key = safe_key(call.key or body.idempotency_key)
    request = await _request(call, key, whose)
    with call.to.waiting.for_card(ask_id(whose, key), *_waiter(call, whose if body.wait_s else "")) as settled:
        reply = await ask_loop(call.parts.hub_api, request, AnswerReply)
        if isinstance(reply, Refused):
            return reply
        return await _wait(call, reply.prediction, settled, body.wait_s, withdraws=body.withdraw_when_gone)


async def asked(call: Call[Nothing, PermissionQuery]) -> PermissionReply | Refused:
    """Say how a question of one's own stands; with `wait`, reply when it is settled, or after that time."""
    card_id, query = call.path["id"], call.query
    with call.to.waiting.for_card(card_id, *_waiter(call, _whose(call) if query.wait else "")) as settled:
        card = await find(call.parts, card_id)
        if card is None or card.permission is None or not is_asked_by(card, _whose(call), _shares(call)):
            return unknown_card(card_id)
        return await _wait(call, await view(call.parts, card), settled, query.wait, withdraws=query.withdraw)


async def withdraw(call: Call[Nothing, Nothing]) -> PermissionReply | Refused:
    """Take a question of one's own back; it disappears everywhere."""
    card_id = call.path["id"]
    if not is_segment(card_id):
        return unknown_card(card_id)
    gone = Withdraw(card_id=card_id, client=_whose(call), shares=_shares(call))
    reply = await ask_loop(call.parts.hub_api, gone, AnswerReply)
    return reply if isinstance(reply, Refused) else await _standing(call, reply.prediction)


async def over(call: Call[OverRequest, Nothing]) -> PermissionsOver:
    """Take back what was answered at the agent's own dialog, or what nobody waits for any more."""
    if call.body.card_id:
        return PermissionsOver(count=await _overruled(call, _whose(call)))
    return PermissionsOver(count=len(await take_back(call)))


async def take_back(call: Call[OverRequest, Nothing]) -> tuple[Card, ...]:
    """Take back the open cards that are meant; return them as they were.

    What speaks for a hook, as any program of the agent's can, says only that the agent went on, and not by whose word.
    """
    body, whose, parts = call.body, _whose(call), call.parts
    how = "went-on" if body.how == "allowed" and whose in FOR_HOOKS else body.how
    shares = _shares(call)
    cards = await parts.store.read(OpenCards(user=parts.user, limit=OPEN_MAX, now=parts.clock.now(), snoozed=True))
    meant = [
        card
        for card in cards
        if card.permission is not None
        and card.owner == whose
        and is_asked_by(card, whose, shares)
        and (card.permission.agent, card.permission.session) == (body.agent, body.session)
        and body.call in {"", card.permission.call}
        and body.subagent in {None, card.permission.subagent}
    ]
    gone = [
        (one, await ask_loop(parts.hub_api, taken_back(one.id, whose, how, shares=shares), AnswerReply))
        for one in meant
    ]
    taken = tuple(card for card, reply in gone if isinstance(reply, AnswerReply))
    if taken and how in BY_PERSON:  # somebody answered in the agent's dialog, so somebody sits there
        asker = asker_of(whose, share_of(whose, call.caller_pid, body.session))
        await ask_loop(parts.hub_api, AtAgent(asker=asker, agent=body.agent, session=body.session), Noted)
    return taken


async def _overruled(call: Call[OverRequest, Nothing], whose: str) -> int:
    """Have an answered card say what the agent did all the same; what speaks for a hook is no word on that."""
    body = call.body
    if whose in FOR_HOOKS or body.how not in {*BY_PERSON, "denied", "gone"} or not is_segment(body.card_id):
        return 0
    gone = taken_back(body.card_id, whose, body.how, overrules=True)
    return int(isinstance(await ask_loop(call.parts.hub_api, gone, AnswerReply), AnswerReply))


async def _request(call: Call[PermissionRequest, Nothing], key: str, whose: str) -> Ask:
    body = call.body
    permission = permission_of(body)
    return Ask(
        key=key,
        client=whose,
        share=share_of(whose, call.caller_pid, body.session),
        asker=shown_name(call.client, body.agent, call.to.access.clients()),
        question=title_of(permission),
        details=body.reason,
        risk=Risk.MEDIUM,
        timeout_s=body.timeout_s,
        permission=permission,
        is_attended=body.withdraw_when_gone,
        seen_folder=folder_of(call.caller_pid),
        is_linked=await LINKS.leads_elsewhere(permission),
    )


def _shares(call: AnyCall | Call[Nothing, Nothing]) -> tuple[str, ...] | None:
    """Return the shares under which this caller may have asked, also where a restart forgot its agent."""
    if _whose(call) == AGENT_ID:
        call.to.terminals.note_hook(call.caller_pid)
    return shares_of(_whose(call), call.caller_pid)


def _whose(call: AnyCall | Call[Nothing, Nothing]) -> str:
    return LOCAL_ID if call.client is None else call.client.id


def _waiter(call: Call[PermissionRequest, Nothing] | Call[Nothing, PermissionQuery], whose: str) -> tuple[str, str]:
    """Return whose share of waiting this takes: of the agents on this machine, which are one client, each its own."""
    return (f"{whose} {AGENTS.origin_of(call.caller_pid)}", whose) if whose == AGENT_ID else (whose, "")


async def _wait(
    call: Call[PermissionRequest, Nothing] | Call[Nothing, PermissionQuery],
    shown: Prediction,
    settled: asyncio.Event,
    wait_s: int,
    *,
    withdraws: bool,
) -> PermissionReply:
    """Wait for the answer, the end of the time or of the connection, whichever comes first."""
    if shown.status is not Status.PENDING or not wait_s:
        return await _standing(call, shown)
    ends = [asyncio.ensure_future(settled.wait()), asyncio.ensure_future(call.hung_up())]
    try:
        done, _ = await asyncio.wait(ends, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for end in ends:
            end.cancel()
    if done == {ends[1]} and withdraws:
        gone = taken_back(shown.id, _whose(call), "ended")  # whose it is was seen when it was asked
        await ask_loop(call.parts.hub_api, gone, AnswerReply)
    return await _standing(call, shown)


async def _standing(call: AnyCall | Call[Nothing, Nothing], shown: Prediction) -> PermissionReply:
    """Return how a question stands now, and since when; a store that lost it takes nothing from what was shown."""
    card = await find(call.parts, shown.id)
    return reply_of(shown if card is None else await view(call.parts, card), card)
