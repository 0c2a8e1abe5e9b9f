"""The files of the speaker lock: the background that comes with Pulse, and the wearer's template, theirs alone."""

import hashlib
import io
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from edge.settings import EdgeSettings
from edge.speaker.embedding import Background
from edge.speaker.template import Template, fits
from edge.speaker.verification import SpeakerLock
from hub.contract.errors import UserError
from hub.kit.files import FOLDER_MODE, replace_file

FILE = "voice.json"
OTHERS = 0o077
TEMPLATE_BYTES_MAX = 65_536
FIELDS = ("weights", "means", "variances", "pitch", "centre", "projection", "cohort")
ANEW = "Record it again: `pulse edge enrol`."


class BadTemplateError(UserError):
    """The wearer's voice profile cannot be used. Approvals by voice are refused until it can."""

    code = "bad-voice-template"


@cache
def background() -> Background:
    """Return the voices that everybody is compared with."""
    raw = (resources.files("edge.speaker") / "background.npz").read_bytes()
    with np.load(io.BytesIO(raw), allow_pickle=False) as file:
        parts = {name: file[name].astype(np.float64) for name in FIELDS}
    return Background(name=hashlib.sha256(raw).hexdigest()[:16], **parts)


def keep_template(folder: Path, template: Template) -> Path:
    """Write a template beside the login, in place of the one before; return its file."""
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    path = folder / FILE
    replace_file(path, msgspec.json.encode(template))
    return path


def forget_template(folder: Path) -> None:
    """Delete the template, if there is one."""
    (folder / FILE).unlink(missing_ok=True)


def read_template(folder: Path) -> Template:
    """Read the template.

    Raises:
        BadTemplateError: there is none, others may read it, it is damaged, or it was made for another Pulse.
    """
    path = folder / FILE
    try:
        if path.stat().st_mode & OTHERS:
            raise BadTemplateError(f"{path}: others may open it.", fix=f"`chmod 600 {path}`, or {ANEW.lower()}")
        with path.open("rb") as file:
            template = msgspec.json.decode(file.read(TEMPLATE_BYTES_MAX), type=Template)
    except FileNotFoundError as error:
        raise BadTemplateError("These glasses do not know your voice yet.", fix=ANEW) from error
    except (OSError, msgspec.DecodeError) as error:
        raise BadTemplateError(f"{path}: {error}", fix=ANEW) from error
    if not fits(template, background()):
        raise BadTemplateError(f"{path}: it is damaged, or was made by another version of Pulse.", fix=ANEW)
    return template


def lock_for(settings: EdgeSettings, folder: Path, warn: Callable[[str], None]) -> SpeakerLock | None:
    """Return the lock that the settings ask for; one that vetoes every approval where its template cannot be used."""
    if not settings.speaker_lock:
        return None
    try:
        return SpeakerLock(read_template(folder), background())
    except BadTemplateError as error:
        warn(f"{error.detail} [{error.code}] Nothing can be approved by voice. {error.fix}")
        return SpeakerLock(None, background())
