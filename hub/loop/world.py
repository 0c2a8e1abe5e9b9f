"""The world log within the loop: lines that come in, lines that are said, and what follows when a session moves.

Theory: the store is the truth, the log its face. What somebody appends to the file is taken in as it stands, and proves
nothing: it moves sessions that the file began, and no others. What is said over the wire, by a client whose token is
known, or by the hub itself, moves the session first and is written into the log after; so it is taken once. Each move
is followed up at the end of the step, in `follow`.
"""

from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.contract.world import AgentStatus, BadWorldEntryError, check_source
from hub.contract.world_api import SAID_CHARS_MAX
from hub.domain.provenance import LogText, untrusted
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.world import HUB, AgentLine, Unparsed, WorldEvent, WorldLine, WorldSession
from hub.domain.world_lines import SYSTEM_SOURCE, USER_SOURCE, folder_of, process_of, session_of, wait_of, write_line
from hub.domain.world_log_state import UNPARSED_MAX, DropWorldLines, PutWorldPlace, WorldIntake, WorldLogState
from hub.domain.world_requests import ORIGIN_SIGN, LookAtWorld, RespondToSession, SayWorld, WorldSaid, WorldShown
from hub.domain.world_states import check_move
from hub.loop.draft import Draft
from hub.loop.events import Opened, WorldRead
from hub.loop.world_draft import WorldDraft
from hub.loop.world_keys import remember, said_before
from hub.loop.world_shares import take_share
from hub.loop.world_sweep import begun
from hub.sense import session_after


class WorldOffError(UserError):
    """The world log is switched off in the settings. Nothing was written."""

    code = "world-off"
    status = 409


class SessionOfAnotherError(UserError):
    """Another program started this session, and only that program can report on it. Nothing was changed."""

    code = "session-of-another"
    status = 403


class UnknownSessionError(UserError):
    """There is no session with that name. Nothing was changed; see `pulse world query recent`."""

    code = "unknown-session"
    status = 404


class NotYourWordError(UserError):
    """Only you can answer a session, and nothing proves that this answer is yours. Nothing was changed."""

    code = "yes-of-your-own"
    status = 403


class NotAskedError(UserError):
    """This session is not waiting for an answer. Nothing was changed."""

    code = "session-not-waiting"
    status = 409


def on_opened(draft: Draft, event: Opened) -> None:
    """Take up the sessions as they were stored."""
    sessions = {one.id: one for one in reversed(event.sessions)}
    draft.state = replace(draft.state, world=begun(WorldLogState(sessions=sessions, intake=event.intake)))
    draft.world = WorldDraft(draft.state.world)


def on_read(draft: Draft, event: WorldRead) -> None:
    """Take in lines of the log, and keep with what comes of them how far it was read."""
    intake = draft.state.world.intake
    intake = replace(intake, lines=intake.lines + len(event.lines), gaps=intake.gaps + event.gaps)
    for line in event.lines:
        intake = _taken(draft, line, intake)
    user = draft.state.user
    draft.changes.append(PutWorldPlace(user=user, cursor=event.cursor, intake=intake))
    if event.seen:
        draft.changes.append(DropWorldLines(user=user, ids=event.seen))
    draft.state = replace(draft.state, world=replace(draft.state.world, intake=intake))
    draft.reply(event.reply_to, WorldSaid())


def on_say(draft: Draft, request: SayWorld, reply_to: str) -> None:
    """Take one line of a client that is known, and write it into the log.

    Raises:
        UserError: it cannot be said, or not by this client; nothing was changed.
    """
    _refuse_off(draft)
    line = replace(request.line, at=draft.now)
    _refuse_long(line)
    write_line(line)  # what no line can say must not wait for one
    before = said_before(draft, request)
    if before is not None:
        draft.reply(reply_to, WorldSaid(session=known(draft, before), repeated=True))
        return
    take_share(draft, request)
    session = _said_fact(draft, line, request) if isinstance(line, WorldEvent) else _said_status(draft, line, request)
    remember(draft, request)
    draft.reply(reply_to, WorldSaid(session=session))


def on_respond(draft: Draft, request: RespondToSession, reply_to: str) -> None:
    """Take a person's answer to a session that failed; `follow` has it tried again.

    Raises:
        UserError: there is no such session, or it waits for nothing.
    """
    _refuse_off(draft)
    if not request.in_person:
        raise NotYourWordError(fix="Answer on the page, or with `pulse world respond` in your own terminal.")
    draft.reply(reply_to, WorldSaid(session=respond(draft, request.session, request.text)))


def on_look(draft: Draft, _request: LookAtWorld, reply_to: str) -> None:
    """Show the sessions that are remembered, those heard of last first."""
    sessions = tuple(draft.world.sessions.values())[::-1]
    draft.reply(reply_to, WorldShown(sessions=sessions, intake=draft.state.world.intake))


def respond(draft: Draft, session_id: str, text: str) -> WorldSession:
    """Write a person's answer to a session into the log; `follow` has it tried again with that.

    Raises:
        UnknownSessionError: there is no such session.
        NotAskedError: it did not fail, so it waits for nothing.
    """
    session = known(draft, session_id)
    if session is None:
        raise UnknownSessionError(f"There is no session {session_id}.", fix="`pulse world query` lists them.")
    if session.status is not AgentStatus.FAILED:
        raise NotAskedError(
            f"Session {session_id} is {session.status} and is not waiting for an answer.",
            fix=f"`pulse world query session {session_id}` shows how it is.",
        )
    note(draft, WorldEvent(at=draft.now, source=USER_SOURCE, identifier=LogText(session_id), text=LogText(text)))
    answered = replace(known(draft, session_id) or session, asked_at=None)  # whoever answers sets the pace
    draft.world.put(answered)
    return answered


def move(draft: Draft, line: AgentLine, **changes: str) -> WorldSession:
    """Move a session at the hub's own word, and write that into the log; return it as it is then.

    Raises:
        IllegalStatusError: the table of a session's life has no such move.
    """
    session = known(draft, line.session)
    check_move(line.session, session.status if session else None, line.status)
    after = session_after(session, line, draft.now, proven=True)
    if after is None:
        raise AssertionError("a move that the table allows was not taken")
    after = replace(after, **changes) if changes else after
    draft.world.put(after)
    draft.world.say(draft.new_id("line"), line)
    return after


def note(draft: Draft, event: WorldEvent) -> None:
    """Write a fact of the hub's own into the log; what it says of a session is taken in at once."""
    session = known(draft, session_of(event))
    after = session_after(session, event, draft.now, proven=True)
    if after is not None and after is not session:
        draft.world.put(after)
    draft.world.say(draft.new_id("line"), event)


def known(draft: Draft, session_id: str) -> WorldSession | None:
    """Return a session as it is so far in this step; None if there is none."""
    return draft.world.sessions.get(session_id) or draft.facts.sessions.get(session_id)


def _taken(draft: Draft, line: WorldLine, intake: WorldIntake) -> WorldIntake:
    """Take in one line of the file; return what was counted with it."""
    if isinstance(line, Unparsed):
        latest = (*intake.unparsed, line)[-UNPARSED_MAX:]
        return replace(intake, unparsed_lines=intake.unparsed_lines + 1, unparsed=latest)
    session_id = session_of(line)
    if not session_id:
        return intake
    before = known(draft, session_id)
    after = _after(before, line, draft)
    if after is None:
        return replace(intake, unknown_lines=intake.unknown_lines + isinstance(line, AgentLine))
    if after is not before:
        draft.world.put(after)
    return intake


def _after(before: WorldSession | None, line: WorldLine, draft: Draft) -> WorldSession | None:
    """Return a session after a line of the file, which proves nothing: one that has an owner is not moved by it.

    None is verified by it: a session that says `finish` is being checked, and a line that claims more shortens nothing.
    """
    if before is None:
        return session_after(None, line, draft.now)
    if isinstance(line, AgentLine) and (before.owner or line.status is AgentStatus.VERIFIED):
        return replace(before, refused=before.refused + 1, refused_status=line.status)
    return before if before.owner else session_after(before, line, draft.now)


def _said_fact(draft: Draft, event: WorldEvent, said: SayWorld) -> WorldSession | None:
    check_source(event.source, draft.state.policy.world.known_sources)
    if event.source == USER_SOURCE:
        raise BadWorldEntryError(
            "Only a person's answer is an event of `user`.", fix="`pulse world respond SESSION TEXT` answers a session."
        )
    session = known(draft, session_of(event))
    if session is not None:
        _refuse_stranger(session, said)
        _refuse_as_pulse(event, said)
    note(draft, event)
    return known(draft, session_of(event))


def _refuse_as_pulse(event: WorldEvent, said: SayWorld) -> None:
    """Refuse what reads as if Pulse itself said it of a session: others name a process and a folder by `system`."""
    is_fact = process_of(event) is not None or bool(folder_of(event)) or wait_of(event) is not None
    if event.source == SYSTEM_SOURCE and not is_fact and said.client != LOCAL_CLIENT:
        raise BadWorldEntryError(
            "Only Pulse itself reports on sessions as `system`.", fix="Use `api` or another source."
        )


def _said_status(draft: Draft, line: AgentLine, said: SayWorld) -> WorldSession:
    session = known(draft, line.session)
    if session is not None:
        _refuse_stranger(session, said)
    check_move(line.session, session.status if session else None, line.status)
    if session is None:
        return move(draft, line, owner=said.client)
    if line.status is not AgentStatus.VERIFIED:
        return move(draft, line)
    if said.client != LOCAL_CLIENT or session.owner == LOCAL_CLIENT:
        raise SessionOfAnotherError(
            f"Session {session.id} cannot verify itself.",
            fix="Report `finish`; Pulse checks that what was needed is there.",
        )
    return move(draft, line, checked_by="person")


def _refuse_stranger(session: WorldSession, said: SayWorld) -> None:
    """Refuse whoever did not begin a session.

    The person's own command line may speak for any but the hub's, and for one that the file began whoever could as well
    write into the file.
    """
    if _is_owner(said.client, session.owner) or (said.is_here and not session.owner):
        return
    if said.client == LOCAL_CLIENT and session.owner != HUB:
        return
    whose = "Pulse runs" if session.owner == HUB else "Somebody else began"
    raise SessionOfAnotherError(f"{whose} session {session.id}.", fix="Start your own, with `start`.")


def _is_owner(client: str, owner: str) -> bool:
    """Say whether it was this client who began a session, or may have been: not every agent is told from the others."""
    (whose, _, origin), (began, _, by) = client.partition(ORIGIN_SIGN), owner.partition(ORIGIN_SIGN)
    return whose == began and (origin == by or not origin or not by)


def _refuse_off(draft: Draft) -> None:
    if not draft.state.policy.world.enabled:
        raise WorldOffError("The world log is switched off.", fix="Set `world.enabled = true` in the settings file.")


def _refuse_long(line: WorldEvent | AgentLine) -> None:
    texts = (line.text, line.identifier) if isinstance(line, WorldEvent) else (line.text, line.need)
    if any(len(untrusted(text)) > SAID_CHARS_MAX for text in texts):
        raise BadWorldEntryError(
            f"A text of a line may have {SAID_CHARS_MAX} characters.",
            fix="Shorten it, or name a file with the text.",
        )
