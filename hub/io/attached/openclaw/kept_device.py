"""What Pulse keeps as a device of an OpenClaw gateway: the gateway's address, a key, and the gateway's token for it."""

from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.io.home.private_files import private_folder, write_private

AGENT = "openclaw"
SECRETS, DEVICE_FILE = "secrets", "openclaw.json"


class OpenClawDeviceError(UserError):
    """The stored OpenClaw connection cannot be read. `pulse connect openclaw` recreates it."""

    code = "openclaw-device-unreadable"


class OpenClawDevice(Value):
    """Where the gateway is, this device's key (32 bytes in hex), and the token that the gateway gave it."""

    url: str
    key: str
    token: str = ""

    def __repr__(self) -> str:
        return f"OpenClawDevice({self.url})"


def is_device_kept(home: Path) -> bool:
    """Return True if OpenClaw is connected."""
    return (home / SECRETS / DEVICE_FILE).exists()


def device_at(home: Path) -> OpenClawDevice | None:
    """Return the device that this home keeps; None where OpenClaw is not connected.

    Raises:
        OpenClawDeviceError: what is kept cannot be read.
    """
    path = home / SECRETS / DEVICE_FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=OpenClawDevice)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise OpenClawDeviceError(f"{path} cannot be read.", fix="Connect again: pulse connect openclaw") from error


def device_text(home: Path) -> str:
    """Return the device as it is handed to the process that speaks for it; empty where there is none."""
    device = device_at(home)
    return "" if device is None else msgspec.json.encode(device).decode()


def keep_device(home: Path, device: OpenClawDevice) -> None:
    """Keep the device where nobody else can read it."""
    private_folder(home / SECRETS)
    write_private(home / SECRETS / DEVICE_FILE, msgspec.json.encode(device).decode())


def forget_device(home: Path) -> None:
    """Forget the device, if there is one."""
    (home / SECRETS / DEVICE_FILE).unlink(missing_ok=True)
