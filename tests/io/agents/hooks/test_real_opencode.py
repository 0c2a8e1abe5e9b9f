"""The real OpenCode with Pulse's plugin: its requests become cards, and whoever answers first has answered."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.cli.told import Told
from tests.io.agents.hooks.real_opencode import (
    OpenCodeServer,
    StubCompletions,
    opencode_program,
    opencode_server,
    stub_completions,
    write_settings,
)
from tests.io.agents.questions.served import api

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
S_MAX = 60


class OpenCodeDesk:
    """A hub that runs, OpenCode connected to it, the stub model, and what the hub tells as it happens."""

    def __init__(self, hub: RealHub, server: OpenCodeServer, model: StubCompletions) -> None:
        self.hub = hub
        self.server = server
        self.model = model
        self._told = Told(hub)

    def close(self) -> None:
        self._told.close()

    def told(self, event: str) -> dict[str, Any]:
        """Wait until the hub tells this of a request of the agent; return the card."""
        return self._told.asked(event, S_MAX)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenCodeDesk]:
    program = opencode_program()
    with running_hub(tmp_path_factory.mktemp("opencode")) as hub, stub_completions() as model:
        home = Path(hub.environment["HOME"])
        write_settings(home, model.url)
        hub.sit_down()
        assert hub.pulse("connect", "opencode", "--yes").returncode == 0
        environment = {"PATH": hub.environment["PATH"], "HOME": str(home), "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        with opencode_server(program, hub.repository, environment) as server:
            made = OpenCodeDesk(hub, server, model)
            yield made
            made.close()


@pytest.fixture
def desk(running: OpenCodeDesk) -> OpenCodeDesk:
    running.model.commands.clear()
    running.model.results.clear()
    return running


def test_a_yes_from_elsewhere_runs_it(desk: OpenCodeDesk) -> None:
    desk.model.commands = ["rm -rf build"]
    build = desk.hub.repository / "build"
    build.mkdir()
    turn = desk.server.say("Tidy up")
    card = desk.told("new")
    assert (card["permission"]["agent"], card["permission"]["text"]) == ("opencode", "rm -rf build")
    assert build.exists()
    assert desk.hub.pulse("approve", card["id"]).returncode == 0
    turn.join(S_MAX)
    assert not build.exists()


def test_a_no_reaches_the_model_in_the_persons_words(desk: OpenCodeDesk) -> None:
    desk.model.commands = ["touch made.txt"]
    turn = desk.server.say("Make a file")
    assert desk.hub.pulse("reject", desk.told("new")["id"], "--reason", "I want no such file").returncode == 0
    turn.join(S_MAX)
    assert not (desk.hub.repository / "made.txt").exists()
    assert any("I want no such file" in one for one in desk.model.results)


@pytest.mark.parametrize("reply", ["once", "reject"])
def test_an_answer_in_its_own_dialog_takes_the_card_back(desk: OpenCodeDesk, reply: str) -> None:
    desk.model.commands = [f"touch {reply}.txt"]
    turn = desk.server.say("Make a file")
    card = desk.told("new")
    (open_request,) = desk.server.call("GET", "/permission")
    assert desk.server.status_of_reply(open_request["id"], reply) == 200
    assert desk.told("settled")["id"] == card["id"]
    turn.join(S_MAX)
    assert (desk.hub.repository / f"{reply}.txt").exists() == (reply == "once")
    assert desk.hub.pulse("approve", card["id"]).returncode != 0


@pytest.mark.parametrize(("verb", "reply"), [("reject", "once"), ("approve", "reject")])
def test_of_two_answers_at_once_the_card_says_the_one_that_opencode_took(
    desk: OpenCodeDesk, verb: str, reply: str
) -> None:
    """Which of them OpenCode takes is its own matter; where both were taken for first, it is heard of afterwards."""
    made = desk.hub.repository / f"{verb}-race.txt"
    desk.model.commands = [f"touch {made.name}"]
    turn = desk.server.say("Make a file")
    card = desk.told("new")
    (open_request,) = desk.server.call("GET", "/permission")
    is_taken = threading.Event()
    there = threading.Thread(
        target=lambda: is_taken.wait(S_MAX) and desk.server.status_of_reply(open_request["id"], reply)
    )
    there.start()
    path = f"/predictions/{card['id']}/{'confirm' if verb == 'approve' else 'reject'}"
    api(desk.hub, "POST", path)
    is_taken.set()  # the answer here counts by now for everybody here, and is on its way to OpenCode
    there.join()
    turn.join(S_MAX)
    settled = desk.told("settled")
    while (settled["status"] == "confirmed" or "went on" in settled["outcome"]) is not made.exists():
        settled = desk.told("settled")


def test_after_an_answer_from_elsewhere_its_own_dialog_is_too_late(desk: OpenCodeDesk) -> None:
    desk.model.commands = ["touch late.txt"]
    turn = desk.server.say("Make a file")
    card = desk.told("new")
    (open_request,) = desk.server.call("GET", "/permission")
    assert desk.hub.pulse("approve", card["id"]).returncode == 0
    turn.join(S_MAX)
    assert desk.server.status_of_reply(open_request["id"], "reject") == 404
    assert (desk.hub.repository / "late.txt").exists()
