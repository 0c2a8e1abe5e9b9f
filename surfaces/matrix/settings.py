"""What the Matrix surface is told: its home server, its room, and whose answers count. Pure."""

from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupField
from hub.kit.surface import SurfaceSpec
from hub.kit.text import Language

TOKEN = "PULSE_MATRIX_TOKEN"  # noqa: S105  the name of a variable


class BadMatrixConfigError(UserError):
    """The Matrix settings have mistakes. Each line of the message says where and what to write instead."""

    code = "bad-matrix-config"


class MatrixTokenError(UserError):
    """The Matrix server does not accept the bot's access token."""

    code = "matrix-token"


class Config(Value, forbid_unknown_fields=True):
    """Everything but the bot's access token. `person` is who may answer, in `room_id`."""

    server: Annotated[str, Meta(pattern=r"^(https?://[A-Za-z0-9.:\[\]-]+)?$")] = ""
    person: Annotated[str, Meta(max_length=255, pattern=r"^(@[^\s:]+:[^\s]+)?$")] = ""
    room_id: Annotated[str, Meta(max_length=255, pattern=r"^(![^\s]+)?$")] = ""
    language: Language = "en"


MATRIX = SurfaceSpec(
    table="matrix",
    config=Config,
    is_used=lambda config: bool(config.server and config.person and config.room_id),
    serves=("matrix",),
    scopes=("read", "admin"),
    service=("Matrix", ""),
    howto="docs/howto/matrix.md",
    secrets=(TOKEN,),
    keeps=("room_id",),
    asks=(
        SetupField(
            name="server",
            title="The bot's home server",
            where="Its address, as Element shows it at the bot's sign-in (matrix.org's is https://matrix-client.matrix.org).",
            looks="https://matrix.example.org, without a path",
            shape=r"https?://[A-Za-z0-9.:\[\]-]+",
            is_secret=False,
        ),
        SetupField(
            name="person",
            title="Your own Matrix id",
            where="Who alone may answer: your id is in Element's settings under your name.",
            looks="@you:example.org",
            shape=r"@[^\s:]+:[^\s]+",
            is_secret=False,
        ),
        SetupField(
            name=TOKEN,
            title="The bot's access token",
            where="Signed in as the bot in Element: Settings, Help & About, Advanced, Access Token.",
            looks="at least 16 letters and digits without a space, often syt_…",
            shape=r"[A-Za-z0-9_.~=+/-]{16,512}",
        ),
    ),
)
