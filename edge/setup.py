"""Fetches a vosk model on the user's machine: with progress, a checksum, and nothing left behind when it fails."""

import hashlib
import shutil
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import IO

from hub.contract.base import Value
from hub.kit.setup_faults import (
    SetupError,
    SetupField,
    SetupMalformedError,
    SetupNoNetworkError,
    SetupPermissionError,
)

CHUNK_BYTES = 1_048_576
ARCHIVE_BYTES_MAX = 400_000_000
UNPACKED_BYTES_MAX = 1_000_000_000
TIMEOUT_S = 30.0


class ModelSource(Value):
    """Where a language's model is."""

    address: str


MODELS = {
    "en": ModelSource(address="https://alphacephei.com/vosk/models/vosk-model-small-en-us-0.15.zip"),
    "de": ModelSource(address="https://alphacephei.com/vosk/models/vosk-model-small-de-0.15.zip"),
}


SOURCE = SetupField(
    name="from",
    title="The model's archive",
    where="https://alphacephei.com/vosk/models lists the models; a small one of your language is enough.",
    looks="an https address or a file that is there, ending in .zip",
    shape=r"https://\S+|/\S+|[^:]+",
    is_secret=False,
)


class BadModelError(SetupError):
    """A model's archive is not valid. Nothing was installed."""

    code = "bad-model"

    def __init__(self, detail: str = "", *, fix: str = SOURCE.where) -> None:
        """Describe it; another archive has to be named."""
        super().__init__(detail, fix=fix, field=SOURCE.name)


def fetch(home: Path, language: str, source: str, sha256: str, tell: Callable[[str], None]) -> Path:
    """Fetch, check and unpack a model; return its folder.

    Without `sha256` the checksum of what came is told, to be compared with the publisher's and pinned.

    Raises:
        SetupMalformedError: `source` names no archive.
        SetupNoNetworkError: it cannot be fetched.
        SetupPermissionError: its server does not let us have it.
        BadModelError: it is too large, its checksum is another, or it is no archive of a model.
    """
    address = source or MODELS[language].address
    models = home / "models"
    models.mkdir(parents=True, exist_ok=True, mode=0o700)
    archive = models / f"{language}.part"
    try:
        found = _fetched(address, archive, tell)
        if sha256 and found != sha256.lower():
            raise BadModelError(f"Its checksum is {found}, not {sha256}.", fix="Fetch it again, from its publisher.")
        tell(f"sha256 {found}{'' if sha256 else ' (compare it with the publisher)'}")
        return _unpacked(archive, models / language)
    finally:
        archive.unlink(missing_ok=True)


def _fetched(address: str, archive: Path, tell: Callable[[str], None]) -> str:
    """Write what is at an address, or a file, into `archive`; return its SHA-256."""
    scheme = urllib.parse.urlsplit(address).scheme
    if scheme not in {"", "https"} or (not scheme and not Path(address).is_file()):
        raise SetupMalformedError(
            f"{address} cannot be a model's archive: it is {SOURCE.looks}.", fix=SOURCE.where, field=SOURCE.name
        )
    try:
        with _opened(address, scheme) as incoming, archive.open("wb") as kept:
            return _copied(incoming, kept, tell)
    except urllib.error.HTTPError as error:
        if error.code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise SetupPermissionError(f"{address}: {error}", fix=SOURCE.where, field=SOURCE.name) from error
        raise BadModelError(f"{address}: {error}") from error
    except OSError as error:
        fix = "Check this machine's network, or name a file with --from."
        raise SetupNoNetworkError(f"{address} does not answer: {error}.", fix=fix, field=SOURCE.name) from error


def _opened(address: str, scheme: str) -> IO[bytes]:
    if not scheme:
        return Path(address).open("rb")
    opened: IO[bytes] = urllib.request.urlopen(address, timeout=TIMEOUT_S)  # noqa: S310  https only, see its caller
    return opened


def _copied(incoming: IO[bytes], kept: IO[bytes], tell: Callable[[str], None]) -> str:
    digest, count = hashlib.sha256(), 0
    while chunk := incoming.read(CHUNK_BYTES):
        count += len(chunk)
        if count > ARCHIVE_BYTES_MAX:
            raise BadModelError(f"It is larger than {ARCHIVE_BYTES_MAX // 1_000_000} MB.")
        digest.update(chunk)
        kept.write(chunk)
        tell(f"{count / 1_000_000:.0f} MB")
    return digest.hexdigest()


def _unpacked(archive: Path, folder: Path) -> Path:
    """Unpack an archive whose single folder is a model, beside the old one, and swap them at the end."""
    new = folder.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            if sum(one.file_size for one in members) > UNPACKED_BYTES_MAX:
                raise BadModelError("Unpacked it would be larger than a model is.")
            unsafe = [
                one.filename for one in members if one.filename.startswith("/") or ".." in one.filename.split("/")
            ]
            if unsafe:
                raise BadModelError(f"It would write outside its folder: {unsafe[0]}.")
            packed.extractall(new)
    except zipfile.BadZipFile as error:
        raise BadModelError(f"It is not a zip archive: {error}.") from error
    inner = [one for one in new.iterdir() if one.is_dir()]
    if len(inner) != 1 or not (inner[0] / "am").is_dir():
        shutil.rmtree(new, ignore_errors=True)
        raise BadModelError("It does not contain a vosk model.")
    shutil.rmtree(folder, ignore_errors=True)
    inner[0].replace(folder)
    shutil.rmtree(new, ignore_errors=True)
    return folder
