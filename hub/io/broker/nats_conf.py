"""The configuration that Pulse writes for its nats-server. Pure: users and rules in, text out.

It is JSON, which nats-server reads, so that no name or hash can break out of its place. Why these values (measured,
docs/adr/0026-the-broker-that-comes-along.md): the broker authenticates before it does anything, speaks MQTT on
127.0.0.1 only, and keeps what it has acknowledged over a kill -9.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from hub.io.broker.acl import Action, BrokerUser, rules_for
from hub.io.broker.limits import CONNECTIONS_MAX, LOGIN_TIMEOUT_S, PACKET_BYTES_MAX
from hub.io.broker.loopback import LOOPBACK
from hub.io.broker.nats_limits import LimitsLogin

CONF_NAME = "nats.conf"
DATA_NAME = "nats"
ACK_WAIT_S = 2
"""A message that a connected client has not acknowledged is sent again after this time."""
UNACKNOWLEDGED_MAX = 100
"""Per subscription; so many fit into the hub's window however slow its disk is, and the rest waits in the broker."""
STORED_BYTES_MAX = 256 * 1024 * 1024
MEMORY_STORED_BYTES_MAX = 16 * 1024 * 1024
PENDING_BYTES_MAX = 16 * 1024 * 1024
"""Per connection: a client that reads nothing is let go when so much waits in its socket."""
WRITE_TIMEOUT_S = 5
ABSENT_S_MAX = 7 * 24 * 3_600
"""The queue of a device that never comes back is dropped after a week, so that it cannot fill the store for all."""


def nats_conf_for(users: Sequence[BrokerUser], limits_login: LimitsLogin, folder: Path, port: int) -> str:
    """Write the configuration of a nats-server whose MQTT door is ``port`` on 127.0.0.1.

    Its own protocol has a door as well, which cannot be left out: on some free port, and for that login alone; every
    other login is good for MQTT only.

    Args:
        users: who may log in; one without a hash cannot, and is left out.
        limits_login: what sets the limits there.
        folder: the broker's own folder.
        port: of the MQTT door.
    """
    conf = {
        "server_name": "pulse",
        "listen": f"{LOOPBACK}:-1",
        "logtime": False,
        "ports_file_dir": str(folder / DATA_NAME),
        "max_payload": PACKET_BYTES_MAX,
        "max_connections": CONNECTIONS_MAX,
        "max_pending": PENDING_BYTES_MAX,
        "write_deadline": f"{WRITE_TIMEOUT_S}s",
        "jetstream": {
            "store_dir": str(folder / DATA_NAME),
            "max_memory_store": MEMORY_STORED_BYTES_MAX,
            "max_file_store": STORED_BYTES_MAX,
        },
        "mqtt": {
            "listen": f"{LOOPBACK}:{port}",
            "ack_wait": f"{ACK_WAIT_S}s",
            "max_ack_pending": UNACKNOWLEDGED_MAX,
            "consumer_inactive_threshold": f"{ABSENT_S_MAX}s",
            "reject_qos2_publish": True,
            "downgrade_qos2_subscribe": True,
        },
        "authorization": {
            "timeout": LOGIN_TIMEOUT_S,
            "users": [limits_login.login(), *(_login(user) for user in users if user.bcrypt)],
        },
    }
    return msgspec.json.format(msgspec.json.encode(conf), indent=1).decode() + "\n"


def subjects_for(user: BrokerUser, action: Action) -> tuple[str, ...]:
    """List the subjects of one login: MQTT's patterns in nats-server's words. ``a/#`` covers ``a`` itself as well."""
    patterns = (rule.pattern for rule in rules_for(user) if rule.access in (action, "readwrite"))
    return tuple(subject for pattern in patterns for subject in _subjects(pattern))


def _subjects(pattern: str) -> Iterable[str]:
    subject = pattern.replace("/", ".").replace("+", "*")
    if not subject.endswith("#"):
        return (subject,)
    above = subject.removesuffix(".#")
    return (above, f"{above}.>")


def _login(user: BrokerUser) -> dict[str, object]:
    return {
        "user": user.name,
        "password": user.bcrypt,
        "allowed_connection_types": ["MQTT"],
        "permissions": {"publish": _only(user, "write"), "subscribe": _only(user, "read")},
    }


def _only(user: BrokerUser, action: Action) -> dict[str, object]:
    """Allow what the rules allow; an empty list would mean everything, so that nothing is said as a denial of all."""
    subjects = subjects_for(user, action)
    return {"allow": subjects} if subjects else {"deny": [">"]}
