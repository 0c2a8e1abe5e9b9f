"""Having an agent do something, as a session of the world log: asked for, run, checked, and tried again with guidance.

Theory: each try is work of its own, with a card that says what would run, and is judged by every rail. The first one
waits for the person, unless they ordered it themselves and let just this run before. Their yes covers more tries of the
same plan, up to `world.tries_max` since they last said something, and each of those needs a permit of its own: where a
rail refuses, the session fails with the rail's reason, and where something is not as it was, the card waits.

What an agent said before and what it is told about that goes along as data: it may come from a log that any program
can write. An agent that knows its conversation again goes on with it; the prompt says enough for one that does not.
"""

from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.contract.words import HumanInput, Origin, Source, Verb
from hub.contract.world import AgentStatus, is_session_id
from hub.domain.canonical import conversation_of
from hub.domain.plan import CannotPlan, Plan, in_words
from hub.domain.policy import WOKEN, Agent, Channel
from hub.domain.provenance import LogText, Wording, quoted, say
from hub.domain.session_run import SessionRun
from hub.domain.suggestion import SPAWN, Answer, Card, Factors, Need, Proposal, Work
from hub.domain.world import HUB, AgentLine, WorldSession
from hub.domain.world_requests import SpawnSession, WorldSaid
from hub.kit.text import counted
from hub.loop import refusals
from hub.loop.commands import Resolve
from hub.loop.draft import Draft
from hub.loop.events import CycleBroke, Resolved
from hub.loop.ordered import put
from hub.loop.state import Spawning
from hub.loop.views import is_killed
from hub.loop.world import WorldOffError, known, move
from hub.loop.world_record import fail
from hub.verify.world_commands import args_of, next_command

SPAWNINGS_MAX = 8
"""So many new ones are looked at together; each takes a moment."""
CARD_PREFIX = "pred_"
NO_RUN = "There is no agent of that name that can be given a task"


class CannotSpawnError(UserError):
    """This cannot be started; the message says why. Nothing is running."""

    code = "cannot-spawn"
    status = 409


class SessionTakenError(UserError):
    """A session or card already has that name. Nothing was started."""

    code = "session-taken"
    status = 409


def on_spawn(draft: Draft, request: SpawnSession, reply_to: str) -> None:
    """Find out what would run for a person's order; the reply follows with its card.

    Raises:
        UserError: it cannot be begun.
    """
    if not draft.state.policy.world.enabled:
        raise WorldOffError("The world log is switched off.", fix="Set `world.enabled = true` in the settings file.")
    if is_killed(draft.state):
        draft.reply(reply_to, refusals.killed(draft.state))
        return
    session_id = _free_name(draft, request.session)
    agent, channel = _who(draft, request)
    if draft.state.open_suggestions >= draft.state.policy.pending_max or _looked_at(draft) >= SPAWNINGS_MAX:
        raise CannotSpawnError(
            "Too much is already waiting for you, so nothing was added.", fix="Answer some cards first."
        )
    run = SessionRun(
        task=request.task.strip(), need=request.need.strip(), channel=channel.name, own_words=request.in_person
    )
    spawning = Spawning(
        id=draft.new_id("spawn"),
        session=session_id,
        run=run,
        agent=agent.name,
        work=Work(workspace=request.folder or None, conversation=conversation_of(draft.new_id("talk"))),
        is_first=True,
        order=_order(draft, request) if request.in_person else None,
        reply_to=reply_to,
    )
    _resolve(draft, spawning, agent)


def on_retry(draft: Draft, session: WorldSession) -> None:
    """Have the same agent try a session of the hub's again; of other sessions the line in the log says it."""
    run = session.run
    is_begun = any(one.session == session.id for one in draft.state.spawnings)
    if run is None or session.owner != HUB or run.card_id or is_begun:
        return
    agent = draft.state.policy.agent(session.agent)
    if agent is None or draft.state.policy.channel(run.channel) is None:
        fail(draft, session, f"{NO_RUN} any more: {session.agent}, by the channel {run.channel}.")
        return
    goes_on = bool(run.conversation)
    fresh = run.conversation or conversation_of(draft.new_id("talk"))
    work = Work(workspace=session.folder or None, conversation=fresh, resumes=goes_on)
    spawning = Spawning(
        id=draft.new_id("spawn"), session=session.id, run=run, agent=agent.name, work=work, is_first=False
    )
    _resolve(draft, spawning, agent)


def on_opened(draft: Draft) -> None:
    """Go on with the sessions that were to be tried again when the hub went away: no card had been made for it yet."""
    for session in tuple(draft.world.sessions.values()):
        if session.status is AgentStatus.RETRY:
            on_retry(draft, session)


def on_resolved(draft: Draft, event: Resolved) -> bool:
    """Make the card of a try, now that it is known what would run; False if the event is about none."""
    spawning = _taken(draft, event.cycle_id)
    if spawning is None:
        return False
    agent, channel = draft.state.policy.agent(spawning.agent), draft.state.policy.channel(spawning.run.channel)
    session = known(draft, spawning.session)
    if isinstance(event.plan, CannotPlan):
        _give_up(draft, spawning, event.plan.why)
    elif agent is None or channel is None:
        _give_up(draft, spawning, f"{NO_RUN} any more: {spawning.agent}, by the channel {spawning.run.channel}.")
    elif spawning.is_first:
        _begin(draft, spawning, _proposal(draft, spawning, None, channel, agent, plan=event.plan), event)
    elif session is not None and session.status is AgentStatus.RETRY:
        _go_on(draft, spawning, session, _proposal(draft, spawning, session, channel, agent, plan=event.plan), event)
    return True


def on_broke(draft: Draft, event: CycleBroke) -> bool:
    """It could not be found out what would run; False if the event is about no try."""
    spawning = _taken(draft, event.cycle_id)
    if spawning is None:
        return False
    _give_up(draft, spawning, event.why)
    return True


def with_answer(draft: Draft, session: WorldSession) -> None:
    """Keep all that a person answered to a session for its next try; the line of it repeats only the beginning."""
    if session.run is not None:
        draft.world.put(replace(session, run=replace(session.run, told=session.answer)))


def _give_up(draft: Draft, spawning: Spawning, why: str) -> None:
    session = known(draft, spawning.session)
    if spawning.is_first:
        draft.reply(spawning.reply_to, refusals.cannot_spawn(why))
    elif session is not None and session.status is AgentStatus.RETRY:
        fail(draft, session, why)


def _begin(draft: Draft, spawning: Spawning, proposal: Proposal, event: Resolved) -> None:
    if known(draft, spawning.session) is not None:
        _give_up(draft, spawning, f"There is a session {spawning.session} by now.")
        return
    card, refusal = put(draft, proposal, event.plan, yes=spawning.order, only_if_known=True)
    if refusal is not None:
        draft.reply(spawning.reply_to, refusals.by_rail(refusal, draft.view(card)))
        return
    line = AgentLine(
        at=draft.now,
        status=AgentStatus.START,
        session=spawning.session,
        text=LogText(spawning.run.task),
        need=LogText(spawning.run.need),
    )
    begun = move(draft, line, owner=HUB, agent=spawning.agent, folder=spawning.work.workspace or "")
    draft.world.put(replace(begun, run=_with_card(draft, spawning, card, event)))
    draft.reply(spawning.reply_to, WorldSaid(session=known(draft, begun.id), card_id=card.id))


def _go_on(draft: Draft, spawning: Spawning, session: WorldSession, proposal: Proposal, event: Resolved) -> None:
    if f"{SPAWN}:{session.id}" in draft.facts.open_keys:
        fail(draft, session, "A card of it is open already.")
        return
    run, agent = spawning.run, draft.state.policy.agent(spawning.agent)
    covers = agent is not None and run.covers(event.plan, agent.resume)
    is_covered = covers and session.tries <= draft.state.policy.world.tries_max
    yes = replace(run.yes, in_person=False, by_device=False) if run.yes is not None and is_covered else None
    card, refusal = put(draft, proposal, event.plan, yes=yes, only_if_known=False)
    if refusal is not None:
        fail(draft, session, f"{refusal.reason} {refusal.fix}".strip())
    else:
        draft.world.put(replace(session, run=_with_card(draft, spawning, card, event)))


def _with_card(draft: Draft, spawning: Spawning, card: Card, event: Resolved) -> SessionRun:
    """Keep which card it is; where an order was taken for the yes to it, that covers the next tries, too."""
    run = replace(spawning.run, card_id=card.id, tried=spawning.run.tried + 1)
    if spawning.order is None or card.settled is None:
        return run
    agent = draft.state.policy.agent(spawning.agent)
    return replace(run, plan=event.plan, yes=spawning.order, resume=() if agent is None else agent.resume)


def _proposal(
    draft: Draft, spawning: Spawning, session: WorldSession | None, channel: Channel, agent: Agent, *, plan: Plan
) -> Proposal:
    run, prompt = spawning.run, _prompt(spawning.run, session)
    tries = counted(draft.state.policy.world.tries_max, "try", "tries")
    which = f"This is try {session.tries}. " if session is not None else ""
    by = "" if not agent.resume else f" Later tries continue its conversation: {' '.join(agent.resume)}"
    checked = "" if plan.then is None else f" Checked by running: {in_words(plan.then)}."
    covers = f"A yes covers up to {tries} of exactly this, each with the result of the one before.{by}"
    return Proposal(
        prompt=prompt.text,
        channel=channel.name,
        agent=agent.name,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=1.0, time=1.0),
        reasoning=f"Session {spawning.session} was asked for. {which}{covers}{checked}",
        source=Source.TEMPLATE,
        kind=SPAWN,
        reason_key=f"{SPAWN}:{spawning.session}",
        signature=f"{run.tried + 1}",
        need=Need(
            text=run.need or "The agent reports no error.",
            exit_code=None if agent.kind in WOKEN else 0,
            command=_command(spawning),
        ),
        work=spawning.work,
        risk=channel.risk,
        cost_estimate_microusd=channel.cost_per_run_microusd,
        routed_by="person",
        origin=Origin.PERSON,
        quotes=tuple(sorted(prompt.quotes)),
        own_words=run.own_words,
    )


def _prompt(run: SessionRun, session: WorldSession | None) -> Wording:
    """Word a try: what was asked for, and of a later one what came of those before, as data."""
    prompt = say("{task}", task=run.task)
    if run.need:
        prompt = say("{prompt}\n\nIt is done when this is there: {need}", prompt=prompt, need=run.need)
    if session is not None:
        prompt = say("{prompt}\n\nThis is try {number}.", prompt=prompt, number=run.tried + 1)
        if run.said:
            prompt = say("{prompt}\nThe one before ended with: {said}", prompt=prompt, said=quoted(run.said))
        if run.told:
            prompt = say("{prompt}\nThe user answers: {told}", prompt=prompt, told=quoted(run.told))
        elif session.said:
            prompt = say("{prompt}\nThe check says: {guide}", prompt=prompt, guide=quoted(session.said))
    return say("{prompt}\n\nEnd with a short summary of the result.", prompt=prompt)


def _free_name(draft: Draft, wanted: str) -> str:
    if not wanted:
        return draft.new_id("session")
    if not is_session_id(wanted):
        raise CannotSpawnError(
            f"{wanted!r} is not a valid session name.", fix="Use A-Z a-z 0-9 . _ : @ -, at most 128."
        )
    is_new = known(draft, wanted) is None and all(one.session != wanted for one in draft.state.spawnings)
    if wanted.startswith(CARD_PREFIX) or not is_new:
        raise SessionTakenError(f"There is already a session {wanted}.", fix="Leave the name out, or give another.")
    return wanted


def _who(draft: Draft, request: SpawnSession) -> tuple[Agent, Channel]:
    """Return the agent that is to do it, and the channel that leads to it."""
    policy = draft.state.policy
    leading = [one for one in policy.open_channels if _does_what_it_is_told(policy.agent(one.agent))]
    names = ", ".join(dict.fromkeys(one.agent for one in leading)) or "none"
    mine = [one for one in leading if one.agent == request.agent]
    if not mine:
        why = f"{NO_RUN} and that a channel leads to: {request.agent}."
        raise CannotSpawnError(why, fix=f"There are: {names}. `pulse agent setup` brings another.")
    channel = next((one for one in mine if request.channel in {"", one.name}), None)
    if channel is None:
        ours = ", ".join(one.name for one in mine)
        raise CannotSpawnError(f"No channel {request.channel} leads to {request.agent}.", fix=f"These do: {ours}.")
    agent = policy.agent(channel.agent)
    if agent is None:
        raise AssertionError("the channel's agent was there a moment ago")
    return agent, channel


def _does_what_it_is_told(agent: Agent | None) -> bool:
    if agent is None or agent.kind == "playbook":
        return False
    return agent.kind != "command" or agent.stdin == "prompt" or "{prompt}" in agent.argv


def _order(draft: Draft, request: SpawnSession) -> Answer:
    """Return a person's order as the answer that it is, where they let just this run before."""
    return Answer(
        key=draft.new_id("order"),
        card_id="",
        verb=Verb.APPROVE,
        by=refusals.ME,
        surface=request.surface,
        device=request.device,
        human_input=HumanInput.KEY,
        in_person=False,  # over the content filter's word only an answer to the card itself goes
    )


def _resolve(draft: Draft, spawning: Spawning, agent: Agent) -> None:
    draft.state = replace(draft.state, spawnings=(*draft.state.spawnings, spawning))
    command = _command(spawning)
    tester = draft.state.policy.playbook_agent if command else None
    draft.commands.append(
        Resolve(cycle_id=spawning.id, agent=agent, work=spawning.work, tester=tester, command=command)
    )


def _command(spawning: Spawning) -> tuple[str, ...]:
    """Return the command of the need that is run at the end of each try, where the person's yes to its card is to it.

    It is run in the folder of the work; without one there is none.
    """
    part = next_command(LogText(spawning.run.need)) if spawning.work.workspace else None
    return () if part is None else args_of(part.command)


def _looked_at(draft: Draft) -> int:
    return sum(one.is_first for one in draft.state.spawnings)


def _taken(draft: Draft, cycle_id: str) -> Spawning | None:
    found = next((one for one in draft.state.spawnings if one.id == cycle_id), None)
    if found is not None:
        left = tuple(one for one in draft.state.spawnings if one is not found)
        draft.state = replace(draft.state, spawnings=left)
    return found
