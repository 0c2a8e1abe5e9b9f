"""What the glasses need on this machine beside Pulse's own packages. Loads none of it."""

import sys
from importlib.util import find_spec

from hub.contract.errors import UserError

PACKAGES = ("numpy", "pocketsphinx", "sounddevice")
"""What of the extra `edge` is needed whatever the settings say, and on every system."""
SYSTEM_FIX = "On Debian, Ubuntu and Raspberry Pi OS: sudo apt install espeak-ng libportaudio2"
"""What pip cannot bring: always all of it, so that nobody has to come back for the rest."""


class NoGlassesError(UserError):
    """The speech packages are not installed here. Install the packages of the extra `edge`."""

    code = "no-glasses"


def need_packages() -> None:
    """Do nothing where the packages of the glasses are here.

    Raises:
        NoGlassesError: some are not; names them.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise NoGlassesError(
            f"The speech packages are not installed here: {', '.join(missing)}.",
            fix=f"In a checkout `pulse edge doctor` installs it. Elsewhere: "
            f"{sys.executable} -m pip install {' '.join(PACKAGES)} pyttsx3",
        )
