"""What follows when a session of the world log has moved: the one place where its ends and failures lead on."""

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.storage import MoveCard, MoveExecution
from hub.domain.world import AgentLine, WorldSession
from hub.domain.world_requests import WorldSaid
from hub.loop import world_checks, world_commands, world_person, world_runs
from hub.loop.commands import Command, Respond
from hub.loop.draft import Draft
from hub.loop.world import known, move
from hub.loop.world_record import note_runs

RETRY_CHARS_MAX = 1_000
"""Of an answer, what the line of the new try repeats; all of it stands in the line of the answer."""


def follow(draft: Draft) -> None:
    """Write down what Pulse did in this step, then follow up every session that moved, and those that move by it."""
    note_runs(draft)
    _note_checks(draft)
    while draft.world.moved:
        session = draft.world.sessions.get(draft.world.moved.pop(0))
        if session is not None:
            _follow(draft, session)
    world_checks.begin(draft)
    if draft.world.has_room:
        world_person.ask_waiting(draft)
    draft.commands = [_as_followed(draft, one) for one in draft.commands]


def _note_checks(draft: Draft) -> None:
    """Take what came of commands by which sessions are checked, and of their cards."""
    cards = {one.card.id: one.card for one in draft.changes if isinstance(one, MoveCard)}
    for change in [one for one in draft.changes if isinstance(one, MoveExecution)]:
        card = cards.get(change.execution.card_id) or draft.facts.card
        if card is not None and card.id == change.execution.card_id and card.check_of:
            world_checks.on_run(draft, change, card)
    for card in cards.values():
        if card.check_of:
            world_checks.on_card(draft, card)


def _as_followed(draft: Draft, command: Command) -> Command:
    """Have whoever said a line hear how its session is now that all has followed: an answered one tries again."""
    if not isinstance(command, Respond) or not isinstance(command.reply, WorldSaid) or command.reply.session is None:
        return command
    session = known(draft, command.reply.session.id)
    return replace(command, reply=replace(command.reply, session=session or command.reply.session))


def _follow(draft: Draft, session: WorldSession) -> None:
    if session.of_card:
        return  # its card's own verification has judged it, and the card asks
    world_person.on_moved(draft, session)
    if session.status is AgentStatus.FINISH:
        world_checks.on_finish(draft, session)
    else:
        world_checks.drop(draft, session.id)
        world_commands.leave(draft, session)
        session = known(draft, session.id) or session
    if session.status is AgentStatus.FAILED and session.answered_at is not None:
        try_again(draft, session)
    elif session.status is AgentStatus.FAILED and session.left_at is None:
        world_person.ask(draft, session, "answer")
    elif session.status is AgentStatus.RETRY:
        world_runs.on_retry(draft, session)


def try_again(draft: Draft, session: WorldSession) -> None:
    """Have a session that failed tried again, with what a person answered."""
    world_runs.with_answer(draft, session)
    words = session.answer.map(lambda said: f"Try again, with this answer: {said[:RETRY_CHARS_MAX]}")
    move(draft, AgentLine(at=draft.now, status=AgentStatus.RETRY, session=session.id, text=words))
