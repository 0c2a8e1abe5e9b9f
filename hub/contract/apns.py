"""The `[apns]` settings, as the hub hands them to the process that talks to Apple. Pure.

Whoever typed a wrong value learns which one: each field is checked by itself and named.
"""

import re
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import Value

Environment = Literal["production", "sandbox"]
_TEN = re.compile(r"[A-Z0-9]{10}")
_TOPIC = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")
Begin = Annotated[int, Meta(ge=0, le=23)]
End = Annotated[int, Meta(ge=1, le=24)]


class Config(Value, forbid_unknown_fields=True):
    """`[apns]`: who we are to Apple, and which app is ours.

    `environment` is tried first for a device that does not say its own. `host` and `sandbox_host` (NAME or NAME:PORT)
    and `ca_file` are for a proxy or a stand-in. The evening ends at `day_end_hour`, in the person's zone: until then a
    watch's face is kept fresh by its own budget.
    """

    team_id: str = ""
    key_id: str = ""
    key_file: str = ""
    topic: str = ""
    watch_topic: str = ""
    environment: Environment = "production"
    host: str = ""
    sandbox_host: str = ""
    ca_file: str = ""
    day_start_hour: Begin = 8
    day_end_hour: End = 23


def config_trouble(config: Config) -> str:
    """Say which field is wrong, and how; empty when none is."""
    for name in ("team_id", "key_id"):
        if not _TEN.fullmatch(getattr(config, name)):
            return f"`apns.{name}` must be ten capital letters or digits, as Apple's developer page shows it."
    if not config.key_file:
        return "`apns.key_file` must name the .p8 file of the key."
    if not _TOPIC.fullmatch(config.topic):
        return "`apns.topic` must be the app's bundle id, such as org.example.acc."
    if config.watch_topic and not _TOPIC.fullmatch(config.watch_topic):
        return "`apns.watch_topic` must be the watch app's bundle id, or empty for the phone's with .watchkitapp."
    for name in ("host", "sandbox_host"):
        value = getattr(config, name)
        if value and not _is_server(value):
            return f"`apns.{name}` must be NAME or NAME:PORT."
    if config.day_start_hour >= config.day_end_hour:
        return "`apns.day_start_hour` must be before `apns.day_end_hour`."
    return ""


def split_server(server: str) -> tuple[str, int]:
    """Return host and port of NAME, NAME:PORT or [ADDRESS]:PORT; port 0 where none is named."""
    host, colon, port = server.rpartition(":")
    if not colon or server.endswith("]"):
        return server.strip("[]"), 0
    return host.strip("[]"), int(port)


def _is_server(text: str) -> bool:
    return bool(_HOST.fullmatch(text)) and split_server(text)[1] <= 65_535  # noqa: PLR2004  the largest port
