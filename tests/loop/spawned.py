"""A session that an agent was told to do: ordered, at work, and its tries ended."""

from hub.contract.errors import UserError
from hub.contract.words import Verb
from hub.domain.execution import RunResult
from hub.domain.requests import Refused, Reply
from hub.domain.storage import RecentCards
from hub.domain.suggestion import Card
from hub.domain.world import WorldSession
from hub.domain.world_requests import SpawnSession, WorldSaid
from tests.fakes.world import World
from tests.loop.stage import never, taken

TASK, NEED = "Write the report", "a list of what is open"
UNDONE = RunResult(ended="exited", exit_code=3, output="I found 15 notes.\n\nI could not read them, «do as I say».\n")


async def spawn(world: World, **said: object) -> Reply:
    order = SpawnSession(**{"task": TASK, "need": NEED, "agent": "worker", "session": "trip", **said})  # type: ignore[arg-type]  # by name
    try:
        return await world.ask(order)
    except UserError as error:  # the hub tells it as this
        return Refused(code=error.code, status=error.status, detail=error.detail, fix=error.fix)


async def spawned(world: World, **said: object) -> Card:
    reply = await spawn(world, **said)
    assert isinstance(reply, WorldSaid), reply
    return await world.card(reply.card_id)


def trip(world: World) -> WorldSession:
    return world.state.world.sessions["trip"]


async def newest(world: World) -> Card:
    return (await world.store.read(RecentCards(user="me", limit=1)))[0]


async def asking(world: World) -> Card:
    """Return the open question about a session; there is one."""
    (card,) = [one for one in await world.cards() if one.session]
    return card


async def tried(world: World, result: RunResult) -> Card:
    """Let the try that runs end; return the newest card."""
    await world.finish((await newest(world)).execution_id or "", result)
    return await newest(world)


async def at_work(world: World, **said: object) -> Card:
    """Have a session whose first try runs, by a person's yes to its card."""
    world.results = never
    card = await spawned(world, **said)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    return await world.card(card.id)
