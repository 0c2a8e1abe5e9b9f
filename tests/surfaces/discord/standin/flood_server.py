"""`python -m tests.surfaces.discord.standin.flood_server`: a stand-in of its own that sends many reactions.

It says where it is, then takes lines `COUNT RATE` (a rate of 0: as fast as it goes) and sends that many reactions to
the card that is open, or to any message if there is none. Each carries the moment at which it was sent, in
nanoseconds, as the id of the message's author.
"""

import asyncio
import json
import sys
import time

from tests.surfaces.discord.conftest import ROLE
from tests.surfaces.discord.standin.server import Standin
from tests.surfaces.discord.standin.world import Json

PEOPLE = 1_000
SLICE_S = 0.005
YES = "✅"


async def main() -> None:
    standin = Standin()
    await standin.start()
    world = standin.world
    people = [world.user(f"u{number}", roles=(ROLE,)) for number in range(PEOPLE)]
    told = {"port": standin.port, "guild": world.guild_id, "people": [people[0]["id"]]}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        count, rate = map(int, line.split())
        there = standin.open_cards()
        await flood(standin, there[-1]["id"] if there else world.snowflake(), people, count, rate)
    await standin.stop()


async def flood(standin: Standin, message_id: str, people: list[Json], count: int, rate: int) -> None:
    """Send reactions: everybody reacts, then everybody takes it back, and so on."""
    began, slice_size = time.monotonic(), max(1, int(rate * SLICE_S)) if rate else 50
    for first in range(0, count, slice_size):
        for number in range(first, min(first + slice_size, count)):
            person = people[number % PEOPLE]
            added = (number // PEOPLE) % 2 == 0
            data: Json = {
                "user_id": person["id"],
                "channel_id": standin.world.bridge,
                "message_id": message_id,
                "guild_id": standin.world.guild_id,
                "emoji": {"id": None, "name": YES},
                "type": 0,
                "burst": False,
                "message_author_id": str(time.monotonic_ns()),
            }
            if added:
                data |= {"member": standin.world.member(person["id"]), "burst_colors": []}
            await standin.gateway.dispatch("MESSAGE_REACTION_ADD" if added else "MESSAGE_REACTION_REMOVE", data)
        due = began + (first + slice_size) / rate if rate else 0.0
        await asyncio.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    asyncio.run(main())
