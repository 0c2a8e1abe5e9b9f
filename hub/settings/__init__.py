"""One frozen settings object, read once at start. Unknown keys are fatal; all errors are reported together."""

from hub.settings.read import SettingsError, read_settings
from hub.settings.schema import Settings
from hub.settings.to_policy import policy_of

__all__ = ["Settings", "SettingsError", "policy_of", "read_settings"]
