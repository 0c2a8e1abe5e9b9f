"""$PULSE_HOME: the one folder that holds all state, so that instances stand side by side and a backup is one copy."""

import contextlib
import fcntl
import os
import secrets
import sys
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.errors import UserError, WorldError

SECRET_BYTES = 32


class AlreadyRunningError(UserError):
    """Another Pulse is already using this home. Stop it first, or give this one another $PULSE_HOME."""

    code = "already-running"
    status = 409


class HomeError(WorldError):
    """The folder for Pulse's state cannot be used. Set $PULSE_HOME to a folder that you may write to."""

    code = "home-unusable"


class RunRecord(Value):
    """Where the running hub can be reached; written when it is up, removed when it stops."""

    pid: int
    api: str
    broker: str
    started_at: str
    workspaces: tuple[str, ...]


class Home:
    """The folder and the names in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.database = folder / "pulse.db"
        self.log = folder / "hub.log"
        self.notes = folder / "notes"
        self.test_runs = folder / "test-runs.jsonl"
        self.broker_users = folder / "secrets" / "broker-users.json"
        self._record = folder / "run.json"
        self._secrets = folder / "secrets"
        self._lock = folder / "lock"
        self._held: int | None = None

    def prepare(self) -> None:
        """Make the folder, for this person's eyes only, and see that it can be written to.

        Raises:
            HomeError: it cannot.
        """
        try:
            for folder in (self.folder, self._secrets, self.notes):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe = self.folder / ".probe"
            probe.write_bytes(b"x")
            probe.unlink()
        except OSError as error:
            raise HomeError(f"{self.folder}: {error.strerror or error}", fix=HomeError.__doc__ or "") from error

    def lock(self) -> None:
        """Take the home for this process; the lock goes with the process, however it ends.

        Raises:
            AlreadyRunningError: another hub has it; its address is named.
        """
        self._held = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._held)
            self._held = None
            record = self.record()
            where = f" at {record.api} (process {record.pid})" if record else ""
            raise AlreadyRunningError(
                f"Pulse is already running{where}, with its state in {self.folder}.",
                fix="`pulse status` shows it. For a second one, set $PULSE_HOME to another folder.",
            ) from error

    def unlock(self) -> None:
        """Give the home back."""
        with contextlib.suppress(FileNotFoundError):
            self._record.unlink()
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def secret(self, name: str) -> bytes:
        """Return a secret of this home, made on first use and readable by its owner only."""
        path = self._secrets / name
        with contextlib.suppress(FileNotFoundError):
            return path.read_bytes()
        value = secrets.token_urlsafe(SECRET_BYTES).encode()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(value)
        return value

    def write_record(self, record: RunRecord) -> None:
        """Say where the running hub can be reached."""
        partial = self._record.with_suffix(".new")
        partial.write_bytes(msgspec.json.encode(record))
        partial.replace(self._record)

    def record(self) -> RunRecord | None:
        """Return where the running hub can be reached, if one is running."""
        try:
            return msgspec.json.decode(self._record.read_bytes(), type=RunRecord)
        except (FileNotFoundError, msgspec.DecodeError):
            return None


def default_home() -> Path:
    """Return $PULSE_HOME, or the platform's folder for a user's state."""
    named = os.environ.get("PULSE_HOME")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Pulse"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "pulse"
