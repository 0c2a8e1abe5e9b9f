"""The real OpenClaw gateway with Pulse as its device: its agent asks by a card, and whoever is first decides."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.cli.told import Told
from tests.io.agents.hooks.real_opencode import StubCompletions, stub_completions
from tests.io.attached.real_openclaw import OpenClawGateway, openclaw_gateway

pytestmark = pytest.mark.slow
S_MAX = 90


class OpenClawDesk:
    """A hub that runs, a gateway that it is connected to, and what the hub tells as it happens."""

    def __init__(self, hub: RealHub, gateway: OpenClawGateway, model: StubCompletions) -> None:
        self.hub = hub
        self.gateway = gateway
        self.model = model
        self._told = Told(hub)

    def close(self) -> None:
        self._told.close()

    def told(self, event: str) -> dict[str, Any]:
        """Wait until the hub tells this of a request of the agent; return the card."""
        return self._told.asked(event, S_MAX)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClawDesk]:
    with running_hub(tmp_path_factory.mktemp("openclaw")) as hub, stub_completions("exec") as model:
        home = Path(hub.environment["HOME"])
        with openclaw_gateway(home, hub.repository, model.url) as gateway:
            hub.sit_down()
            connected = hub.pulse("connect", "openclaw", "--yes")
            assert connected.returncode == 0, connected.stderr
            made = OpenClawDesk(hub, gateway, model)
            yield made
            made.close()


def test_a_command_is_answered_here_there_or_by_nobody(running: OpenClawDesk) -> None:
    """One story, for the gateway takes long to begin: a yes from a card, a no in its own client, and its death."""
    build = running.hub.repository / "build"
    build.mkdir()
    running.model.commands = ["rm -rf build"]
    running.gateway.ask_agent("Tidy up")
    card = running.told("new")
    shown = card["permission"]
    assert (shown["agent"], shown["text"], shown["folder"]) == ("openclaw", "rm -rf build", str(running.hub.repository))
    assert build.exists()
    assert running.hub.pulse("approve", card["id"]).returncode == 0
    running.told("settled")
    running.model.until_result()
    assert not build.exists()

    running.model.commands = ["touch made.txt"]
    running.gateway.ask_agent("Make a file")
    card = running.told("new")
    assert running.gateway.deny_all() == 1
    settled = running.told("settled")
    assert (settled["id"], settled["outcome"]) == (card["id"], "Refused in the agent's own dialog.")
    assert running.hub.pulse("approve", card["id"]).returncode != 0
    running.model.until_result()
    assert not (running.hub.repository / "made.txt").exists()

    running.model.commands = ["touch late.txt"]
    running.gateway.ask_agent("Make another")
    card = running.told("new")
    running.gateway.process.kill()
    assert running.told("settled")["id"] == card["id"]
    assert "away" in running.hub.pulse("connect", "openclaw", "--status").stdout
