"""The configuration that Pulse writes for its mosquitto. Pure: settings in, text out.

Why these lines (measured, docs/adr/0005-broker-choice.md): the default queue of 1,000 silently drops acknowledged
messages for a slow subscriber; only ``autosave_interval 1`` together with ``autosave_on_changes true`` keeps
acknowledged messages over a kill -9.
"""

from pathlib import Path

from hub.contract.base import Value
from hub.io.broker.limits import CONNECTIONS_MAX, PACKET_BYTES_MAX
from hub.io.broker.loopback import LOOPBACK

QUEUED_MESSAGES_MAX = 100_000
QUEUED_BYTES_MAX = 8 * 1024 * 1024
"""Per client. Every save writes all queues: 5 MB waiting for an absent client make each message cost 15 ms."""
INFLIGHT_MESSAGES_MAX = 20
"""Per client. More makes each save larger and the whole slower (200: 1,300/s instead of 1,900/s)."""
AUTOSAVE_CHANGES = 20
"""After so many changes everything is saved; saving after each one costs two thirds of the speed.

What a kill -9 takes is sent again: nothing is retired before its receipt, and a surface repeats a decision until it is
answered.
"""
SESSION_KEPT = "2m"
"""Two months: a session of a device that never comes back does not queue for ever (mosquitto's notation)."""

CONF_NAME = "mosquitto.conf"
PASSWORD_NAME = "passwords"  # noqa: S105  a file name
ACL_NAME = "acl"
DATA_NAME = "data"


class ChildFiles(Value):
    """Where one mosquitto of ours keeps what it needs, all inside ``folder``."""

    folder: Path

    @property
    def conf(self) -> Path:
        """The configuration."""
        return self.folder / CONF_NAME

    @property
    def passwords(self) -> Path:
        """The password file."""
        return self.folder / PASSWORD_NAME

    @property
    def acl(self) -> Path:
        """The access list."""
        return self.folder / ACL_NAME

    @property
    def data(self) -> Path:
        """The folder of the saved sessions, queues and retained messages."""
        return self.folder / DATA_NAME


def conf_for(files: ChildFiles, port: int, *, as_root: bool) -> str:
    """Write the configuration of a mosquitto on 127.0.0.1.

    Args:
        files: where its files are.
        port: its port.
        as_root: whether it is started as root. Mosquitto then becomes the user ``mosquitto``, who may not read
            files of mode 0600, unless told to stay.
    """
    lines = [
        "# Written by Pulse at every start; changes are overwritten.",
        *(["user root"] if as_root else []),
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {files.passwords}",
        f"acl_file {files.acl}",
        "persistence true",
        f"persistence_location {files.data}/",
        f"autosave_interval {AUTOSAVE_CHANGES}",
        "autosave_on_changes true",
        f"persistent_client_expiration {SESSION_KEPT}",
        f"max_queued_messages {QUEUED_MESSAGES_MAX}",
        f"max_queued_bytes {QUEUED_BYTES_MAX}",
        f"max_inflight_messages {INFLIGHT_MESSAGES_MAX}",
        f"max_packet_size {PACKET_BYTES_MAX}",
        "set_tcp_nodelay true",
        "sys_interval 0",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "log_type notice",
        "connection_messages false",
        f"listener {port} {LOOPBACK}",
        f"max_connections {CONNECTIONS_MAX}",
        "use_username_as_clientid true",
    ]
    return "\n".join(lines) + "\n"
