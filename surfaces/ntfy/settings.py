"""The table `[ntfy]` of the settings, and what the hub needs to know of this surface. Pure."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.contract.surface import Privacy
from hub.kit.setup_faults import SetupField
from hub.kit.surface import Mistake, SurfaceSpec
from hub.kit.text import Language

TOPIC = "PULSE_NTFY_TOPIC_KEY"
"""The topic that the phone reads; whoever knows it can read it, too, where the server does not keep them out."""
REPLY_TOPIC = "PULSE_NTFY_REPLY_TOPIC_KEY"
TOKEN = "PULSE_NTFY_TOKEN"  # noqa: S105  the name of a secret
TOPIC_PATTERN = r"^[A-Za-z0-9_-]{20,64}$"
"""A shorter name could be guessed."""
LOOPBACK = ("http://127.0.0.1", "http://localhost", "http://[::1]")


class Config(Value, forbid_unknown_fields=True):
    """Which ntfy server; without `server` there is none.

    With `approves` a yes counts there beside a connected agent too, which could publish one itself. `on_open_topic` is
    what may be shown, and so answered, where anybody who knows the topic may read it.
    """

    server: Annotated[str, Meta(max_length=300, pattern=r"^(https?://[^\s/?#@]+)?$")] = ""
    approves: bool = False
    on_open_topic: Privacy = "nothing"
    language: Language = "en"


def mistakes(config: Config) -> Iterator[Mistake]:
    """Say which server is none."""
    is_plain = config.server.startswith("http://") and not config.server.startswith(LOOPBACK)
    if is_plain:
        yield "server", "is not encrypted: anyone in between could answer in your name. Write it as https://HOST."
    if not config.server and config != Config():
        yield "server", "is missing: write it as https://ntfy.sh, or your own."


NTFY = SurfaceSpec(
    table="ntfy",
    config=Config,
    is_used=lambda config: bool(config.server),
    mistakes=mistakes,
    serves=("ntfy",),
    scopes=("admin",),
    service=("ntfy", ""),
    howto="docs/howto/ntfy.md",
    secrets=(TOPIC, REPLY_TOPIC, TOKEN),
    asks=(
        SetupField(
            name="server",
            title="The ntfy server's address",
            where="ntfy.sh is the public one; a server of yours has the address that its app is told.",
            looks="https://ntfy.example.org, without a path",
            shape=r"https?://[^\s/?#@]+",
            is_secret=False,
            default="https://ntfy.sh",
        ),
        SetupField(
            name=TOKEN,
            title="An access token of that server",
            where="In its web app: Account, Access tokens, Create access token; or `ntfy token add USER` there.",
            looks="tk_ and 29 letters and digits",
            shape=r"tk_[A-Za-z0-9]{20,60}",
        ),
    ),
    by_hand=False,
    approves=lambda config: config.approves,
)
