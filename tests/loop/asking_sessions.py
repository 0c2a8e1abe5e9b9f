"""Sessions of the world log that ask a person, for tests: lines of the file, questions, and what is said to them."""

from hub.contract.permission import PermissionAnswer
from hub.contract.words import Verb
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.requests import Reply
from hub.domain.storage import OpenCards
from hub.domain.suggestion import Card
from hub.domain.world import AgentLine, WorldEvent, WorldSession
from hub.domain.world_log_state import AddWorldLine
from hub.loop.events import WorldRead
from hub.loop.world_cards import QUESTION_ID
from hub.loop.world_person import ask
from tests.fakes.world import World


def line(status: AgentStatus, session: str = "abc123", text: str = "", need: str = "") -> AgentLine:
    return AgentLine(status=status, session=session, text=LogText(text), need=LogText(need))


async def read(world: World, *lines: AgentLine | WorldEvent) -> None:
    """Take in lines of the file."""
    await world.happen(WorldRead(lines=lines, cursor=b"there"))


async def a_session(world: World, *then: AgentLine, name: str = "abc123") -> WorldSession:
    begun = line(AgentStatus.START, name, "Book Tokyo flight", "confirmation number")
    await read(world, begun, line(AgentStatus.ACTIVE, name, "searching flights"), *then)
    return world.state.world.sessions[name]


async def stuck(world: World, name: str = "abc123", need: str = "solve captcha") -> Card:
    await a_session(world, line(AgentStatus.FAILED, name, "captcha required", need), name=name)
    return await question_of(world, name)


async def question_of(world: World, name: str = "abc123") -> Card:
    question = world.state.world.sessions[name].question
    assert question is not None
    return await world.card(question.card_id)


async def questions(world: World) -> list[str]:
    """Return the sessions about which something is asked, as the store has them."""
    cards = await world.store.read(OpenCards(user="me", limit=200, now=world.now, snoozed=True))
    return sorted(card.session for card in cards if card.session)


async def say(world: World, card: Card, words: str, *, in_person: bool = True) -> Reply:
    answers = PermissionAnswer(answers={QUESTION_ID: (words,)})
    return await world.answer(card, Verb.APPROVE, permission=answers, in_person=in_person)


async def puts(world: World, about: str, session: str = "abc123", **extra: object) -> Card:
    """Have a supervisor ask, as it would within a step of its own."""
    await world.add(lambda draft: ask(draft, draft.world.sessions[session], about, **extra))  # type: ignore[arg-type]  # by name
    return await question_of(world, session)


def lines_of(world: World) -> list[str]:
    """Return what was written into the log, in short."""
    out = [change.out.line for change in world.changes if isinstance(change, AddWorldLine)]
    return [
        f"{one.status}: {untrusted(one.text)}" if isinstance(one, AgentLine) else f"{one.source}: {untrusted(one.text)}"
        for one in out
        if isinstance(one, AgentLine | WorldEvent)
    ]
