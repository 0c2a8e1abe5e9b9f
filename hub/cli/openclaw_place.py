"""Where a person's OpenClaw gateway is, and its own token, as OpenClaw itself would find them. Nothing is kept."""

import json
import os
from pathlib import Path

from hub.contract.base import Value
from hub.kit.loose_json import LooseJson, object_of, text_of

PORT = 18_789
CONFIG_BYTES_MAX = 4_194_304


class GatewayPlace(Value):
    """The gateway's address, its shared token (empty where it is not known), and the file that was read."""

    url: str
    token: str
    file: Path

    def __repr__(self) -> str:
        return f"GatewayPlace({self.url})"


def find_gateway() -> GatewayPlace:
    """Read OpenClaw's environment variables, then its settings; what neither says is what OpenClaw does by itself."""
    file = Path(os.environ.get("OPENCLAW_CONFIG_PATH", "") or Path.home() / ".openclaw" / "openclaw.json")
    gateway = object_of(_settings(file), "gateway")
    remote = object_of(gateway, "remote")
    is_remote = text_of(gateway, "mode") == "remote"
    url = os.environ.get("OPENCLAW_GATEWAY_URL", "") or (text_of(remote, "url") if is_remote else "")
    auth = remote if is_remote else object_of(gateway, "auth")
    token = os.environ.get("OPENCLAW_GATEWAY_TOKEN", "") or _plain(text_of(auth, "token", "password"))
    return GatewayPlace(url=url or _here(gateway), token=token, file=file)


def _here(gateway: LooseJson) -> str:
    port = gateway.get("port")
    said = os.environ.get("OPENCLAW_GATEWAY_PORT", "")
    scheme = "wss" if object_of(gateway, "tls").get("enabled") is True else "ws"
    return f"{scheme}://127.0.0.1:{said or (port if isinstance(port, int) else PORT)}"


def _plain(secret: str) -> str:
    """Return a secret that stands there itself, or in the environment under the name that stands there."""
    if secret.startswith("${") and secret.endswith("}"):
        return os.environ.get(secret[2:-1], "")
    return secret


def _settings(file: Path) -> LooseJson:
    """Read the settings; they may hold comments (JSON5), and are then as if they were not there."""
    try:
        with file.open("rb") as opened:
            found = json.loads(opened.read(CONFIG_BYTES_MAX))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
