"""A token for tests that speak to a hub over its port: made over the hub's own socket, as a person makes one."""

from pathlib import Path

from hub.cli.api import open_api, read
from hub.contract.access import Scope, TokenAnswer, TokenRequest

SCOPES: tuple[Scope, ...] = ("read", "answer", "ask", "admin")
_made: dict[Path, str] = {}


def token_for(home: Path) -> str:
    """Return a token for the hub that runs with this home; one for each home, good also after the hub starts again."""
    if home not in _made:
        document = open_api(home).call("POST", "/tokens", TokenRequest(name="tests", scopes=SCOPES))
        _made[home] = read(document, TokenAnswer).token
    return _made[home]
