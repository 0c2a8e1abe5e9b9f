"""What Pulse itself does, written into the world log: every run of an agent, and every answer of a person to a card.

Theory: whatever moves an execution or a card leaves a change behind, so the log is written from the changes of a step,
at its end, and no way of starting or ending a run can forget it. A run is a session of the hub's: of the card's own id,
where the card's own verification has judged it and the card asks what is to be asked; else a try at the session that a
person had begun with `pulse world spawn`, which goes on from how the try ended.

A message that wakes an agent outside is a run like any other, but its silent tries in an outage that the person knows
of are left out: it stands there when it begins, when it fails and when it arrives.
"""

from msgspec.structs import replace

from hub.contract.words import GRANTING, MoveReason, RunState, Verb
from hub.contract.world import AgentStatus
from hub.domain.canonical import visible
from hub.domain.execution import Execution
from hub.domain.provenance import LogText, Wording, say, untrusted
from hub.domain.session_run import NOTHING_SAID, SessionRun
from hub.domain.storage import MoveCard, MoveExecution
from hub.domain.suggestion import Answer, Card
from hub.domain.world import HUB, NO_TEXT, AgentLine, WorldEvent, WorldSession
from hub.domain.world_commands import RanCommand
from hub.domain.world_lines import USER_SOURCE
from hub.kit.text import READ_FACTOR, cut, one_line
from hub.loop import outside_wakes
from hub.loop.draft import Draft
from hub.loop.refusals import DONE
from hub.loop.world import known, move
from hub.loop.world_person import withdraw
from hub.sense import session_after
from hub.verify.world_commands import next_command, ran_of

PROMPT_CHARS_MAX = 400
"""Of a card's text, what its run's first line shows; the card has all of it."""
ANSWERED_CHARS_MAX = 120
"""Of a card's text, what the line of an answer shows."""
RECORDED_CHARS_MAX = 2_000
WORKING = frozenset({AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY})
HOW_ON = LogText("guidance on how to continue")
"""What a try that failed needs, where nobody knows better."""
AGAIN = say("It will be tried again.")
ENDED_WELL = say("{says}.", says=say("It ended without an error"))
OVER: dict[MoveReason, str] = {
    MoveReason.REJECTED: "You said no to it.",
    MoveReason.EXPIRED: "Nobody said yes to it in time.",
    MoveReason.WITHDRAWN: "Its card was withdrawn.",
}
"""Why a session goes on no more whose card was not let run."""


def note_answer(draft: Draft, card: Card, answer: Answer) -> None:
    """Write down that a person answered a card; their yes to a try covers the next ones of the same plan."""
    if not draft.state.policy.world.enabled or card.session:  # an answer to a session has lines of its own
        return
    text = LogText(f"{DONE[answer.verb]}: {_answered(card, answer)}")
    said = WorldEvent(at=draft.now, source=USER_SOURCE, identifier=LogText(card.id), text=text)
    draft.world.say(draft.new_id("line"), said)  # an answer to the card; no session is to take it for one to itself
    session = known(draft, card.try_of) if card.try_of else None
    if session is not None and session.run is not None and answer.verb in GRANTING:
        draft.world.put(replace(session, run=_with_yes(draft, session, session.run, card, answer)))


def _answered(card: Card, answer: Answer) -> str:
    """Return what an answer is about; of what the person changed, what was asked beside what runs."""
    asked = _in_line(card.prompt)
    if answer.verb is not Verb.EDIT or answer.prompt in {None, card.prompt}:
        return asked
    return f"asked: {asked} / ran: {_in_line(answer.prompt or '')}"


def _in_line(text: str) -> str:
    return visible(one_line(visible(text), ANSWERED_CHARS_MAX))  # masked again in one line; mostly remembered


def _with_yes(draft: Draft, session: WorldSession, run: SessionRun, card: Card, answer: Answer) -> SessionRun:
    agent = draft.state.policy.agent(session.agent)
    return replace(run, plan=card.plan, yes=answer, resume=() if agent is None else agent.resume)


def note_mended(draft: Draft, card: Card, seen: str) -> None:
    """Write down that what a run of Pulse's own had failed at was seen to end well since."""
    session = known(draft, card.id) if draft.state.policy.world.enabled else None
    if session is None or not session.of_card or session.status is not AgentStatus.FAILED:
        return
    session = _to(draft, _working(draft, session, ""), AgentStatus.FINISH, seen)
    verified = _to(draft, session, AgentStatus.VERIFIED, seen)
    draft.world.put(replace(verified, checked_by="proof"))


def note_runs(draft: Draft) -> None:
    """Write down what this step did to executions, and to the cards of tries that were not let run."""
    if not draft.state.policy.world.enabled:
        return
    cards = {one.card.id: one.card for one in draft.changes if isinstance(one, MoveCard)}
    for change in tuple(draft.changes):
        if isinstance(change, MoveExecution):
            card = cards.get(change.execution.card_id) or draft.facts.card
            if card is not None and card.id == change.execution.card_id and not card.check_of:
                _note(draft, change.execution, card)
    for card in cards.values():
        if card.try_of:
            _note_card(draft, card)


def _note(draft: Draft, execution: Execution, card: Card) -> None:
    begins = execution.state is RunState.ACTIVE
    if not card.try_of:
        _begin_run(draft, execution, card) if begins else _end_run(draft, execution, card)
        return
    session = known(draft, card.try_of)
    if session is not None and session.run is not None and session.run.card_id == card.id:
        _begin_try(draft, session, card) if begins else _end_try(draft, session, session.run, execution, card)


# A run of a card: its session has the card's id.


def _begin_run(draft: Draft, execution: Execution, card: Card) -> None:
    if outside_wakes.is_wake(card) and outside_wakes.is_quiet(draft, card, execution):
        return
    _working(draft, _session_of(draft, card), _works(draft, execution.agent))


def _end_run(draft: Draft, execution: Execution, card: Card) -> None:
    before = known(draft, card.id)
    is_new = before is None or before.status is not AgentStatus.ACTIVE
    is_done, is_handed = execution.state is RunState.VERIFIED, execution.state is RunState.FINISHED
    if is_new and outside_wakes.is_wake(card) and not (is_done or is_handed):
        return
    session = _session_of(draft, card)
    ended = execution.result is not None and execution.result.ended == "exited"
    if is_done or is_handed or (ended and not is_new):
        session = _working(draft, session, _works(draft, execution.agent)) if is_new else session
        session = _to(draft, session, AgentStatus.FINISH, _outcome(card))
    if is_done:
        verified = _to(draft, session, AgentStatus.VERIFIED, _proof(execution))
        draft.world.put(replace(verified, checked_by="proof"))
    elif is_handed:
        draft.world.put(replace(session, left_at=draft.now))  # nobody checks it
    else:
        failed = _to(draft, session, AgentStatus.FAILED, _proof(execution))
        draft.world.put(replace(failed, left_at=draft.now))  # the card is what asks


def own_lines(session: WorldSession) -> tuple[Wording, ...]:
    """Return what the run of a card says by itself on its way, whatever becomes of it."""
    return (*map(_works_words, ("Pulse", session.agent)), AGAIN, ENDED_WELL)


def _works(draft: Draft, name: str) -> Wording:
    """Say who works on it: a playbook is Pulse's own work."""
    agent = draft.state.policy.agent(name)
    return _works_words("Pulse" if agent is not None and agent.kind == "playbook" else name)


def _works_words(name: str) -> Wording:
    return say("{agent} works on it.", agent=name)


def _session_of(draft: Draft, card: Card) -> WorldSession:
    """Return the session of a card's runs; one that others began in its name makes room for it."""
    session = known(draft, card.id)
    if session is not None and session.of_card:
        return session
    if session is not None:
        withdraw(draft, session)
    work, need = card.proposal.work, card.proposal.need
    line = AgentLine(
        at=draft.now,
        status=AgentStatus.START,
        session=card.id,
        text=_text(card.prompt, PROMPT_CHARS_MAX),
        need=_text(need.text),
    )
    begun = session_after(None, line, draft.now, proven=True)
    if begun is None:
        raise AssertionError("a start begins a session")
    begun = replace(
        begun,
        owner=HUB,
        agent=card.proposal.agent,
        folder=work.workspace or "",
        of_card=True,
        task_worded=card.proposal.prompt_worded,  # shown only while the task says just that
        need_worded=card.proposal.need_worded,
    )
    draft.world.put(begun)
    draft.world.say(draft.new_id("line"), line)
    return begun


# A try at a session that a person had begun.


def _begin_try(draft: Draft, session: WorldSession, card: Card) -> None:
    _working(draft, session, say("{agent} works on it, try {number}.", agent=card.proposal.agent, number=session.tries))


def _end_try(draft: Draft, session: WorldSession, run: SessionRun, execution: Execution, card: Card) -> None:
    result = execution.result
    if result is not None and result.ended == "changed":
        _to(draft, session, AgentStatus.ACTIVE, say("It is waiting for a yes. {detail}", detail=result.detail))
        return
    said = execution.outcome.said if execution.outcome is not None else NOTHING_SAID
    run = replace(run, card_id="", said=said, told=NO_TEXT, conversation=_conversation(draft, session, execution))
    session = replace(session, run=run, ran=_ran(session, run, execution))
    draft.world.put(session)
    if result is None or result.ended != "exited":
        failed = _failed(draft, session, _proof(execution))
        if execution.state is RunState.STOPPED:
            draft.world.put(replace(failed, left_at=draft.now))
        return
    session = _working(draft, session, "") if session.status is not AgentStatus.ACTIVE else session
    session = _to(draft, session, AgentStatus.FINISH, untrusted(said) or _outcome(card))
    if execution.state in {RunState.VERIFIED, RunState.FINISHED}:
        return  # it ended well: whether it is done is found out by others
    if session.tries < draft.state.policy.world.tries_max:
        _to(draft, session, AgentStatus.RETRY, _proof(execution))
    else:
        _failed(draft, session, _proof(execution))


def _ran(session: WorldSession, run: SessionRun, execution: Execution) -> tuple[RanCommand, ...]:
    """Return what came of the need's command, where the yes to this try was one to it, and it could be started."""
    proof = execution.result.proof if execution.result is not None else None
    part = next_command(LogText(run.need))
    if proof is None or part is None or not execution.need.command or proof.ended in {"changed", "failed-to-start"}:
        return ()
    return (ran_of(part.command, session.folder, session.retries, proof),)


def _conversation(draft: Draft, session: WorldSession, execution: Execution) -> str:
    """Return by what the agent can go on with this conversation; after a resumed one that failed it begins anew."""
    result, work = execution.result, execution.permit.work
    if result is None or result.ended not in {"exited", "timeout"}:
        return ""
    if work.resumes and execution.state is RunState.FAILED and result.ended == "exited":
        return ""
    agent = draft.state.policy.agent(session.agent)
    return result.conversation or (work.conversation if agent is not None and agent.resume else "")


def _note_card(draft: Draft, card: Card) -> None:
    """A card of a try was turned down, ran out or came back: so does its session."""
    session = known(draft, card.try_of)
    if session is None or session.run is None:
        return
    reason, is_its_own = card.status_reason, session.run.card_id == card.id
    if is_its_own and reason in OVER and session.status in WORKING:
        draft.world.put(replace(session, run=replace(session.run, card_id="")))
        failed = _failed(draft, session, OVER[reason])
        if reason is not MoveReason.EXPIRED:
            draft.world.put(replace(failed, left_at=draft.now))
    elif reason is MoveReason.UNDONE and session.status is AgentStatus.FAILED and not session.run.card_id:
        draft.world.put(replace(session, run=replace(session.run, card_id=card.id)))
        _to(draft, session, AgentStatus.RETRY, say("Its card is open again."))


def fail(draft: Draft, session: WorldSession, why: str) -> None:
    """Let a session fail that cannot go on, and say why; `follow` asks the person."""
    _failed(draft, session, why)


def _failed(draft: Draft, session: WorldSession, why: Wording | str) -> WorldSession:
    return _to(draft, session, AgentStatus.FAILED, why, need=HOW_ON)


def _working(draft: Draft, session: WorldSession, words: Wording | str) -> WorldSession:
    if session.status is AgentStatus.FAILED:
        session = _to(draft, session, AgentStatus.RETRY, AGAIN)
    draft.world.put(replace(session, left_at=None))
    return _to(draft, session, AgentStatus.ACTIVE, words)


def _to(
    draft: Draft, session: WorldSession, status: AgentStatus, words: Wording | str, *, need: LogText = NO_TEXT
) -> WorldSession:
    text = words if isinstance(words, str) else words.text
    line = AgentLine(at=draft.now, status=status, session=session.id, text=_text(text), need=need)
    moved = replace(move(draft, line), said_worded=None if isinstance(words, str) else words.worded)
    draft.world.put(moved)
    return moved


def _proof(execution: Execution) -> Wording | str:
    worded = execution.proof_worded
    return execution.proof if worded is None else say("{proof}", proof=worded)


def _outcome(card: Card) -> Wording | str:
    line = None if card.result is None else card.result.in_one_line
    return line if line is not None and line.text == card.outcome else card.outcome


def _text(words: str, chars_max: int = RECORDED_CHARS_MAX) -> LogText:
    """Return words as they may stand in the log; secrets are masked before anything is cut."""
    return LogText(cut(visible(words[: READ_FACTOR * chars_max]), chars_max))
