"""`python -m surfaces.slack --name chat` serves; with `discover` it finds out who its owner is."""

import secrets as chance
import sys
from collections.abc import Mapping
from typing import Any

from hub.kit.chat.pairing import new_code, paired_by
from hub.kit.chat.program import ChatProgram, Say, chat_main
from surfaces.slack.bot import bot_of, opened, paired_with
from surfaces.slack.render import MOST_CHARS, ROOM_CHARS
from surfaces.slack.settings import APP_TOKEN, SLACK, BadSlackConfigError, Config, SlackTokenError


async def discover(config: Config, secrets: Mapping[str, str], say: Say) -> dict[str, Any]:
    """Wait for the owner to send the code from their own account, and return who and where that is."""
    async with bot_of(config, secrets) as bot:
        (name, team), code = await bot.name(secrets[APP_TOKEN]), new_code(chance.choice)
        say(f"Both tokens are good: the app is {name} in {team}.")
        say(f"In Slack, open {name} under Apps, and send it this as a message: {code}")
        sender, wrote = await paired_by(bot.heard(), code)
        say("The code came. From now on only this account may answer.")
        await bot.tell(wrote, "Paired with Pulse. Suggestions come here.")
    team_id, _, channel_id = sender.room.partition("/")
    return {"team_id": team_id, "channel_id": channel_id, "person_id": sender.person}


PROGRAM = ChatProgram(
    spec=SLACK,
    bad_settings=BadSlackConfigError,
    no_secret=SlackTokenError,
    paired=paired_with,
    language=lambda config: config.language,
    opened=opened,
    discover=discover,
    room=ROOM_CHARS,
    most=MOST_CHARS,
)

if __name__ == "__main__":
    sys.exit(chat_main(PROGRAM))
