"""What the Telegram surface is told: whose chat it is. Pure."""

from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupField
from hub.kit.surface import SurfaceSpec
from hub.kit.text import Language

TelegramId = Annotated[str, Meta(pattern=r"^([1-9][0-9]{0,18})?$")]
TOKEN = "PULSE_TELEGRAM_TOKEN"  # noqa: S105  the name of a variable


class BadTelegramConfigError(UserError):
    """The Telegram settings have mistakes. Each line of the message says where and what to write instead."""

    code = "bad-telegram-config"


class TelegramTokenError(UserError):
    """Telegram does not accept the bot's token."""

    code = "telegram-token"


class Config(Value, forbid_unknown_fields=True):
    """Everything but the bot's token. `person_id` is who may answer, in their private chat with the bot."""

    person_id: TelegramId = ""
    language: Language = "en"
    api: Annotated[str, Meta(pattern=r"^https?://[A-Za-z0-9.:\[\]-]+$")] = "https://api.telegram.org"


TELEGRAM = SurfaceSpec(
    table="telegram",
    config=Config,
    is_used=lambda config: bool(config.person_id),
    serves=("telegram",),
    scopes=("read", "admin"),
    service=("Telegram", "api.telegram.org"),
    howto="docs/howto/telegram.md",
    secrets=(TOKEN,),
    keeps=("person_id",),
    asks=(
        SetupField(
            name=TOKEN,
            title="The bot's token",
            where="In Telegram, open @BotFather (https://t.me/BotFather): /newbot makes a bot and shows its token; "
            "/mybots, your bot, API Token shows it again.",
            looks="digits, a colon and 35 letters or digits, such as 123456789:AAE…",
            shape=r"[0-9]{5,20}:[A-Za-z0-9_-]{30,60}",
        ),
    ),
)
