"""The table `[apns]` of the settings, and what the hub needs to know of this surface. Pure.

Whoever typed a wrong value learns which one: each field is checked by itself and named.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import Value
from hub.kit.setup_faults import SetupField
from hub.kit.surface import Mistake, SurfaceSpec

Environment = Literal["production", "sandbox"]
_TEN = re.compile(r"[A-Z0-9]{10}")
_TOPIC = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")
Begin = Annotated[int, Meta(ge=0, le=23)]
End = Annotated[int, Meta(ge=1, le=24)]
KEY = "PULSE_APNS_KEY"
"""What `pulse apns setup` keeps the key as, for `key_file` to name; downloads do not stay for ever."""
_PAGES = "https://developer.apple.com/account"
KEY_FILE = SetupField(
    name="key_file",
    title="The key's file",
    where=f"At {_PAGES}: Keys, “+”, tick Apple Push Notifications service, Register, Download. Apple lets you download "
    "it only once.",
    looks="the path of a .p8 file, such as ~/Downloads/AuthKey_KEY1234567.p8",
    shape=r".*/.+|.+\.p8",
    is_secret=False,
)
KEY_ID = SetupField(
    name="key_id",
    title="The key's ID",
    where=f"It is in the file's name, and at {_PAGES} under Keys.",
    looks="ten capital letters or digits, such as KEY1234567",
    shape=_TEN.pattern,
    is_secret=False,
)
TEAM_ID = SetupField(
    name="team_id",
    title="Your team's ID",
    where=f"At {_PAGES}, under Membership details.",
    looks="ten capital letters or digits, such as TEAM123456",
    shape=_TEN.pattern,
    is_secret=False,
)
TOPIC = SetupField(
    name="topic",
    title="The app's bundle ID",
    where="In Xcode: the app's target, General, Identity. It has to belong to this team.",
    looks="names with dots in between, such as org.example.acc",
    shape=_TOPIC.pattern,
    is_secret=False,
)
CREDENTIALS = (KEY_FILE, KEY_ID, TEAM_ID)
"""Apple only says whether the three fit together."""


class Config(Value, forbid_unknown_fields=True):
    """`[apns]`: who we are to Apple, and which app is ours.

    `environment` is tried first for a device that does not say its own. `host` and `sandbox_host` (NAME or NAME:PORT)
    and `ca_file` are for a proxy or a stand-in. The evening ends at `day_end_hour`, in the person's zone: until then a
    watch's face is kept fresh by its own budget. With `face_drive` a face on which
    no card waits names what presses most.
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
    face_drive: bool = False


def mistakes(config: Config) -> Iterator[Mistake]:
    """Say which fields are wrong, and how; a table that only says how to reach Apple waits for the set-up."""
    if config.team_id or config.key_id or config.key_file or config.topic:
        yield from _mistakes_of_identity(config)
    if config.watch_topic and not _TOPIC.fullmatch(config.watch_topic):
        yield "watch_topic", "must be the watch app's bundle id, or empty for the phone's with .watchkitapp."
    for name in ("host", "sandbox_host"):
        value = getattr(config, name)
        if value and not _is_server(value):
            yield name, "must be NAME or NAME:PORT."
    if config.day_start_hour >= config.day_end_hour:
        yield "day_start_hour", "must be before `day_end_hour`."


def _mistakes_of_identity(config: Config) -> Iterator[Mistake]:
    for name in ("team_id", "key_id"):
        if not _TEN.fullmatch(getattr(config, name)):
            yield name, "must be ten capital letters or digits, as Apple's developer page shows it."
    if not config.key_file:
        yield "key_file", "must name the .p8 file of the key."
    if not _TOPIC.fullmatch(config.topic):
        yield "topic", "must be the app's bundle id, such as org.example.acc."


def split_server(server: str) -> tuple[str, int]:
    """Return host and port of NAME, NAME:PORT or [ADDRESS]:PORT; port 0 where none is named."""
    host, colon, port = server.rpartition(":")
    if not colon or server.endswith("]"):
        return server.strip("[]"), 0
    return host.strip("[]"), int(port)


def _is_server(text: str) -> bool:
    return bool(_HOST.fullmatch(text)) and split_server(text)[1] <= 65_535  # noqa: PLR2004  the largest port


APNS = SurfaceSpec(
    table="apns",
    config=Config,
    is_used=lambda config: bool(config.key_file),
    mistakes=mistakes,
    serves=("phone", "watch"),
    scopes=("deliver", "read"),
    service=("Apple", "push.apple.com"),
    howto="docs/howto/ios.md",
    secrets=(KEY,),
    asks=(*CREDENTIALS, TOPIC),
)
