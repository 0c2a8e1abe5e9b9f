"""The table `[apprise]` of the settings, and what the hub needs to know of this surface. Pure."""

from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.kit.setup_faults import SetupField
from hub.kit.surface import SurfaceSpec
from hub.kit.text import Language

URLS = "PULSE_APPRISE_URLS_KEY"
"""The services' addresses, one a line: they hold passwords and tokens."""
URLS_MAX = 10


class Config(Value, forbid_unknown_fields=True):
    """Whether the services are told, and the page's address to be named there."""

    enabled: bool = False
    page: Annotated[str, Meta(max_length=300, pattern=r"^(https?://[^\s#]+)?$")] = ""
    language: Language = "en"


APPRISE = SurfaceSpec(
    table="apprise",
    config=Config,
    is_used=lambda config: config.enabled,
    serves=("apprise",),
    scopes=("admin",),
    service=("Apprise", ""),
    howto="docs/howto/apprise.md",
    secrets=(URLS,),
    keeps=("enabled", "page"),
    asks=(
        SetupField(
            name=URLS,
            title="A service's address",
            where="https://appriseit.com/services/ has the form of each service (mailto://, slack://, …).",
            looks="mailto://user:password@example.org: a service, ://, and what it needs",
            shape=r"[A-Za-z][A-Za-z0-9+.-]{1,40}://\S+",
            several=True,
        ),
    ),
    by_hand=False,
)
