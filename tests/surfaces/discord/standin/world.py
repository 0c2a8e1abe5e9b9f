"""A small Discord: one server with its people, channels, messages and reactions, in the shapes of the API."""

import time
from typing import Any

Json = dict[str, Any]
EPOCH_MS = 1_420_070_400_000
ALL = (
    (1 << 10) | (1 << 11) | (1 << 14) | (1 << 15) | (1 << 16) | (1 << 6) | (1 << 13) | (1 << 35) | (1 << 38) | (1 << 4)
)
JOINED = "2024-01-01T00:00:00+00:00"
LISTS_OF_A_GUILD = ("emojis", "features", "stickers", "voice_states", "threads", "presences", "stage_instances")
NONE_OF_A_USER = ("global_name", "avatar", "accent_color", "banner", "avatar_decoration_data", "collectibles", "clan")


class World:
    """What is there. `reactions` holds, by message, emoji and kind (0 normal, 1 super), who reacted, in order."""

    def __init__(self) -> None:
        self._count = 0
        self.users: dict[str, Json] = {}
        self.roles: dict[str, list[str]] = {}
        self.left: set[str] = set()
        self.bot = self.user("pulse", bot=True)
        self.owner = self.user("founder")
        self.guild_id = self.snowflake()
        self.guilds = {self.guild_id: "Home"}
        """The servers that the bot is in."""
        self.invited: dict[str, str] = {}
        """The servers that people let it into after the next look."""
        self.permissions = ALL
        self.channels: dict[str, Json] = {}
        self.bridge = self.channel("bridge")
        self.messages: dict[str, Json] = {}
        self.reactions: dict[str, dict[str, tuple[dict[str, None], dict[str, None]]]] = {}
        self.nonces: dict[str, str] = {}
        self.commands: list[Json] = []

    def snowflake(self) -> str:
        self._count += 1
        return str(((int(time.time() * 1_000) - EPOCH_MS) << 22) | (self._count & 0x3FFFFF))

    def user(self, name: str, *, bot: bool = False, roles: tuple[str, ...] = ()) -> Json:
        user_id = self.snowflake()
        made: Json = {
            **dict.fromkeys(NONE_OF_A_USER),
            "id": user_id,
            "username": name,
            "discriminator": "0000",
            "bot": bot,
        }
        made |= {"public_flags": 0, "flags": 0, "primary_guild": None}
        self.users[user_id] = made
        self.roles[user_id] = list(roles)
        return made

    def channel(self, name: str) -> str:
        channel_id = self.snowflake()
        self.channels[channel_id] = {
            "id": channel_id,
            "type": 0,
            "guild_id": self.guild_id,
            "name": name,
            "position": len(self.channels),
            "permission_overwrites": [],
            "nsfw": False,
            "flags": 0,
            "rate_limit_per_user": 0,
            "parent_id": None,
            "topic": None,
            "last_message_id": None,
        }
        return channel_id

    def member(self, user_id: str) -> Json:
        return {
            "user": self.users[user_id],
            "roles": self.roles[user_id],
            "joined_at": JOINED,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "nick": None,
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None,
            "pending": False,
            "premium_since": None,
        }

    def role(self, role_id: str, name: str, permissions: int) -> Json:
        return {
            "id": role_id,
            "name": name,
            "permissions": str(permissions),
            "position": 0,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def guild(self) -> Json:
        extra = {role for roles in self.roles.values() for role in roles}
        return {
            "id": self.guild_id,
            "name": "team",
            "owner_id": self.owner["id"],
            "roles": [
                self.role(self.guild_id, "@everyone", self.permissions),
                *(self.role(role_id, f"role {role_id}", 0) for role_id in sorted(extra)),
            ],
            "members": [self.member(self.bot["id"])],
            "channels": list(self.channels.values()),
            "member_count": len(self.users),
            **{name: [] for name in LISTS_OF_A_GUILD},
            **dict.fromkeys(
                ("icon", "splash", "discovery_splash", "afk_channel_id", "system_channel_id", "rules_channel_id"), None
            ),
            "guild_scheduled_events": [],
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "system_channel_flags": 0,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "nsfw_level": 0,
            "premium_progress_bar_enabled": False,
            "large": False,
            "unavailable": False,
            "joined_at": JOINED,
        }

    def post(self, channel_id: str, author: Json, body: Json, files: list[Json]) -> Json:
        message: Json = {
            "id": self.snowflake(),
            "channel_id": channel_id,
            "type": 0,
            "content": body.get("content") or "",
            "author": author,
            "embeds": [dict(embed) for embed in body.get("embeds") or []],
            "components": self.numbered(body.get("components") or []),
            "attachments": files,
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000000+00:00", time.gmtime()),
            "edited_timestamp": None,
            "pinned": False,
            "tts": False,
            "flags": body.get("flags") or 0,
        }
        if body.get("nonce"):
            message["nonce"] = body["nonce"]
        self.messages[message["id"]] = message
        return message

    def edit(self, message: Json, body: Json) -> None:
        for part in ("content", "embeds"):
            if part in body:
                message[part] = body[part] or ("" if part == "content" else [])
        if "components" in body:
            message["components"] = self.numbered(body["components"] or [])
        message["edited_timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%S.000000+00:00", time.gmtime())

    def numbered(self, components: list[Json]) -> list[Json]:
        made = []
        for number, component in enumerate(components, 1):
            one = {"id": number, **component}
            if "components" in one:
                one["components"] = self.numbered(one["components"])
            made.append(one)
        return made

    def wire(self, message: Json) -> Json:
        """Return a message as the API shows it, its reactions counted."""
        found = []
        for emoji, (normal, burst) in self.reactions.get(message["id"], {}).items():
            if normal or burst:
                name, _, emoji_id = emoji.partition(":")
                found.append(
                    {
                        "emoji": {"id": emoji_id or None, "name": name},
                        "count": len(normal) + len(burst),
                        "count_details": {"normal": len(normal), "burst": len(burst)},
                        "burst_colors": [],
                        "me": self.bot["id"] in normal,
                        "me_burst": False,
                    }
                )
        return {**message, **({"reactions": found} if found else {})}

    def of_reaction(self, message_id: str, emoji: str) -> tuple[dict[str, None], dict[str, None]]:
        return self.reactions.setdefault(message_id, {}).setdefault(emoji, ({}, {}))

    def who_reacted(self, message_id: str, emoji: str) -> set[str]:
        normal, burst = self.of_reaction(message_id, emoji)
        return set(normal) | set(burst)
