"""A command that a need names as its proof: offered to the person, run by their yes, and what comes of that.

Theory: somebody else wrote the command, so it is run by nobody's authority but the person's. What would run is looked
up and stands in the question; the answer is bound to it. It is then a card of its own: judged by all rails, run by a
permit, in the bounds of the built-in agent. What is not as it was seen is not run, and asked about anew.
"""

import shlex

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.words import MoveReason, Origin, Risk, Source, Status, TextSource
from hub.contract.world import AgentStatus
from hub.domain.canonical import visible
from hub.domain.execution import Execution
from hub.domain.judgement import Refusal
from hub.domain.plan import AnyPlan, CannotPlan
from hub.domain.policy import Channel, Policy
from hub.domain.provenance import LogText, say
from hub.domain.requests import Refused
from hub.domain.suggestion import CHECK_COMMAND, Answer, Card, Factors, Need, Proposal, Work
from hub.domain.world import WorldEvent, WorldSession
from hub.domain.world_commands import OfferedCommand
from hub.domain.world_lines import SYSTEM_SOURCE
from hub.kit.text import cut
from hub.loop import refusals
from hub.loop.commands import Resolve, Stop
from hub.loop.draft import Draft
from hub.loop.grants import execution_id
from hub.loop.ordered import put
from hub.loop.tell import tell_settled
from hub.loop.world import known, note
from hub.loop.world_words import COMMAND_CHARS_MAX, name_of
from hub.verify.world_commands import args_of, next_command, ran_of

SAID_CHARS_MAX = 600
RUNS = "It is running; you will be notified of the result."
RUNS_ALREADY = "It is already running."
NO_FOLDER = "The session names no folder, so its command cannot be run from here."
NO_SHELL = "Its command needs a shell, or has invisible characters, so it cannot be run from here."
NO_CHANNEL = "There is no channel to run its command in."
TOO_LONG = "Its command is too long to be shown, so it cannot be run from here."


def look(draft: Draft, session: WorldSession, check_id: str) -> str:
    """Have it found out what the next command of a need would start; return why not, where nothing can be run."""
    part = next_command(session.need, session)
    args = () if part is None else args_of(part.command)
    if not args:
        return NO_SHELL
    if not session.folder:
        return NO_FOLDER
    if _channel(draft.state.policy) is None:
        return NO_CHANNEL
    work = Work(playbook=CHECK_COMMAND, workspace=session.folder, args=args)
    draft.commands.append(Resolve(cycle_id=check_id, agent=draft.state.policy.playbook_agent, work=work))
    return ""


def offered(session: WorldSession, plan: AnyPlan) -> OfferedCommand | str:
    """Return what the person is offered to run, now that it is known what that would start; or why nothing is."""
    part = next_command(session.need, session)
    args = () if part is None else args_of(part.command)
    if part is None or not args:
        return NO_SHELL
    if isinstance(plan, CannotPlan):
        return f"Its command cannot be run from here: {plan.why}"
    if len(visible(shlex.join(plan.argv))) > COMMAND_CHARS_MAX:
        return TOO_LONG
    return OfferedCommand(command=part.command, args=args, exit_code=part.exit_code, folder=session.folder, plan=plan)


def run(draft: Draft, session: WorldSession, card: Card, answer: Answer) -> Refused | str:
    """Run what the person was offered by this card and says yes to; return what came of that, or why it is not run."""
    shown, question = draft.view(card), session.question
    wanted = None if question is None else question.offered
    channel = _channel(draft.state.policy)
    if not answer.in_person:
        return _only_in_person(shown)
    if wanted is None or channel is None or not _is_as_shown(wanted, session, card):
        return refusals.card_changed(shown)
    if session.checking:
        return RUNS_ALREADY
    proposal = _proposal(draft, session, wanted, channel)
    made, refusal = put(draft, proposal, wanted.plan, yes=answer, only_if_known=False)
    if refusal is not None:
        return refusals.by_rail(refusal, shown)
    if made.settled is None:
        draft.move(made, MoveReason.WITHDRAWN)
        return refusals.by_rail(Refusal(rule="gate.ask", reason="This yes does not allow it to run."), shown)
    draft.world.put(replace(known(draft, session.id) or session, checking=made.id))
    _say(draft, session.id, f"the person lets it be checked by running: {shlex.join(wanted.plan.argv)}")
    return RUNS


def on_ran(draft: Draft, execution: Execution, card: Card) -> WorldSession | None:
    """Keep what came of a command, with its session; None if that has gone on, or the run has not ended."""
    session, result = known(draft, card.check_of), execution.result
    if session is None or session.checking != card.id or result is None or execution.ended_at is None:
        return None
    if result.ended == "changed":
        return None  # its card has come back, and is followed as such
    done = replace(session, checking="")
    part = next_command(session.need, session)
    is_there = session.status is AgentStatus.FINISH and str(session.retries) == card.proposal.signature
    if part is None or not is_there or args_of(part.command) != execution.permit.work.args:
        draft.world.put(done)
        return None
    folder = execution.permit.work.workspace or ""
    ran = ran_of(part.command, folder, session.retries, result)
    code = "" if result.exit_code is None else f" with {result.exit_code}"
    kept = (one for one in done.ran if one.retries == session.retries)
    draft.world.put(replace(done, ran=(*kept, ran)))
    _say(draft, session.id, f"checked by running: it ended{code} ({result.ended})")
    return known(draft, session.id)


def on_over(draft: Draft, card: Card) -> WorldSession | None:
    """A card that was to run a command is over, or came back, without a run that says something: let go of it.

    Returns:
        Its session, where that still waits to be checked: somebody has to be asked anew.
    """
    session = known(draft, card.check_of)
    if session is None or session.checking != card.id:
        return None
    draft.world.put(replace(session, checking=""))
    if card.status is Status.PENDING:
        gone = draft.move(card, MoveReason.WITHDRAWN)
        tell_settled(draft, gone)
    return known(draft, session.id) if session.status is AgentStatus.FINISH else None


def leave(draft: Draft, session: WorldSession) -> None:
    """Stop what runs for the end of a session that has gone on."""
    if session.checking and session.status is not AgentStatus.FINISH:
        draft.commands.append(Stop(execution_id=execution_id(session.checking, 1)))
        draft.world.put(replace(session, checking=""))


def is_wanted(draft: Draft, card: Card) -> bool:
    """Say whether a command is still to be run whose turn has come: its session waits for that, where it did."""
    session = known(draft, card.check_of)
    return session is not None and (session.checking, session.folder) == (card.id, card.proposal.work.workspace)


def _is_as_shown(wanted: OfferedCommand, session: WorldSession, card: Card) -> bool:
    """Say whether the need, the folder and the card are what the person saw."""
    part = next_command(session.need, session)
    same = part is not None and (part.command, part.exit_code) == (wanted.command, wanted.exit_code)
    return same and wanted.folder == session.folder and card.plan == wanted.plan


def _proposal(draft: Draft, session: WorldSession, wanted: OfferedCommand, channel: Channel) -> Proposal:
    plan = wanted.plan
    prompt = say(
        "Run “{command}” in {folder}, to check whether session {id} is done.",
        command=wanted.command,
        folder=LogText(plan.folder),
        id=session.id,
    )
    reasoning = say("{name} says it is done; you approved running this to check.", name=name_of(session))
    return Proposal(
        prompt=prompt.text,
        channel=channel.name,
        agent=draft.state.policy.playbook_agent.name,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=1.0, time=1.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=CHECK_COMMAND,
        reason_key=f"{CHECK_COMMAND}:{session.id}",
        signature=str(session.retries),
        need=Need(text=f"It ends with {wanted.exit_code}.", exit_code=wanted.exit_code),
        work=Work(playbook=CHECK_COMMAND, workspace=wanted.folder, args=wanted.args),
        risk=Risk.HIGH,
        cost_estimate_microusd=channel.cost_per_run_microusd,
        routed_by="person",
        origin=Origin.WORLD,
        quotes=(TextSource.WORLD_LOG,),
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )


def _channel(policy: Policy) -> Channel | None:
    """Return the channel on which it is run: one of the built-in agent's, or else any that is open."""
    ours = (one for one in policy.open_channels if one.agent == policy.playbook_agent.name)
    return next(ours, next(iter(policy.open_channels), None))


def _only_in_person(shown: Prediction) -> Refused:
    return Refused(
        code="yes-of-your-own",
        status=403,
        detail="A command that someone else wrote only runs with your own yes, given where all of it can be read.",
        fix="Approve it on the page, or with `pulse watch` in your own terminal.",
        prediction=shown,
    )


def _say(draft: Draft, session_id: str, text: str) -> None:
    words = LogText(cut(visible(text), SAID_CHARS_MAX))
    note(draft, WorldEvent(at=draft.now, source=SYSTEM_SOURCE, identifier=LogText(session_id), text=words))
