"""The device profiles that ship with Pulse: one TOML file per kind of device."""

from pathlib import Path

from hub.contract.profile import DeviceProfile, read_profile

FOLDER = Path(__file__).resolve().parents[2] / "device_profiles"
"""A link to the folder of a checkout; a wheel has the files there themselves."""


def read_profiles() -> dict[str, DeviceProfile]:
    """Read every device profile, by name.

    Raises:
        BadProfileError: one of them cannot be read.
    """
    profiles = (read_profile(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml")))
    return {profile.name: profile for profile in profiles}
