"""An agent's hook: what it is about to do, asks leave for, has done; and what it is told, in its own dialect.

Quick steps are answered from what is known. A request for leave waits for a person as `POST /permissions` does, and is
taken back when the hook's program ends, for then the agent's own dialog was answered. A yes given there ends nothing:
it shows only by the tool having been used, so each such step takes back what was asked about it. Where a card was
answered in the same moment, such a step also tells which answer the agent took (`following.py`).
"""

import contextlib
import logging
import os
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from starlette.responses import Response

from hub.contract.base import Message
from hub.contract.errors import PulseError
from hub.contract.hooks import HookRequest
from hub.contract.permission import OverHow, OverRequest
from hub.contract.words import Risk, Status
from hub.domain.at_agent import AtAgent, AtAgentSeen, LookAtAgent
from hub.domain.calls import LedTo
from hub.domain.canonical import digest
from hub.domain.provenance import say
from hub.domain.requests import AgentFinished, GrantUsed, Noted, PutNotice, Refused, UseGrant
from hub.domain.storage import Client
from hub.domain.suggestion import Card
from hub.io.access.tokens import is_by_hand
from hub.io.agents.heard_sessions import HEARD
from hub.io.agents.hooks.around import WRITTEN_SINCE, is_written_since, with_files_around
from hub.io.agents.hooks.asking import (
    about_to,
    as_given,
    call_name,
    files_named,
    first_word,
    granted_word,
    request_of,
    unread_word,
    word_of,
)
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.followed import handed
from hub.io.agents.hooks.links import LED_ELSEWHERE, LINKS
from hub.io.agents.hooks.modes import MODES
from hub.io.agents.hooks.other_hooks import refusal_of, with_other_hooks
from hub.io.agents.hooks.step import NOTHING, At, Dialect, HookOutput, HookStep, Unreadable, Word, unread_step
from hub.io.agents.hooks.wiring import FOLDER, program_name
from hub.io.agents.lineage import AGENTS, is_served
from hub.io.agents.process_table import began_s
from hub.io.api import permissions
from hub.io.api.call import Call, Nothing
from hub.io.api.following import REPORTS, following_of, what_of, whose_word
from hub.io.api.hook_proof import prover_of
from hub.io.api.local_caller import agent_client, share_of
from hub.io.api.unread_hooks import unread_of
from hub.io.http.errors import StoppingError, UnknownDialectError, UnreadableHookError
from hub.io.http.loop_requests import ask_loop
from hub.io.sensors.git_program import ROOM_FOLDER
from hub.io.server.peer_credentials import folder_of
from hub.loop.asks import asker_of

AT_TERMINAL_S = 30
"""So long a card comes before a dialog that opens only when the hook is done, where its person seems to sit there."""
HELD = HookOutput(
    text="Pulse asks a person before this, and its hook did not wait: ask again with the hook's own program.\n",
    status=2,
)
"""What has the hook's program ask once more, and wait as long as a person may take (`hook_client.py`)."""
BESIDE_OTHERS = (
    "Pulse: nobody answered in time, and another hook here may say yes in the user's place. Ask again, or ask them."
)
EXIT, PROOF = "Pulse-Exit", "Pulse-Proof"
ENDS = frozenset({At.TURN_END, At.TURN_FAILED, At.SUB_END, At.END, At.PROMPT})
"""After these steps nobody waits for what the agent had asked; what its subagents asked stays open until they end."""
LIMITS = frozenset({"rate_limit", "billing_error"})
"""What an agent calls the end of a turn by a limit of its account."""
B = TypeVar("B", bound=Message)
T = TypeVar("T")
log = logging.getLogger(__name__)


async def hook(call: Call[HookRequest, Nothing]) -> Response | Refused:
    """Answer one hook of an agent, signed where it brought a number for it.

    Raises:
        UnknownDialectError: no such agent is known.
        UnreadableHookError: its dialect does not know what was said, and no tool waits for an answer.
    """
    printed = await _printed(call)
    if isinstance(printed, Refused):
        return printed
    headers, prover = {EXIT: str(printed.status)}, prover_of(call.to)
    if call.body.nonce and prover is not None:
        headers[PROOF] = await prover.proof(call.body, printed.status, printed.text.encode())
    return Response(printed.text, media_type="application/json", headers=headers)


async def _printed(call: Call[HookRequest, Nothing]) -> HookOutput | Refused:
    dialect = DIALECTS.get(call.body.dialect)
    if dialect is None:
        raise UnknownDialectError(
            f"{call.body.dialect!r} is not an agent that Pulse knows.", fix=f"Known: {', '.join(sorted(DIALECTS))}."
        )
    if call.caller is not None:
        call.to.terminals.note_agent()
    call.to.terminals.note_hook(call.caller_pid)
    raw = call.body.given or bytes(call.body.input)
    step = dialect.read(raw)
    if isinstance(step, Unreadable):
        return await _unread(call, dialect, raw, step)
    HEARD.hear(dialect.name, step.session)
    project = os.fsdecode(call.body.project)
    step = replace(step, shortened=call.body.shortened, unattended=call.body.unattended, project=project)
    whose = _whose_word(call)
    MODES.heard(whose, dialect.title, step, call.parts.clock.now())
    if step.at is At.BEFORE:
        following_of(call.to).before(whose, dialect, step)
    if step.at in {At.BEFORE, At.LEAVE}:
        step = await with_files_around(step, lambda: _began_s(call))
        step = await _with_brought(call, dialect, replace(step, led_to=await _led_to(dialect, step)))
    word = await _word(call, dialect, step)
    return word if isinstance(word, Refused | HookOutput) else dialect.write(step, word)


async def _unread(call: Call[HookRequest, Nothing], dialect: Dialect, raw: bytes, unreadable: Unreadable) -> HookOutput:
    """Answer what nobody could read: where a tool waits for it, its person is asked first.

    Raises:
        UnreadableHookError: no tool waits for it.
    """
    unread_of(call.to).note(dialect.title, unreadable.why, call.parts.clock.now())
    HEARD.hear_unread(dialect.name, raw)
    found = unread_step(dialect, raw)
    if found.at is not At.BEFORE:
        raise UnreadableHookError(f"{dialect.title}: {unreadable.why}", fix="Check it: pulse doctor")
    word = unread_word(dialect, stopped=bool(call.parts.hub_api.status().killed_by))
    step = HookStep(at=found.at, event=found.event, folder=os.fsdecode(call.body.project))
    if word.says == "ask" and (await with_other_hooks(dialect, step, _own_program(call))).other_hooks:
        word = replace(word, says="deny")
    return dialect.write(step, word)


async def _word(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | HookOutput | Refused:
    match step.at:
        case At.BEFORE:
            return await _before(call, dialect, step)
        case At.LEAVE if dialect.hides_dialog and is_served(dialect.name, call.caller_pid):
            return NOTHING  # its server asks, which Pulse is attached to
        case At.LEAVE:
            return await _leave_beside(call, dialect, step)
        case At.BEGIN | At.ANSWERED if step.session and step.by_person and not step.unattended:
            await _at_agent(call, dialect, step)
        case At.AFTER | At.FAILED | At.REFUSED | At.DENIED if step.session:
            gone = await permissions.take_back(_as_agent(call, _over_of(dialect, step, call_name(step))))
            if step.at in REPORTS:
                await _went_on(call, dialect, step, gone)
            await following_of(call.to).did(_whose_word(call), dialect, step)
            return await _said_after(call, dialect, step)
        case _ if step.at in ENDS and step.session:
            await _ended(call, dialect, step)
    return NOTHING


async def _said_after(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | HookOutput:
    """Stop an agent whose tool has just brought other settings of agents, or tell it what its person changed."""
    following = following_of(call.to)
    if step.at in REPORTS:
        came = await following.brought.did(_whose_word(call), dialect, step, _room(call))
        if came and dialect.stops_after:
            return Word(says="deny", reason=came)
    return following.changed.tells(_whose_word(call), dialect, step)


async def _before(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | HookOutput:
    """Answer before a tool: where it must ask it goes on by a person's word alone, whatever else becomes of asking.

    The answer comes before the agent stops waiting, for to most agents a hook that they gave up is no no. Beside hooks
    of others it is held here until a person's yes, as to tell it to ask would leave it to them.

    Raises:
        StoppingError: as for `_leave`.
    """
    word = first_word(dialect, step, stopped=lambda: bool(call.parts.hub_api.status().killed_by))
    if word.says != "ask":
        return word
    step = await with_other_hooks(dialect, step, _own_program(call))
    holds = bool(step.other_hooks)
    if not (holds or step.changers) and step.event == dialect.holds_at:
        return NOTHING
    if step.unattended and step.changers:
        return await _refused_beside(call, dialect, step)
    said = await _or_nothing(_word_before(call, dialect, step), dialect)
    if said is None:
        return HELD if holds else word
    if isinstance(said, Refused) or said == NOTHING:
        return replace(word, says="deny" if holds else dialect.unread)
    if dialect.changes_at and said.says == "allow" and said.input is None and not step.shortened:
        return replace(said, input=as_given(dialect, step))  # of several inputs Claude takes the last one that is given
    return said


async def _word_before(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | Refused | None:
    """Return the word of a permission or a person before a tool; None where it is asked about later."""
    said = None if step.changers else await _granted(call, dialect, step)
    if said is None and (step.unattended or dialect.waits_before):  # there, to tell it to ask is to tell it no
        return await _leave(call, dialect, step, call.body.wait_s)
    return said


async def _or_nothing(asking: Awaitable[T], dialect: Dialect) -> T | Word:
    """Return what comes of asking, and nothing where nobody could be asked.

    Raises:
        StoppingError: Pulse is being stopped, so the hook asks again.
    """
    try:
        return await asking
    except StoppingError:
        raise
    except PulseError as error:
        log.warning("nobody could be asked about a tool of %s: %s", dialect.title, error)
        return NOTHING


async def _refused_beside(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word:
    """Refuse a tool that another hook may change after a yes, and tell the person, for whom alone it is to mend."""
    why = refusal_of(dialect, step)
    asked = say("It asked for: {what}", what=what_of(dialect, step))
    said = say("{title} was refused a tool. {why}", title=dialect.title, why=why)
    with contextlib.suppress(PulseError):  # it is refused in any case
        key = f"other-hook:{dialect.name}:{digest(step.changers)}"
        await ask_loop(call.parts.hub_api, PutNotice(key=key, said=said, why=asked), Noted)
    return Word(says="deny", reason=f"Pulse refused this. {why.text} Tell the user: it is theirs to change.")


async def _leave_beside(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | Refused:
    """Put it to a person; beside a hook of somebody else that may say yes to the same, no answer of theirs is a no.

    Raises:
        StoppingError: as for `_leave`.
    """
    if dialect.hides_dialog:
        step = await with_other_hooks(dialect, step, _own_program(call))
    if not step.other_hooks:
        return await _leave(call, dialect, step, await _wait_s(call, dialect, step))
    said = await _or_nothing(_leave(call, dialect, step, call.body.wait_s), dialect)
    return Word(says="deny", reason=BESIDE_OTHERS) if isinstance(said, Refused) or said == NOTHING else said


def _own_program(call: Call[HookRequest, Nothing]) -> str:
    home = call.parts.home
    return "" if home is None else str(home / FOLDER / program_name(call.body.dialect))


async def _ended(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> None:
    """Take back what nobody waits for any more after such a step, and note what it says of agent and person."""
    await permissions.take_back(_as_agent(call, _over_of(dialect, step)))
    if step.at is not At.END:  # a session may end in the middle of what it does
        following_of(call.to).over(_whose_word(call), dialect, step)
    if step.at in {At.TURN_END, At.TURN_FAILED} and not step.subagent:
        await ask_loop(call.parts.hub_api, AgentFinished(agent=dialect.name), Noted)
    if step.at is At.PROMPT and not step.unattended:
        await _at_agent(call, dialect, step)


async def _granted(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> Word | None:
    """Let go on what a person let go on; None where they are to be asked."""
    asked = about_to(dialect, step)
    if asked is None:
        return None
    is_linked = await LINKS.leads_elsewhere(asked)
    request = UseGrant(permission=asked, seen_folder=folder_of(call.caller_pid), is_linked=is_linked)
    used = await ask_loop(call.parts.hub_api, request, GrantUsed)
    return granted_word(used) if isinstance(used, GrantUsed) and used.summary else None


async def _at_agent(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> None:
    """Note that the person sits before the agent whose hook says so."""
    at_agent = AtAgent(asker=_asker(call, step), agent=dialect.name, session=step.session)
    await ask_loop(call.parts.hub_api, at_agent, Noted)


async def _wait_s(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> int:
    """Return how long a card may hold the agent's own dialog back: briefly where its person seems to sit before it.

    It is never longer than the agent waits for its hook: a card must not promise what nobody waits for.
    """
    wait_s = call.body.wait_s
    if not dialect.hides_dialog and (step.unattended or not step.hides_dialog):
        return wait_s
    look = LookAtAgent(asker=_asker(call, step), agent=dialect.name, session=step.session)
    seen = await ask_loop(call.parts.hub_api, look, AtAgentSeen)
    return min(AT_TERMINAL_S, wait_s) if isinstance(seen, AtAgentSeen) and seen.is_there else wait_s


async def _leave(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep, wait_s: int) -> Word | Refused:
    """Put it to a person and wait.

    Raises:
        StoppingError: Pulse is being stopped; the same question asked again goes on.
    """
    body = request_of(dialect, step, wait_s)
    if body is None:
        return NOTHING
    own = _as_agent(call, body)
    about = following_of(call.to).asks(_whose_word(call), dialect, step)
    reply = await permissions.ask(own)
    if isinstance(reply, Refused):
        return reply
    if reply.prediction.status is Status.PENDING and call.to.waiting.is_closing:
        raise StoppingError(fix="The hook's program looks for it for a while.")
    word = word_of(dialect, step, reply)
    if word.says == "allow":
        if await _led_to(dialect, step) != step.led_to:
            word = Word(says="deny", reason=LED_ELSEWHERE)
        elif (
            await is_written_since(step, lambda: _began_s(call))
            or (await _with_brought(call, dialect, step)).brought != step.brought
        ):
            word = Word(says="deny", reason=WRITTEN_SINCE)
    following_of(call.to).changed.gave(_whose_word(call), dialect, step, word)
    given = handed(_client(call).id, _asker(call, step), step, reply, word)
    if about is not None and given is not None:
        await following_of(call.to).gave(about, dialect, step, given)
    return word


async def _led_to(dialect: Dialect, step: HookStep) -> tuple[LedTo, ...] | None:
    """Look where the files that a tool would touch lead; anything may make a link of one while a person looks."""
    return await LINKS.led_to(*files_named(dialect, step), step.folder)


async def _with_brought(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep) -> HookStep:
    return await following_of(call.to).brought.with_files(_whose_word(call), dialect, step, _room(call))


def _room(call: Call[HookRequest, Nothing]) -> Path | None:
    """Return where git's folders of ours are made."""
    return None if call.parts.home is None else call.parts.home / ROOM_FOLDER


def _began_s(call: Call[HookRequest, Nothing]) -> float | None:
    """Return when the agent's process began, the first above its hook that is known; None where none is."""
    pid = AGENTS.origin_of(call.caller_pid, outermost=True).partition("-")[0] if call.caller_pid else ""
    return began_s(int(pid)) if pid else None


async def _went_on(call: Call[HookRequest, Nothing], dialect: Dialect, step: HookStep, gone: tuple[Card, ...]) -> None:
    """Tell the person of what went on unanswered, where it is risky and no dialog of the agent's was open.

    An open dialog is the ordinary way at a terminal, unless another hook stands there that may have answered first.
    """
    risky = [one for one in gone if one.proposal.risk is not Risk.LOW]
    if not risky:
        return
    has_dialog = not (step.unattended or dialect.waits_before or dialect.hides_dialog)
    if not has_dialog or (await with_other_hooks(dialect, step, _own_program(call))).other_hooks:
        for one in risky:
            await following_of(call.to).tell_went_on(dialect, step, one.id)


def _over_of(dialect: Dialect, step: HookStep, used: str = "") -> OverRequest:
    """Return what a step tells of open questions: those about a tool that was used, else all of the session's."""
    whose = None if step.at is At.END else step.subagent
    return OverRequest(agent=dialect.name, session=step.session, subagent=whose, call=used, how=_how(step))


def _how(step: HookStep) -> OverHow:
    """Return what a step says became of what was asked."""
    match step.at:
        case At.AFTER | At.FAILED:
            return "allowed"
        case At.REFUSED:
            return "refused"
        case At.DENIED:
            return "denied"
        case At.TURN_FAILED:
            return "limit" if step.error in LIMITS else "failed"
    return "ended"


def _as_agent(call: Call[HookRequest, Nothing], body: B) -> Call[B, Nothing]:
    """Return the call as the agent's own: over the socket its questions are never the person's terminal's."""
    return Call(
        to=call.to,
        client=_client(call),
        body=body,
        query=call.query,
        path={},
        key=call.key,
        hung_up=call.hung_up,
        caller=call.caller,
    )


def _client(call: Call[HookRequest, Nothing]) -> Client:
    return agent_client(call.to) if call.client is None or is_by_hand(call.client) else call.client


def _asker(call: Call[HookRequest, Nothing], step: HookStep) -> str:
    """Return as whose question what this hook asks is put."""
    client = _client(call).id
    return asker_of(client, share_of(client, call.caller_pid, step.session))


def _whose_word(call: Call[HookRequest, Nothing]) -> str:
    return whose_word(_client(call), call.caller_pid)
