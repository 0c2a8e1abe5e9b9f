"""What can go wrong with Discord in such a way that somebody has to do something about it."""

from hub.contract.errors import UserError


class DiscordTokenError(UserError):
    """Discord does not take the bot's token (any more)."""

    code = "discord-token"
