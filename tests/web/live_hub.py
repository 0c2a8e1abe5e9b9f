"""A real hub in a process of its own with the page on it, its API with the token of this machine, and pairing links."""

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from tests.bench.hub_process import free_port
from tests.cli.real_hub import ENDED_WELL, PULSE, RealHub, environment_of, make_repository
from tests.fakes.plain_http import plain_client
from tests.local_token import token_for

LOG_CHARS_SHOWN = 4_000
NEVER_QUIET = "[quiet]\nstart_hour = 0\nend_hour = 0\n"
"""Otherwise the outcome of a test would depend on the hour."""
HOUR = 14
"""For the same reason it is early afternoon for these hubs: in the evening there is one suggestion more."""


class LiveHub(RealHub):
    """One running hub on a port that stays the same when it is started again."""

    @property
    def api(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        """A token for its API; it may do everything but deliver."""
        return token_for(self.home)

    def client(self) -> httpx.AsyncClient:
        """Return a client of the API; close it."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return plain_client(self.api, headers)

    async def call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  whatever JSON the API answers
        """Call the API; fail on anything but success."""
        async with self.client() as client:
            answer = await client.request(method, path, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}\n{self.log()}"
        return answer.json() if answer.content else None

    async def pairing_link(self, **wishes: object) -> str:
        """Return a fresh one-time address for one more browser."""
        return str((await self.call("POST", "/api/v1/pairing", wishes))["url"])

    async def ask(self, question: str, *, risk: str = "medium", timeout_s: int = 600) -> dict[str, Any]:
        """Let an agent ask; return the card."""
        body = {"question": question, "risk": risk, "timeoutS": timeout_s}
        card: dict[str, Any] = (await self.call("POST", "/api/v1/ask", body))["prediction"]
        return card

    async def suggest(self, hint: str) -> dict[str, Any]:
        """Let the hub suggest what `hint` says; return the card."""
        said = await self.call("POST", "/api/v1/crosspoll/trigger", {"hint": hint, "force": True})
        card: dict[str, Any] = said["prediction"]
        assert card, said["message"]
        return card

    async def card(self, card_id: str) -> dict[str, Any]:
        """Return a card as the hub has it."""
        card: dict[str, Any] = await self.call("GET", f"/api/v1/predictions/{card_id}")
        return card

    def kill(self) -> None:
        """End it without warning."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process = None

    def log(self) -> str:
        """Return the end of its log."""
        kept = self.home / "hub.log"
        return kept.read_text(errors="replace")[-LOG_CHARS_SHOWN:] if kept.exists() else ""


def zone_where_it_is(hour: int) -> str:
    """Return a time zone in which it is that hour now; Etc names zones by what has to be added to reach UTC."""
    return f"Etc/GMT{datetime.now(UTC).hour - hour:+d}"


@contextlib.contextmanager
def live_hub(folder: Path, settings: str = "", starts: tuple[str, ...] = PULSE) -> Iterator[LiveHub]:
    """Run a hub with these settings (TOML) for as long as the block lasts."""
    home, repository = folder / "home", folder / "repository"
    home.mkdir(parents=True)
    home.chmod(0o700)
    (home / "config.toml").write_text(f'person.zone = "{zone_where_it_is(HOUR)}"\n{NEVER_QUIET}{settings}')
    make_repository(repository)
    hub = LiveHub(home, repository, environment_of(folder), port=free_port())
    hub.starts = starts
    hub.start()
    assert json.loads(hub.said)["api"] == hub.api
    try:
        yield hub
    finally:
        if hub.process is not None:
            assert hub.stop() == ENDED_WELL, hub.log()
