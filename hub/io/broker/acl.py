"""Who may read and write which topics: pure rules, and their text for Mosquitto.

A device writes only under its own segment and reads only what is meant for it (design section 6). A gateway carries
deliveries for devices that cannot hold a connection, all of one surface; it hands in no answers.

=========  =====================================================  ===============================================
role       reads                                                  writes
=========  =====================================================  ===============================================
hub        everything of its person                               everything of its person
device     state, event/#, deliver/{surface}/{device}             receipt|decision|presence|world/{surface}/{device}
gateway    state, event/#, deliver/{surface}/+                    receipt/{surface}/+, presence/{surface}/gateway
sensor     nothing                                                signal/{sensor}, world/sensor/{sensor}
=========  =====================================================  ===============================================

A device of the surface `discord` writes `signal/discord-mentions`, too: it is a sensor besides.

Who may take over a session is not decided here: at mosquitto a login's name is its client id, at nats-server nobody can
guess one (`hub.io.broker.pairing`).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.contract.mentions import MENTIONS_SENSOR, MENTIONS_SURFACE
from hub.contract.topics import SENSOR
from hub.kit.mqtt.messages import covers

ROOT = "pulse/v1"
SEGMENT = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
DEVICE_WRITES = ("receipt", "decision", "presence", "world")
SENSES = {MENTIONS_SURFACE: (MENTIONS_SENSOR,)}
"""The sensors that devices of a surface are besides."""

Role = Literal["hub", "device", "gateway", "sensor"]
Access = Literal["read", "write", "readwrite"]
Action = Literal["read", "write"]


class BadBrokerNameError(UserError):
    """A broker login's name, person, surface, device or sensor may hold letters, digits, _ and - only, 64 at most."""

    code = "broker-name"


class BrokerUser(Value):
    """One login at the broker. ``user`` is the person whose topics these are; the hashes are of one password."""

    name: str
    user: str
    role: Role
    surface: str = ""
    device: str = ""
    sensor: str = ""
    password_hash: str = ""
    """In mosquitto's format."""
    bcrypt: str = ""
    """As nats-server reads it."""
    key: str = ""
    """By which a device proves that an answer is its own (`hub/kit/mqtt/proof.py`); an earlier Pulse kept none."""

    def __post_init__(self) -> None:
        """Refuse names that could reach beyond their own segment or line.

        Raises:
            BadBrokerNameError: a name is empty, too long, or holds another character.
        """
        for value in (self.name, self.user, *_needed(self)):
            if not SEGMENT.match(value):
                raise BadBrokerNameError

    def __repr__(self) -> str:
        return f"BrokerUser({self.name}, {self.role})"


class Rule(Value):
    """One access to the topics that match ``pattern`` (MQTT wildcards)."""

    access: Access
    pattern: str


def rules_for(user: BrokerUser) -> tuple[Rule, ...]:
    """List what one login may do; whatever is not listed is refused."""
    base = f"{ROOT}/{user.user}"
    if user.role == "hub":
        return (Rule(access="readwrite", pattern=f"{base}/#"),)
    if user.role == "sensor":
        writes = (f"{base}/signal/{user.sensor}", f"{base}/world/{SENSOR}/{user.sensor}")
        return tuple(Rule(access="write", pattern=pattern) for pattern in writes)
    if user.role == "gateway":
        reads = (f"{base}/deliver/{user.surface}/+", f"{base}/state", f"{base}/event/#")
        return (
            *(Rule(access="read", pattern=pattern) for pattern in reads),
            Rule(access="write", pattern=f"{base}/receipt/{user.surface}/+"),
            Rule(access="write", pattern=f"{base}/presence/{user.surface}/gateway"),
        )
    own = f"{user.surface}/{user.device}"
    reads = (f"{base}/deliver/{own}", f"{base}/state", f"{base}/event/#")
    return (
        *(Rule(access="read", pattern=pattern) for pattern in reads),
        *(Rule(access="write", pattern=f"{base}/{kind}/{own}") for kind in DEVICE_WRITES),
        *(Rule(access="write", pattern=f"{base}/signal/{sensor}") for sensor in SENSES.get(user.surface, ())),
    )


def acl_for(users: Sequence[BrokerUser]) -> str:
    """Write the access list of all ``users`` in the format of Mosquitto's ``acl_file``."""
    blocks = ["# Written by Pulse; changes are overwritten. Anything not listed is refused."]
    for user in users:
        topics = (f"topic {rule.access} {rule.pattern}" for rule in rules_for(user))
        blocks.append("\n".join((f"user {user.name}", *topics)))
    return "\n\n".join(blocks) + "\n"


def allowed(rules: Iterable[Rule], action: Action, topic: str) -> bool:
    """Return True if ``rules`` let their owner read from or write to ``topic``, which may itself be a filter."""
    return any(rule.access in (action, "readwrite") and covers(rule.pattern, topic) for rule in rules)


def _needed(user: BrokerUser) -> tuple[str, ...]:
    if user.role == "device":
        return (user.surface, user.device)
    if user.role == "gateway":
        return (user.surface,)
    return (user.sensor,) if user.role == "sensor" else ()
