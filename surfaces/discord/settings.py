"""What the Discord surface is told: where to post, who may vote, and how votes become an answer. Pure.

Ids are Discord's snowflakes, written as text, for they are larger than most programs can count exactly.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hub.contract.api import Word
from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupField
from hub.kit.surface import Mistake, SurfaceSpec

TOKEN = "PULSE_DISCORD_TOKEN"  # noqa: S105  the name of a variable
Snowflake = Annotated[str, Meta(pattern=r"^[0-9]{15,20}$")]
Weight = Annotated[float, Meta(gt=0, le=100)]
Mark = Annotated[str, Meta(min_length=1, max_length=64)]
ChannelName = Annotated[str, Meta(max_length=100)]
Kind = Literal["owner", "first", "quorum"]
Tie = Literal["reject", "snooze", "owner", "wait"]
VOTERS_MAX, ROLES_MAX, POLICIES_MAX = 50, 20, 100


class BadDiscordConfigError(UserError):
    """The Discord settings have mistakes. Each line of the message says where and what to write instead."""

    code = "bad-discord-config"


class VoterRule(Value, forbid_unknown_fields=True):
    """One person who may vote. `name` is what Pulse calls them; `id` is their Discord user id."""

    name: Word
    id: Snowflake
    weight: Weight = 1.0


class RoleRule(Value, forbid_unknown_fields=True):
    """Everybody with this role may vote; of several roles the largest weight counts."""

    id: Snowflake
    weight: Weight = 1.0


class Policy(Value, forbid_unknown_fields=True):
    """How votes become an answer.

    `owner`: the named person decides. `first`: the first allowed voter does. `quorum`: an answer needs votes that weigh
    `needed` or more, and approval more than half of the votes and a mean above 0.6 besides (ATTENTION); the owner may
    veto. After `deadline_s` those who voted decide, if they weigh `needed`; `tie` says what a draw means. An answer of
    a quorum holds `grace_s` before it is handed in, so that a change of mind or a veto of the same moment still counts.
    """

    kind: Kind = "owner"
    needed: Annotated[float, Meta(gt=0, le=1_000)] = 2.0
    deadline_s: Annotated[float, Meta(ge=10, le=604_800)] = 3_600.0
    tie: Tie = "reject"
    grace_s: Annotated[float, Meta(ge=0, le=300)] = 2.0
    voters: Annotated[tuple[Word, ...], Meta(max_length=VOTERS_MAX)] = ()


class Emoji(Value, forbid_unknown_fields=True):
    """The reactions: an emoji itself, or `name:id` for a custom one."""

    approve: Mark = "✅"
    reject: Mark = "❌"
    snooze: Mark = "⏰"
    details: Mark = "👀"

    def all(self) -> tuple[str, ...]:
        """Return them in the order in which they stand below a card."""
        return (self.approve, self.reject, self.snooze, self.details)


class Config(Value, forbid_unknown_fields=True):
    """Everything but the bot's token; without `guild_id` there is no Discord.

    A channel is a name or an id; an empty one is not used.
    `policies` names a policy for single Pulse channels; all others have `policy`. `owner` is the name of a voter.
    """

    guild_id: Annotated[str, Meta(pattern=r"^([0-9]{15,20})?$")] = ""
    bridge: Annotated[str, Meta(min_length=1, max_length=100)] = "bridge"
    status: ChannelName = ""
    log: ChannelName = ""
    owner: str = ""
    voters: Annotated[tuple[VoterRule, ...], Meta(max_length=VOTERS_MAX)] = ()
    roles: Annotated[tuple[RoleRule, ...], Meta(max_length=ROLES_MAX)] = ()
    policy: Policy = Policy()
    policies: Annotated[dict[Word, Policy], Meta(max_length=POLICIES_MAX)] = msgspec.field(default_factory=dict)
    emoji: Emoji = Emoji()
    threads: bool = True
    remove_strangers: bool = True
    alert_owner: bool = True
    mentions: bool = False
    edit_interval_s: Annotated[float, Meta(ge=0, le=60)] = 1.5

    def policy_for(self, channel: str) -> Policy:
        """Return the policy of one Pulse channel."""
        return self.policies.get(channel, self.policy)

    @property
    def owner_id(self) -> str:
        """The owner's Discord id; empty without an owner."""
        return next((voter.id for voter in self.voters if voter.name == self.owner), "")


def mistakes(config: Config) -> Iterator[Mistake]:
    """Say what does not fit together."""
    if not config.guild_id:
        yield "guild_id", "the id of your server is missing (Discord: right click on the server, Copy Server ID)."
    names = [voter.name for voter in config.voters]
    ids = [voter.id for voter in config.voters]
    if len(set(names)) < len(names) or len(set(ids)) < len(ids):
        yield "voters", "two of them have the same name or id; name each person once."
    if config.owner and config.owner not in names:
        yield "owner", f"{config.owner!r} is not a voter; add them to `voters` with their id."
    if len(set(config.emoji.all())) < len(config.emoji.all()):
        yield "emoji", "two answers have the same emoji; give each its own."
    if config.mentions and not config.owner:
        yield "mentions", "it needs `owner = NAME`, to know whose mentions to watch."
    yield from _policy_mistakes(config, "policy", config.policy)
    for name, policy in config.policies.items():
        yield from _policy_mistakes(config, f"policies.{name}", policy)


def _policy_mistakes(config: Config, where: str, policy: Policy) -> Iterator[Mistake]:
    known = {voter.name for voter in config.voters}
    strange = sorted(set(policy.voters) - known)
    if strange:
        yield f"{where}.voters", f"{', '.join(strange)} not among `voters`."
    if policy.kind == "owner" and not config.owner:
        yield where, "the policy `owner` needs `owner = NAME`, or choose `first` or `quorum`."
    if policy.tie == "owner" and not config.owner:
        yield f"{where}.tie", "`owner` needs `owner = NAME`."
    if policy.kind != "owner" and not config.voters and not config.roles:
        yield where, "nobody may vote; name `voters` or `roles`."
    most = total_weight(config, policy)
    if policy.kind == "quorum" and most is not None and policy.needed > most:
        yield f"{where}.needed", f"{policy.needed:g} is more than all votes together ({most:g})."


def total_weight(config: Config, policy: Policy) -> float | None:
    """Return what all allowed voters weigh together; None where a role makes that unknown."""
    if config.roles and not policy.voters:
        return None
    return sum(voter.weight for voter in config.voters if not policy.voters or voter.name in policy.voters)


DISCORD = SurfaceSpec(
    table="discord",
    config=Config,
    is_used=lambda config: bool(config.guild_id),
    mistakes=mistakes,
    serves=("discord",),
    scopes=("read", "answer", "ask", "admin"),
    service=("Discord", "discord.com"),
    howto="docs/howto/discord.md",
    secrets=(TOKEN,),
    keeps=("guild_id", "owner", "voters"),
    asks=(
        SetupField(
            name=TOKEN,
            title="The bot's token",
            where="At https://discord.com/developers/applications: New Application (or yours), Bot, Reset Token, Copy.",
            looks="three parts with dots between them, about 70 letters and digits",
            shape=r"[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{20,}",
        ),
    ),
)
