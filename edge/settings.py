"""The settings of these glasses: one small TOML file beside the login, all of it optional."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from edge.speech.saying import Verbosity
from edge.speech.turn import Confirming
from hub.contract.base import Value
from hub.contract.errors import UserError


class BadEdgeSettingsError(UserError):
    """The settings of the glasses cannot be read. The message says where."""

    code = "bad-edge-settings"


class EdgeSettings(Value, forbid_unknown_fields=True):
    """How these glasses speak and listen. An empty `microphone` or `speaker` is the system's default."""

    device: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "glasses"
    language: Literal["en", "de"] = "en"
    verbosity: Verbosity = "brief"
    confirming: Confirming = "word"
    ear: Literal["pocketsphinx", "vosk", "null"] = "pocketsphinx"
    vosk_model: str = ""
    microphone: str = ""
    speaker: str = ""
    volume: Annotated[float, Meta(gt=0, le=1)] = 1.0
    words_per_minute: Annotated[int, Meta(ge=80, le=400)] = 165
    mouth: Literal["espeak-ng", "piper"] = "espeak-ng"
    piper_voice: str = ""
    """The `.onnx` file of a voice for piper."""
    echo_cancelled: bool | None = None
    """Whether the microphone hears our own voice taken out; None: where its name says so."""
    wear_sensor: str = ""
    """A file that holds 1 while the glasses are worn and 0 while they are not; empty: there is none."""
    speaker_lock: bool = False
    """Whether only the wearer's voice may approve; it has to be enrolled first."""
    battery: str | None = None
    """The file that tells the charge in percent; None: this machine's first battery, empty: none."""
    other_sound: Literal["lower", "wait", "leave"] = "lower"
    """What to do about other sound on this machine, where its server tells: `lower` it while speaking; `wait` until it
    pauses with what is not urgent, and lower it after `wait_s_max`; or `leave` it."""
    wait_s_max: Annotated[int, Meta(ge=0, le=3_600)] = 120


def read_settings(path: Path) -> EdgeSettings:
    """Read the file; without one everything is as it comes.

    Raises:
        BadEdgeSettingsError: not TOML, an unknown key or a wrong value.
    """
    if not path.exists():
        return EdgeSettings()
    try:
        return msgspec.toml.decode(path.read_bytes(), type=EdgeSettings)
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise BadEdgeSettingsError(f"{path}: {error}") from error
