"""`python -m surfaces.telegram --name chat` serves; with `discover` it finds out who its owner is."""

import secrets as chance
import sys
from collections.abc import Mapping
from typing import Any

from hub.kit.chat.heard import Sender
from hub.kit.chat.pairing import new_code, paired_by
from hub.kit.chat.program import ChatProgram, Say, chat_main
from hub.kit.qr import painted, qr_of
from hub.kit.text import utf16_units
from surfaces.telegram.bot import bot_of
from surfaces.telegram.render import ROOM_UNITS, TEXT_UNITS_MAX
from surfaces.telegram.settings import TELEGRAM, BadTelegramConfigError, Config, TelegramTokenError


async def discover(config: Config, secrets: Mapping[str, str], say: Say) -> dict[str, Any]:
    """Wait for the owner to send the code from their own account, and return who that is."""
    async with bot_of(config, secrets) as bot:
        name, code = await bot.name(), new_code(chance.choice)
        say(f"The token is good: the bot is @{name}.")
        link = f"https://t.me/{name}?start={code}"
        if sys.stderr.isatty():
            say(painted(qr_of(link)))
        say(f"Scan it with the phone, or open {link}, and press Start. Or send this to @{name}: {code}")
        sender, wrote = await paired_by(bot.heard(), code)
        say("The code came. From now on only this account may answer.")
        await bot.tell(wrote, "Paired with Pulse. Suggestions come here.")
    return {"person_id": sender.person}


PROGRAM = ChatProgram(
    spec=TELEGRAM,
    bad_settings=BadTelegramConfigError,
    no_secret=TelegramTokenError,
    paired=lambda config: Sender(room=config.person_id, person=config.person_id),
    language=lambda config: config.language,
    opened=bot_of,
    discover=discover,
    room=ROOM_UNITS,
    most=TEXT_UNITS_MAX,
    size=utf16_units,
    choices_in_row=2,
)

if __name__ == "__main__":
    sys.exit(chat_main(PROGRAM))
