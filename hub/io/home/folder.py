"""$PULSE_HOME: the one folder that holds all state, so that instances stand side by side and a backup is one copy."""

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError, WorldError
from hub.io.home.kept_file import KeptFile
from hub.io.home.lock_file import HomeHeldError, LockFile
from hub.io.home.private_files import NO_SPACE, private_folder
from hub.kit.files import FILE_MODE, FOLDER_MODE, create_file, read_regular

SECRET_BYTES = 32
DISTINCT_BYTES_MIN = 16
"""So many different bytes a secret of ours has at least; fewer come by chance once in 10^13 times."""
ROOT_UID = 0
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
RECORD_BYTES_MAX = 1_048_576
START_BYTES = 524_288
"""What a start writes at most, with some room: the store and its journal, the broker's files, secrets, records."""


class AlreadyRunningError(UserError):
    """Another Pulse is already using this home. Stop it first, or give this one another $PULSE_HOME."""

    code = "already-running"
    status = 409


class HomeError(WorldError):
    """The folder for Pulse's state cannot be used. Set $PULSE_HOME to a folder you can write to."""

    code = "home-unusable"


class HomeFullError(HomeError):
    """There is no space left for Pulse's state. Nothing was lost."""

    code = "disk-full"


class RunRecord(Value):
    """Where the running hub can be reached; written when it is up, removed when it stops.

    `socket` is the way in for this machine's commands. `process_started` tells the hub's process from one that was
    given the same id later, after a crash. `is_port_held` where systemd keeps the API's port while Pulse is away.
    """

    pid: int
    api: str
    broker: str
    started_at: str
    workspaces: tuple[str, ...]
    socket: str = ""
    process_started: str = ""
    is_port_held: bool = False


class Home:
    """The folder and the names in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.set_up = folder / "set-up.json"
        self.database = folder / "pulse.db"
        self.log = folder / "hub.log"
        self.notes = folder / "notes"
        self.broker_users = folder / "secrets" / "broker-users.json"
        self.armed = folder / "armed"
        self.revocations = folder / "revoked"
        self.unsealed_revocations = folder / "revocations"
        self.format = folder / "format"
        self.agents_connected = folder / "agents-connected"
        self.run_record = KeptFile(folder / "run.json")
        self.lock_file = LockFile(folder / "lock")
        self._secrets = folder / "secrets"

    def prepare(self) -> None:
        """Make the folder, for this person's eyes only, and see that it can be written to, with room to start.

        Raises:
            HomeFullError: there is no space left.
            HomeError: it cannot, or another user may change what lies in it.
        """
        with said(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
            for path in (self.folder, self.config, self.set_up):
                _keep_others_out(path)
            private_folder(self._secrets)
            private_folder(self.notes)
            _probe(self.folder / ".probe")

    def lock(self) -> None:
        """Take the home for this process; the lock goes with the process, however it ends.

        Raises:
            AlreadyRunningError: another hub has it; its address is named.
            HomeError: the lock cannot be made.
        """
        try:
            with said(self.lock_file.path):
                self.lock_file.take()
        except HomeHeldError as error:
            record = self.record()
            where = f" at {record.api} (process {record.pid})" if record else ""
            raise AlreadyRunningError(
                f"Pulse is already running{where}, with its state in {self.folder}.",
                fix="`pulse status` shows it. For a second one, set $PULSE_HOME to another folder.",
            ) from error

    def unlock(self) -> None:
        """Give the home back, if it is ours; safe to call twice."""
        if not self.lock_file.is_held:
            return
        with contextlib.suppress(OSError):  # a record that stays says nothing: whoever reads it asks the address
            self.run_record.path.unlink()
        self.lock_file.release()

    def secret(self, name: str) -> bytes:
        """Return a secret of this home, made on first use and readable by its owner only.

        Of several processes that make it at once the first one wins, and all return the same.

        Raises:
            HomeError: it can be neither read nor made, or what is there is no secret.
        """
        return secret_at(self._secrets / name)

    @property
    def logins(self) -> Path:
        """Return the folder in which a new device's login waits to be taken there."""
        return self.folder / "logins"

    def secret_path(self, name: str) -> Path:
        """Return where a secret of another form than a random key is kept."""
        return self._secrets / name

    def forget_old_secrets(self) -> None:
        """Remove what earlier versions kept and nothing takes any more: the token with which commands came in."""
        with contextlib.suppress(OSError):
            (self._secrets / "local.token").unlink(missing_ok=True)

    def write_record(self, record: RunRecord) -> None:
        """Say where the running hub can be reached.

        Raises:
            HomeError: it cannot be written.
        """
        with said(self.run_record.path):
            self.run_record.write(msgspec.json.encode(record).decode())

    def record(self) -> RunRecord | None:
        """Return where the hub can be reached, if one runs; after a crash, where the last one was."""
        try:
            found, _ = read_regular(self.run_record.path, RECORD_BYTES_MAX)
            return msgspec.json.decode(found, type=RunRecord)
        except (OSError, msgspec.DecodeError):
            return None


def secret_at(path: Path) -> bytes:
    """Return the secret in this file, which is made if it does not exist; see `Home.secret`."""
    with said(path):
        if not path.exists():
            create_file(path, secrets.token_urlsafe(SECRET_BYTES).encode())
        value = path.read_bytes()
        trouble = secret_trouble(path, value)
    if trouble is not None:
        raise trouble
    return value


def secret_trouble(path: Path, value: bytes) -> HomeError | None:
    """Say what is wrong with a secret that was read from here: a disk can lose it, and anybody can copy a lax one.

    A disk that failed gives zeros, or something else that repeats; chance does not.

    Raises:
        OSError: the file is gone.
    """
    if len(value) < SECRET_BYTES or len(set(value)) < DISTINCT_BYTES_MIN:
        return HomeError(f"{path} is damaged.", fix="Restore it from a backup, or delete it: a new one is created.")
    found = path.stat()
    if found.st_uid != os.geteuid():
        return HomeError(
            f"{path} belongs to another user, who can read it.",
            fix="Start Pulse as the owner of this folder, or delete the file: a new one is created.",
        )
    if found.st_mode & ~FILE_MODE & 0o777:
        return HomeError(
            f"{path} is readable by other users of this machine, who may have read it.",
            fix="Delete it, and a new one is created; or, if you are the only user, protect it with `chmod 600`.",
        )
    return None


@contextlib.contextmanager
def said(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into a `HomeError` that names the place."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_SPACE:
            raise HomeFullError(
                f"There is no space left at {path}.", fix="Free some space, then start Pulse again."
            ) from error
        raise HomeError(f"{path}: {error.strerror or error}.", fix=HomeError.__doc__ or "") from error


def _keep_others_out(path: Path) -> None:
    """Let nobody else write to the folder or the settings: they would put settings, keys and a store of theirs there.

    Raises:
        HomeError: it is another user's, or cannot be closed to others.
        OSError: it cannot be looked at.
    """
    if not path.exists():
        return
    found, me = path.stat(), os.geteuid()
    if {found.st_uid, path.lstat().st_uid} - {me, ROOT_UID}:
        raise HomeError(
            f"{path} belongs to another user, who can change what Pulse does.",
            fix="Move it away, or set $PULSE_HOME to a folder of your own.",
        )
    if not found.st_mode & OTHERS_WRITE:
        return
    if found.st_uid != me:
        raise HomeError(f"{path} can be written to by others.", fix="Set $PULSE_HOME to a folder of your own.")
    path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS_WRITE)


def _probe(path: Path) -> None:
    """See that a file can be written here, and that all that a start writes would fit."""
    try:
        path.write_bytes(bytes(START_BYTES))
    finally:
        path.unlink(missing_ok=True)


def default_home() -> Path:
    """Return $PULSE_HOME, or the platform's folder for a user's state."""
    named = os.environ.get("PULSE_HOME")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Pulse"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "pulse"
