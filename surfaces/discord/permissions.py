"""Which of Discord's permissions the bot needs, for what, and the link that asks for exactly these."""

import discord

from surfaces.discord.settings import Config

REASONS = {
    "view_channel": "see the channel",
    "send_messages": "post cards",
    "embed_links": "show cards as embeds",
    "attach_files": "attach outputs that are too long for an embed",
    "read_message_history": "find its own cards after a restart, and read votes cast in the meantime",
    "add_reactions": "add the reactions for voting below a card",
    "create_public_threads": "open a thread for a running execution",
    "send_messages_in_threads": "write its progress there",
    "manage_messages": "remove votes of people who may not vote, and old votes of those who changed their mind",
    "manage_channels": "create missing channels",
}
ALWAYS = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history", "add_reactions")
TO_POST = frozenset({"view_channel", "send_messages", "embed_links"})
"""Without these no card is seen there at all."""
GRANT = "Give the bot that permission in Discord; `pulse discord setup` shows the link that asks for it."
THREADS = ("create_public_threads", "send_messages_in_threads")


def needed(config: Config, *, channels_missing: bool = False) -> tuple[str, ...]:
    """Name the permissions that these settings need, and no others."""
    names = [*ALWAYS]
    if config.threads:
        names += THREADS
    if config.remove_strangers:
        names.append("manage_messages")
    if channels_missing:
        names.append("manage_channels")
    return tuple(names)


def number(names: tuple[str, ...]) -> int:
    """Return Discord's integer for these permissions."""
    return discord.Permissions(**dict.fromkeys(names, True)).value


def invite(client_id: int, config: Config, *, channels_missing: bool = False) -> str:
    """Return the link with which the owner of a server lets the bot in; without a server in the settings, of any."""
    wanted = discord.Permissions(number(needed(config, channels_missing=channels_missing)))
    guild = discord.Object(id=int(config.guild_id)) if config.guild_id else discord.utils.MISSING
    return discord.utils.oauth_url(client_id, permissions=wanted, guild=guild, scopes=("bot", "applications.commands"))


def lacking(has: discord.Permissions, config: Config) -> tuple[str, ...]:
    """Name the permissions that are needed and not given."""
    return tuple(name for name in needed(config) if not getattr(has, name))


def missing(has: discord.Permissions, config: Config, channel: str) -> list[str]:
    """Say, a line each, which permission the bot lacks in a channel and what it is for."""
    return [f"{what_lacks(name, channel)}." for name in lacking(has, config)]


def what_lacks(name: str, channel: str) -> str:
    """Say what the bot may not do in a channel and what it is for, without a full stop."""
    return f"In #{channel} the bot may not {name.replace('_', ' ')}: it needs that to {REASONS[name]}"
