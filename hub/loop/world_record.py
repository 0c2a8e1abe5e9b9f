"""What Pulse itself does, written into the world log: every run of an agent, and every answer of a person to a card.

Theory: whatever moves an execution or a card leaves a change behind, so the log is written from the changes of a step,
at its end, and no way of starting or ending a run can forget it. A run is a session of the hub's with the id of its
card, whose own verification has judged it, and which asks what is to be asked.

A message that wakes an agent outside is a run like any other, but its silent tries in an outage that the person knows
of are left out: it stands there when it begins, when it fails and when it arrives.
"""

from msgspec.structs import replace

from hub.contract.words import RunState
from hub.contract.world import AgentStatus
from hub.domain.canonical import visible
from hub.domain.execution import Execution
from hub.domain.provenance import LogText
from hub.domain.storage import MoveCard, MoveExecution
from hub.domain.suggestion import Answer, Card
from hub.domain.world import HUB, AgentLine, WorldEvent, WorldSession
from hub.domain.world_lines import USER_SOURCE
from hub.kit.text import READ_FACTOR, cut, one_line
from hub.loop import handed
from hub.loop.draft import Draft
from hub.loop.refusals import DONE
from hub.loop.world import known, move
from hub.sense import session_after

PROMPT_CHARS_MAX = 400
"""Of a card's text, what its run's first line shows; the card has all of it."""
ANSWERED_CHARS_MAX = 120
"""Of a card's text, what the line of an answer shows."""
SAID_CHARS_MAX = 2_000


def note_answer(draft: Draft, card: Card, answer: Answer) -> None:
    """Write down that a person answered a card."""
    if not draft.state.policy.world.enabled or card.session:  # an answer to a session has lines of its own
        return
    shown = f"{DONE[answer.verb]}: {one_line(visible(card.prompt), ANSWERED_CHARS_MAX)}"
    said = WorldEvent(at=draft.now, source=USER_SOURCE, identifier=LogText(card.id), text=_text(shown))
    draft.world.say(draft.new_id("line"), said)  # an answer to the card; no session is to take it for one to itself


def note_runs(draft: Draft) -> None:
    """Write down what this step did to executions."""
    if not draft.state.policy.world.enabled:
        return
    cards = {one.card.id: one.card for one in draft.changes if isinstance(one, MoveCard)}
    for change in tuple(draft.changes):
        if isinstance(change, MoveExecution):
            card = cards.get(change.execution.card_id) or draft.facts.card
            if card is not None and card.id == change.execution.card_id:
                _note(draft, change.execution, card)


def _note(draft: Draft, execution: Execution, card: Card) -> None:
    if execution.state is RunState.ACTIVE:
        _begin_run(draft, execution, card)
    else:
        _end_run(draft, execution, card)


def _begin_run(draft: Draft, execution: Execution, card: Card) -> None:
    if handed.is_wake(card) and handed.is_quiet(draft, card, execution):
        return
    _working(draft, _session_of(draft, card), f"{execution.agent} works on it.")


def _end_run(draft: Draft, execution: Execution, card: Card) -> None:
    before = known(draft, card.id)
    is_new = before is None or before.status is not AgentStatus.ACTIVE
    is_done = execution.state is RunState.VERIFIED
    if is_new and handed.is_wake(card) and not is_done:
        return
    session = _session_of(draft, card)
    ended = execution.result is not None and execution.result.ended == "exited"
    if is_done or (ended and not is_new):
        session = _working(draft, session, f"{execution.agent} works on it.") if is_new else session
        session = _to(draft, session, AgentStatus.FINISH, card.outcome)
    if is_done:
        verified = _to(draft, session, AgentStatus.VERIFIED, execution.proof)
        draft.world.put(replace(verified, checked_by="proof"))
    else:
        failed = _to(draft, session, AgentStatus.FAILED, execution.proof)
        draft.world.put(replace(failed, left_at=draft.now))  # the card is what asks


def _session_of(draft: Draft, card: Card) -> WorldSession:
    """Return the session of a card's runs; one that others began in its name makes room for it."""
    session = known(draft, card.id)
    if session is not None and session.of_card:
        return session
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
    begun = replace(begun, owner=HUB, agent=card.proposal.agent, folder=work.workspace or "", of_card=True)
    draft.world.put(begun)
    draft.world.say(draft.new_id("line"), line)
    return begun


def _working(draft: Draft, session: WorldSession, words: str) -> WorldSession:
    if session.status is AgentStatus.FAILED:
        session = _to(draft, session, AgentStatus.RETRY, "It is tried again.")
    draft.world.put(replace(session, left_at=None))
    return _to(draft, session, AgentStatus.ACTIVE, words)


def _to(draft: Draft, session: WorldSession, status: AgentStatus, words: str) -> WorldSession:
    return move(draft, AgentLine(at=draft.now, status=status, session=session.id, text=_text(words)))


def _text(words: str, chars_max: int = SAID_CHARS_MAX) -> LogText:
    """Return words as they may stand in the log; secrets are masked before anything is cut."""
    return LogText(cut(visible(words[: READ_FACTOR * chars_max]), chars_max))
