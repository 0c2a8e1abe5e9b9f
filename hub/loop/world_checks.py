"""The level 2 supervisor in the loop: is a session done that says so? First by proof, then a model, then the person.

Theory: what finds out is never the session itself. Each end of a session is checked once, and each check has an end of
its own: what comes back late, or about an end that has passed, is known by the check's id and changes nothing. Nothing
of a check is stored, for the session that waits for one is: after a restart it is checked anew, unless a person was
asked already. A part that is missing decides alone. What nobody could look at is a person's to say, never a model's:
who asked for a proof asked for no opinion. A need is looked at only where the person or a line of this machine's file
wrote it: what a look finds moves the session, so for anybody else it would answer what they may not look at themselves.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.words import Status
from hub.contract.world import AgentStatus
from hub.domain.policy import TwinService
from hub.domain.provenance import LogText, Wording, say
from hub.domain.requests import LOCAL_CLIENT, UNPROVEN_CLIENT
from hub.domain.storage import MoveExecution
from hub.domain.suggestion import Card
from hub.domain.twin import TwinChat, plain_question
from hub.domain.world import HUB, AgentLine, WorldEvent, WorldSession
from hub.domain.world_commands import OfferedCommand
from hub.domain.world_lines import SYSTEM_SOURCE
from hub.domain.world_log_state import WorldCheck
from hub.domain.world_proof import (
    CommandNeed,
    FileNeed,
    FinishVerdict,
    NeedPart,
    ProofFinding,
    SaysNeed,
    UrlNeed,
    WordsNeed,
)
from hub.kit.text import cut
from hub.loop import world_commands, world_person
from hub.loop.commands import JudgeFinish, ProveFinish, WakeAt
from hub.loop.costs import book
from hub.loop.draft import Draft
from hub.loop.events import CycleBroke, FinishJudged, FinishProven, Resolved
from hub.loop.views import is_killed, seconds
from hub.loop.world import known, move, note
from hub.may import has_room
from hub.verify.world_commands import next_command, tried
from hub.verify.world_judgement import question, verdict_of
from hub.verify.world_needs import heard, in_words, needs_of

CHECKS_MAX = 8
"""So many ends are looked into at once; the others have their turn, in order."""
PROOF_FOR = timedelta(seconds=30)
JUDGED_WITHIN = timedelta(seconds=60)
"""What finds out has shorter times of its own; after these, it is lost."""
ANSWER_TOKENS_MAX = 400
NO_WORDS = Wording()
WORDS_CHARS_MAX = 1_500
"""Of what was found, what stands in a line of the log; paths of files can be long."""
LATE = "Pulse could not find out in time whether it is done."
NO_JUDGE = "Nothing that Pulse can check shows whether it is done, and there is no model to ask."
NO_VERDICT = "No model could say whether it is done."
NOT_SEEN = "Pulse could not check everything it needs."
OF_ANOTHER = "Another program started it, so Pulse does not check it: only you can say whether it is done."
NOT_RUN = "Checking this takes a command that someone else wrote, so it only runs if you approve it."


def on_opened(draft: Draft) -> None:
    """After a start: check what says it is done, but for what a person was asked about before."""
    if not draft.state.policy.world.enabled:
        return
    for session in tuple(draft.world.sessions.values()):
        is_open = session.status is AgentStatus.FINISH and session.left_at is None
        if is_open and not _is_asked(session) and not session.checking:
            _queue(draft, session)


def on_finish(draft: Draft, session: WorldSession) -> None:
    """Find out whether a session is done that has just said so."""
    check = draft.world.checks.get(session.id)
    if check is None or not _is_about(check, session):
        _queue(draft, session)


def drop(draft: Draft, session_id: str) -> None:
    """Forget the check of a session that has moved on."""
    draft.world.drop_check(session_id)


def on_proven(draft: Draft, event: FinishProven) -> None:
    """Take what was found of a need; ask a model of the rest."""
    checked = _checked(draft, event.session, event.check_id, "proof")
    if checked is None:
        return
    session, check = checked
    parts = _parts(session)
    found = tuple(_findings(session, parts, event.found))
    check = replace(check, found=found)
    missing = tuple(one for one in found if one.state == "missing")
    unknown = tuple(one for one in found if one.state == "unknown")
    if missing:
        _again(draft, session, say("{it}", it=in_words(missing)), "proof")
    elif unknown:
        _ask_of_unknown(draft, session, check)
    elif len(found) == len(parts):
        words = say("What it needs is there: {found}", found=in_words(found))
        _end(draft, session, AgentStatus.VERIFIED, words, by="proof")
    else:
        since = draft.now - seconds(draft.state.policy.world.context_s)
        _ask_model(draft, session, replace(check, question=question(session, found, event.lines, since)), NO_JUDGE)


def on_resolved(draft: Draft, event: Resolved) -> bool:
    """Offer the person to run a command, now that it is known what would run; False if the event is about none."""
    found = _looked_up(draft, event.cycle_id)
    if found is None:
        return False
    session, check = found
    offered = world_commands.offered(session, event.plan)
    if isinstance(offered, str):
        _ask_person(draft, session, check, offered)
    else:
        _ask_person(draft, session, check, NOT_RUN, offered)
    return True


def on_broke(draft: Draft, event: CycleBroke) -> bool:
    """It could not be found out what a command would start; False if the event is about none."""
    found = _looked_up(draft, event.cycle_id)
    if found is None:
        return False
    _ask_person(draft, *found, event.why)
    return True


def on_run(draft: Draft, change: MoveExecution, card: Card) -> None:
    """A command was run that the person let run, or it was not: check the session anew with what came of that."""
    session = world_commands.on_ran(draft, change.execution, card)
    if session is not None:
        _queue(draft, session)


def on_card(draft: Draft, card: Card) -> None:
    """A card that was to run a command is over, or came back: where it said nothing, the person is asked anew."""
    if card.status not in {Status.EXECUTED, Status.CONFIRMED}:
        session = world_commands.on_over(draft, card)
        if session is not None:
            _queue(draft, session)


def on_judged(draft: Draft, event: FinishJudged) -> None:
    """A model said whether a session is done, or did not; then the next one is asked, or the person."""
    book(draft, event.said.cost_microusd)
    checked = _checked(draft, event.session, event.check_id, "model")
    if checked is None or checked[1].model != event.model:
        return
    session, check = checked
    # Of an answer that was cut off nobody knows whether it was one, or what came before it.
    verdict = None if event.said.wrong or event.said.is_cut else verdict_of(event.said.words)
    if verdict is None:
        _ask_model(draft, session, check, NO_VERDICT)
    else:
        _judged(draft, session, check, verdict)


def on_tick(draft: Draft) -> None:
    """Give up what takes too long, so that a person is asked, and let others have their turn."""
    for name, check in tuple(draft.world.checks.items()):
        session = known(draft, name)
        if session is None or not _is_about(check, session):
            drop(draft, name)
        elif check.until is not None and check.until <= draft.now:
            _ask_person(draft, session, check, LATE)


def next_end(draft: Draft) -> datetime | None:
    """Return when the next check takes too long."""
    return min((one.until for one in draft.world.checks.values() if one.until is not None), default=None)


def _judged(draft: Draft, session: WorldSession, check: WorldCheck, verdict: FinishVerdict) -> None:
    match verdict.verdict:
        case "verified":
            words = say("The model “{name}” says it is done: {why}", name=check.model, why=verdict.why)
            _end(draft, session, AgentStatus.VERIFIED, words, by="model")
        case "retry":
            _again(draft, session, say("{what}", what=verdict.guidance or verdict.why), "model")
        case "failed":
            text = say("The model “{name}” says it cannot be done alone: {why}", name=check.model, why=verdict.why)
            need = say("{what}", what=verdict.guidance or verdict.why)
            _end(draft, session, AgentStatus.FAILED, text, by="model", need=need)


def _again(draft: Draft, session: WorldSession, missing: Wording, by: str) -> None:
    """Have it tried again with what is missing; after the last try a person is asked."""
    if session.tries < draft.state.policy.world.tries_max:
        _end(draft, session, AgentStatus.RETRY, say("Not done yet: {missing}", missing=missing), by=by)
    else:
        text = say("Not done after {tries} tries", tries=session.tries)
        _end(draft, session, AgentStatus.FAILED, text, by=by, need=missing)


def _end(
    draft: Draft, session: WorldSession, status: AgentStatus, text: Wording, *, by: str, need: Wording = NO_WORDS
) -> None:
    """Move a session by what was found; `follow` forgets its check."""
    words, asks = (LogText(cut(one.text, WORDS_CHARS_MAX)) for one in (text, need))
    line = AgentLine(at=draft.now, status=status, session=session.id, text=words, need=asks)
    move(draft, line, checked_by=by)


def _ask_model(draft: Draft, session: WorldSession, check: WorldCheck, otherwise: str) -> None:
    """Ask the model after the one that was asked last; the person where none is left that may be asked."""
    service = _model_after(draft, check)
    if service is None:
        _ask_person(draft, session, check, otherwise)
        return
    until = draft.now + JUDGED_WITHIN
    _put(draft, session.id, replace(check, by="model", model=service.name, until=until))
    draft.commands.append(JudgeFinish(check_id=check.id, session=session.id, chat=_chat(service, check.question)))
    draft.commands.append(WakeAt(at=until))


def _model_after(draft: Draft, check: WorldCheck) -> TwinService | None:
    """Return the next model that may be asked: none while Pulse is stopped, or where no budget has room."""
    policy = draft.state.policy
    if not policy.twin or is_killed(draft.state):
        return None
    services = [one for one in policy.twins if policy.world.checker in {"", one.name}]
    names = [one.name for one in services]
    at = names.index(check.model) + 1 if check.model in names else len(names) if check.model else 0
    affordable = (
        one
        for one in services[at:]
        if has_room(draft.mind.ledger, policy, draft.now, _chat(one, check.question).estimate_microusd)
    )
    return next(affordable, None)


def _chat(service: TwinService, text: str) -> TwinChat:
    return plain_question(service, text, ANSWER_TOKENS_MAX)


def _ask_of_unknown(draft: Draft, session: WorldSession, check: WorldCheck) -> None:
    """Nobody can say whether a part is there: if all that is left is a command to be run, the person may let it."""
    unknown = [one for one in check.found if one.state == "unknown"]
    commands = [one for one in unknown if isinstance(one.part, CommandNeed)]
    why = NOT_SEEN
    if commands:
        why = NOT_RUN
        if len(commands) == len(unknown) and next_command(session.need, session) is not None:
            until = draft.now + PROOF_FOR
            _put(draft, session.id, replace(check, by="command", until=until))
            why = world_commands.look(draft, session, check.id)
            draft.commands.append(WakeAt(at=until))
    if why:
        _ask_person(draft, session, check, why)


def _looked_up(draft: Draft, check_id: str) -> tuple[WorldSession, WorldCheck] | None:
    """Return the session of which it was looked up what its command would start, and its check."""
    name = next((name for name, one in draft.world.checks.items() if one.id == check_id), "")
    return _checked(draft, name, check_id, "command")


def _ask_person(
    draft: Draft, session: WorldSession, check: WorldCheck, detail: str, offered: OfferedCommand | None = None
) -> None:
    _put(draft, session.id, replace(check, by="person", until=None, question=""))
    if check.found:  # what was seen helps to answer; the question itself has none of it, for others wrote it
        seen = LogText(cut(say("Looked: {found}", found=in_words(check.found)).text, WORDS_CHARS_MAX))
        note(draft, WorldEvent(at=draft.now, source=SYSTEM_SOURCE, identifier=LogText(session.id), text=seen))
    world_person.ask(draft, session, "done", detail=detail, offered=offered)


def _queue(draft: Draft, session: WorldSession) -> None:
    check = WorldCheck(id=draft.new_id("check"), ended_at=session.moved_at, retries=session.retries)
    if _may_be_looked_at(session):
        _put(draft, session.id, check)
    else:
        _ask_person(draft, session, check, OF_ANOTHER)


def _may_be_looked_at(session: WorldSession) -> bool:
    """Return True if the person wrote the need of a session, let it run as they saw it, or a line of the file began it.

    Whatever can append to the file can read what the person can. A token, a login and an agent on this machine may be
    kept from that, so their needs are not looked at, and no model is shown the log for them.
    """
    if session.owner == HUB:
        run = session.run
        return run is not None and (run.own_words or (run.yes is not None and run.yes.is_persons))
    return session.owner in {"", LOCAL_CLIENT, UNPROVEN_CLIENT}


def begin(draft: Draft) -> None:
    """Begin the checks whose turn it is, once all others of this step have ended or are queued."""
    if not draft.world.has_turns:
        return
    checks = draft.world.checks
    room = CHECKS_MAX - sum(one.by in {"proof", "command", "model"} for one in checks.values())
    waiting = [name for name, one in checks.items() if one.by == "turn"] if room > 0 else []
    for name in waiting[:room]:
        session = known(draft, name)
        if session is None:
            continue
        until, parts = draft.now + PROOF_FOR, _parts(session)
        _put(draft, name, replace(checks[name], by="proof", until=until))
        draft.commands.append(
            ProveFinish(
                check_id=checks[name].id,
                session=name,
                parts=tuple(one for one in parts if isinstance(one, FileNeed | UrlNeed)),
                folder=session.folder,
                since=session.started_at,
                wants_lines=any(isinstance(one, WordsNeed) for one in parts),
            )
        )
        draft.commands.append(WakeAt(at=until))


def _parts(session: WorldSession) -> tuple[NeedPart, ...]:
    """Return what is needed, at least one part: of a session that says nothing of it, that its task is done."""
    return needs_of(session.need) or (WordsNeed(text=session.task),)


def _findings(
    session: WorldSession, parts: tuple[NeedPart, ...], looked: tuple[ProofFinding, ...]
) -> Iterator[ProofFinding]:
    """Yield what was found of each part that is no free text; nobody has seen what did not come back."""
    by_part = {one.part: one for one in looked}
    for part in parts:
        match part:
            case FileNeed() | UrlNeed():
                nobody = ProofFinding(part=part, state="unknown", words=LogText("it was not looked at"))
                yield by_part.get(part, nobody)
            case SaysNeed():
                yield heard(part, session)
            case CommandNeed():
                yield tried(part, session)
            case WordsNeed():
                pass


def _checked(draft: Draft, session_id: str, check_id: str, by: str) -> tuple[WorldSession, WorldCheck] | None:
    """Return the session and its check, if this is still to be found out in this way."""
    session, check = known(draft, session_id), draft.world.checks.get(session_id)
    if session is None or check is None or check.id != check_id or check.by != by or not _is_about(check, session):
        return None
    return session, check


def _is_about(check: WorldCheck, session: WorldSession) -> bool:
    """Say whether a check is about the end at which a session stands: there is a retry between any two."""
    is_finish = session.status is AgentStatus.FINISH
    return is_finish and (check.ended_at, check.retries) == (session.moved_at, session.retries)


def _is_asked(session: WorldSession) -> bool:
    asked = session.question
    return asked is not None and asked.about == "done" and asked.status is session.status


def _put(draft: Draft, name: str, check: WorldCheck) -> None:
    draft.world.put_check(name, check)
