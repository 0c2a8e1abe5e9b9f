"""Who somebody on Discord is to Pulse: a voter with a weight, or a stranger. Pure."""

import re
from collections.abc import Collection

from hub.contract.base import Value
from surfaces.discord.settings import Config, Policy

NAME_CHARS_MAX = 64
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")


class Person(Value):
    """One member of the server, as last seen. `here` is False for one who left."""

    id: str
    name: str
    roles: tuple[str, ...] = ()
    here: bool = True


def weight_of(config: Config, policy: Policy, person: Person) -> float:
    """Return what a person's vote weighs under a policy; 0 for a stranger and for somebody who left."""
    if not person.here:
        return 0.0
    named = next((voter for voter in config.voters if voter.id == person.id), None)
    if policy.kind == "owner" and person.id != config.owner_id:
        return 0.0
    if policy.voters and (named is None or named.name not in policy.voters):
        return 0.0
    own = named.weight if named is not None else 0.0
    by_role = [] if policy.voters else [role.weight for role in config.roles if role.id in person.roles]
    return max([own, *by_role])


def may_vote_somewhere(config: Config, person: Person) -> bool:
    """Say whether somebody may use the commands: every voter and everybody with a voting role."""
    if not person.here:
        return False
    return any(voter.id == person.id for voter in config.voters) or has_role(config, person.roles)


def has_role(config: Config, roles: Collection[str]) -> bool:
    """Say whether one of these roles may vote."""
    return any(role.id in roles for role in config.roles)


def is_owner(config: Config, person: Person) -> bool:
    """Say whether this is the owner; where there is none, every voter may do what an owner may."""
    return person.id == config.owner_id if config.owner else may_vote_somewhere(config, person)


def called(config: Config, person: Person) -> str:
    """Return what Pulse calls a person: the configured name, else the Discord name in plain letters."""
    named = next((voter.name for voter in config.voters if voter.id == person.id), None)
    plain = _NOT_IN_A_NAME.sub("-", person.name).strip("-")[:NAME_CHARS_MAX]
    return named or plain or f"user-{person.id}"
