"""What can go wrong with Discord in such a way that somebody has to do something about it."""

from hub.contract.errors import UserError


class DiscordTokenError(UserError):
    """Discord does not accept the bot's token."""

    code = "discord-token"
