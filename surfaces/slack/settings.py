"""What the Slack surface is told: which direct message with the app it is, and whose. Pure."""

from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupField
from hub.kit.surface import SurfaceSpec
from hub.kit.text import Language

SlackId = Annotated[str, Meta(pattern=r"^([A-Z][A-Z0-9]{1,31})?$")]
BOT_TOKEN = "PULSE_SLACK_BOT_TOKEN"  # noqa: S105  the name of a variable
APP_TOKEN = "PULSE_SLACK_APP_TOKEN"  # noqa: S105  the name of a variable


class BadSlackConfigError(UserError):
    """The Slack settings have mistakes. Each line of the message says where and what to write instead."""

    code = "bad-slack-config"


class SlackTokenError(UserError):
    """Slack does not accept one of the app's two tokens."""

    code = "slack-token"


class Config(Value, forbid_unknown_fields=True):
    """Everything but the two tokens. `person_id` is who may answer, in `channel_id`, in the workspace `team_id`."""

    team_id: SlackId = ""
    channel_id: SlackId = ""
    person_id: SlackId = ""
    language: Language = "en"
    api: Annotated[str, Meta(pattern=r"^https?://[A-Za-z0-9.:\[\]-]+/api$")] = "https://slack.com/api"


SLACK = SurfaceSpec(
    table="slack",
    config=Config,
    is_used=lambda config: bool(config.team_id and config.channel_id and config.person_id),
    serves=("slack",),
    scopes=("read", "admin"),
    service=("Slack", "slack.com"),
    howto="docs/howto/slack.md",
    secrets=(BOT_TOKEN, APP_TOKEN),
    keeps=("team_id", "channel_id", "person_id"),
    asks=(
        SetupField(
            name=BOT_TOKEN,
            title="The bot token",
            where="At https://api.slack.com/apps, open your app (docs/howto/slack.md has its manifest): OAuth & "
            "Permissions, Install to Workspace, Bot User OAuth Token.",
            looks="xoxb- and then digits and letters",
            shape=r"xoxb-[A-Za-z0-9-]{4,255}",
        ),
        SetupField(
            name=APP_TOKEN,
            title="The app-level token",
            where="There too: Basic Information, App-Level Tokens, Generate, with the scope connections:write.",
            looks="xapp- and then digits and letters",
            shape=r"xapp-[A-Za-z0-9-]{4,255}",
        ),
    ),
)
