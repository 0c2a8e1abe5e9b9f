"""Which surfaces the hub can start: an import and a line each. And the settings, with a table for each of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hub.contract.profile import DeviceProfile
from hub.io.home.set_up import set_up
from hub.kit.surface import SurfaceSpec
from hub.settings import Settings, read_settings
from hub.settings.read import require_set_up
from surfaces.apns.settings import APNS
from surfaces.apprise.settings import APPRISE
from surfaces.discord.settings import DISCORD
from surfaces.discord.settings import Config as DiscordConfig
from surfaces.homeassistant.settings import HOMEASSISTANT
from surfaces.matrix.settings import MATRIX
from surfaces.ntfy.settings import NTFY
from surfaces.slack.settings import SLACK
from surfaces.telegram.settings import TELEGRAM
from surfaces.web.settings import WEB

SURFACES: tuple[SurfaceSpec[Any], ...] = (
    WEB,
    DISCORD,
    APNS,
    HOMEASSISTANT,
    TELEGRAM,
    MATRIX,
    SLACK,
    NTFY,
    APPRISE,
)


def settings_at(path: Path) -> Settings:
    """Read the settings; a missing file means all defaults.

    Raises:
        SettingsError: unreadable, not TOML, or with unknown keys or wrong values; all of them are named.
    """
    return read_settings(path, SURFACES)


def keep_set_up(path: Path, table: str, values: dict[str, Any]) -> None:
    """Keep these settings of one table in `set-up.json`, and no others of it, as a set-up command found them out.

    Raises:
        SettingsError: a start would refuse one of them.
    """
    require_set_up({table: values}, path, SURFACES)
    set_up(path, table, values)


def profiles_as_set(settings: Settings, profiles: Mapping[str, DeviceProfile]) -> dict[str, DeviceProfile]:
    """Return the profiles with what the person allows in the settings: a yes where a login in a file is enough."""
    allowed = {surface for spec in SURFACES if spec.approves(spec.of(settings)) for surface in spec.serves}
    return {
        name: replace(profile, login_in_files=False) if profile.surface in allowed else profile
        for name, profile in profiles.items()
    }


def surfaces_of_parts() -> dict[str, tuple[str, ...]]:
    """Return the surfaces that each part of health carries, by its name; the broker carries all, as the empty name."""
    return {"broker": ("",), **{f"surface {spec.name}": spec.serves for spec in SURFACES}}


def hears_mentions(settings: Settings) -> bool:
    """Return True if Discord's surface is to be a sensor of the person's mentions."""
    config = getattr(settings, DISCORD.table, None)
    return isinstance(config, DiscordConfig) and config.mentions
