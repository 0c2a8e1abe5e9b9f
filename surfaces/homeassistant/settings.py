"""The table `[homeassistant]` of the settings, and what the hub needs to know of this surface. Pure."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.base import Value
from hub.kit.setup_faults import SetupField
from hub.kit.surface import Mistake, SurfaceSpec

TOKEN = "PULSE_HOMEASSISTANT_TOKEN"  # noqa: S105  the name of a secret
BROKER_PASSWORD = "PULSE_HOMEASSISTANT_BROKER_PASSWORD"  # noqa: S105  the name of a secret
Language = Literal["en", "de"]


class Config(Value, forbid_unknown_fields=True):
    """Where Home Assistant is and what of it is used; without `url` there is none.

    `phone` is the notify service of one phone, `satellite` what asks by voice while `person` is at home, `user_id` who
    may press the phone's buttons (empty: whose token it is). `broker` is Home Assistant's own broker for MQTT, for
    entities; with `trust_broker` anyone who may publish there can approve and resume. With `approves` that
    and a yes on the phone or aloud count beside a connected agent too, which could say one itself.
    """

    url: Annotated[str, Meta(max_length=300, pattern=r"^(https?://[^\s/?#@]+)?$")] = ""
    phone: Annotated[str, Meta(max_length=100, pattern=r"^(mobile_app_[a-z0-9_]+)?$")] = ""
    user_id: Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-f]*$")] = ""
    person: Annotated[str, Meta(max_length=100, pattern=r"^(person\.[a-z0-9_]+)?$")] = ""
    satellite: Annotated[str, Meta(max_length=100, pattern=r"^(assist_satellite\.[a-z0-9_]+)?$")] = ""
    broker: Annotated[str, Meta(max_length=300, pattern=r"^(mqtts?://[^\s/?#@]+)?$")] = ""
    broker_user: Annotated[str, Meta(max_length=100)] = ""
    trust_broker: bool = False
    approves: bool = False
    language: Language = "en"


def mistakes(config: Config) -> Iterator[Mistake]:
    """Say what does not fit together."""
    if config == Config():
        return
    if not config.url:
        yield "url", "the address of Home Assistant is missing: write it as http://homeassistant.local:8123."
    if config.satellite and not config.person:
        yield "person", "is needed with `satellite`, so that nobody is asked aloud in an empty house."
    if config.broker_user and not config.broker:
        yield "broker", "is missing: write Home Assistant's own broker as mqtt://HOST:1883."


HOMEASSISTANT = SurfaceSpec(
    table="homeassistant",
    config=Config,
    is_used=lambda config: bool(config.url),
    mistakes=mistakes,
    serves=("homeassistant",),
    scopes=("answer", "ask", "admin"),
    service=("Home Assistant", ""),
    howto="docs/howto/homeassistant.md",
    secrets=(TOKEN, BROKER_PASSWORD),
    keeps=("phone", "person", "satellite", "broker", "broker_user"),
    asks=(
        SetupField(
            name="url",
            title="Home Assistant's address",
            where="The address under which you open it in the browser of this machine.",
            looks="http://homeassistant.local:8123, without a path",
            shape=r"https?://[^\s/?#@]+",
            is_secret=False,
        ),
        SetupField(
            name=TOKEN,
            title="A long-lived access token",
            where="In Home Assistant: your profile (your name, bottom left), Security, Long-lived access "
            "tokens. Your user has to be an administrator.",
            looks="three parts with dots between them, the first beginning with eyJ",
            shape=r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
        ),
    ),
    by_hand=False,
    approves=lambda config: config.approves,
)
