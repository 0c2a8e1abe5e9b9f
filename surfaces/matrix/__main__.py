"""`python -m surfaces.matrix --name chat` serves; with `discover` it makes the room and waits for its owner to join."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from hub.contract.words import HumanInput
from hub.kit.chat.heard import Sender
from hub.kit.chat.pairing import WAIT_S_MAX, NotPairedInTimeError
from hub.kit.chat.program import ChatProgram, Say, chat_main
from surfaces.matrix.bot import bot_of
from surfaces.matrix.render import MOST_CHARS, ROOM_CHARS
from surfaces.matrix.settings import MATRIX, BadMatrixConfigError, Config, MatrixTokenError

LOOK_S = 2.0


async def discover(config: Config, secrets: Mapping[str, str], say: Say) -> dict[str, Any]:
    """Make a room, invite the person that was named, and wait until they have joined.

    Raises:
        BadMatrixConfigError: the server or the person is not named.
        NotPairedInTimeError: nobody joined.
    """
    if not config.server or not config.person:
        raise BadMatrixConfigError(fix="Name both: `pulse matrix setup --server URL --person @you:server`.")
    async with bot_of(config, secrets) as bot:
        say(f"The token is good: the bot is {await bot.who_am_i()}.")
        room_id = config.room_id or await bot.open_room(config.person)
        say(f"{config.person} is invited to the room Pulse. Join it; the set-up then continues by itself.")
        for _ in range(int(WAIT_S_MAX / LOOK_S)):
            if await bot.has_joined(room_id, config.person):
                say("Joined. From now on only this account may answer, in this room.")
                kept = replace(config, room_id=room_id)
                return {"server": kept.server, "person": kept.person, "room_id": kept.room_id}
            await asyncio.sleep(LOOK_S)
    raise NotPairedInTimeError("Nobody joined the room in time.", fix="Run the set-up again, and join the room.")


PROGRAM = ChatProgram(
    spec=MATRIX,
    bad_settings=BadMatrixConfigError,
    no_secret=MatrixTokenError,
    paired=lambda config: Sender(room=config.room_id, person=config.person),
    language=lambda config: config.language,
    opened=bot_of,
    discover=discover,
    room=ROOM_CHARS,
    most=MOST_CHARS,
    human_input=HumanInput.REACTION,
)

if __name__ == "__main__":
    sys.exit(chat_main(PROGRAM))
