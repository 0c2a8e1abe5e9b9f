"""The real Codex with Pulse attached to its server: requests become cards, and whoever answers first has answered."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import RealHub, running_hub
from tests.cli.told import Told
from tests.io.agents.questions.served import api
from tests.io.attached.real_codex import (
    S_MAX,
    CodexTerminal,
    StubResponses,
    codex_program,
    start_server,
    stub_responses,
    write_settings,
)

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: hello.txt\n+hi\n*** End Patch\nEOF\n"
RACES = 6


class CodexDesk:
    """A hub that runs, attached to Codex's server, a terminal of Codex's, the stub model, and what the hub tells."""

    def __init__(self, hub: RealHub, program: Path, model: StubResponses) -> None:
        self.hub, self.model, self._program = hub, model, program
        self.home = Path(hub.environment["HOME"])
        self._told = Told(hub)
        for verb in ("pause", "resume") * 10:  # until it hears what happens
            hub.pulse(verb)
            if not self._told.is_silent():
                break
        self.server = start_server(program, self.home)
        self.terminal = CodexTerminal(self.home, hub.repository)

    def close(self) -> None:
        self.terminal.close()
        self.server.kill()  # asked politely, it waits for open requests
        self.server.wait()
        self._told.close()

    def begin_anew(self) -> None:
        """Start Codex's server and a terminal again, after the server was killed."""
        self.terminal.close()
        self.server = start_server(self._program, self.home)
        self.terminal = CodexTerminal(self.home, self.hub.repository)

    def told(self, event: str, is_meant: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the hub tells this of the request that is meant; after a restart it tells some things again."""
        while True:
            found = self._told.next(S_MAX)
            card = found.get("prediction", {})
            if found["type"].endswith(event) and card.get("permission") and is_meant(card):
                return dict(card)

    def settled(self, card: dict[str, Any]) -> dict[str, Any]:
        """Wait until this card is settled."""
        return self.told("settled", lambda one: one["id"] == card["id"])

    def asks(self, command: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Have Codex ask; return the card and the request in its own dialog."""
        self.model.commands = [command]
        self.terminal.say("Do it")
        shown = "+hi" if command == PATCH else command
        return self.told("new", lambda one: shown in one["permission"]["text"]), self.terminal.asked()

    def made(self, name: str) -> bool:
        return (self.hub.repository / name).exists()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodexDesk]:
    program = codex_program()
    with running_hub(tmp_path_factory.mktemp("codex")) as hub, stub_responses() as model:
        write_settings(Path(hub.environment["HOME"]), hub.repository, model.url)
        hub.sit_down()
        assert hub.pulse("connect", "codex", "--yes").returncode == 0
        desk = CodexDesk(hub, program, model)
        try:
            yield desk
        finally:
            desk.close()


@pytest.fixture
def desk(running: CodexDesk) -> CodexDesk:
    running.model.commands.clear()
    running.model.heard.clear()
    return running


def test_a_yes_from_elsewhere_runs_it(desk: CodexDesk) -> None:
    card, _ = desk.asks("touch yes.txt")
    permission = card["permission"]
    assert (permission["agent"], permission["text"], permission["folder"]) == (
        "codex",
        "touch yes.txt",
        str(desk.hub.repository),
    )
    assert not desk.made("yes.txt")
    assert desk.hub.pulse("approve", card["id"]).returncode == 0
    assert desk.terminal.turn() == "completed"
    assert desk.made("yes.txt")


def test_a_no_reaches_the_model_in_the_persons_words(desk: CodexDesk) -> None:
    card, _ = desk.asks("touch no.txt")
    desk.hub.pulse("reject", card["id"], "--reason", "I want no such file")
    assert desk.terminal.turn() == "completed"
    assert not desk.made("no.txt")
    assert "I want no such file" in desk.model.heard[-1]


@pytest.mark.parametrize(("decision", "how"), [("accept", "Allowed"), ("cancel", "Refused")])
def test_an_answer_in_its_own_dialog_takes_the_card_back(desk: CodexDesk, decision: str, how: str) -> None:
    card, request = desk.asks(f"touch {decision}.txt")
    desk.terminal.answer(request, decision)
    assert desk.settled(card)["outcome"] == f"{how} in the agent's own dialog."
    desk.terminal.turn()
    assert desk.made(f"{decision}.txt") == (decision == "accept")
    assert desk.hub.pulse("approve", card["id"]).returncode != 0


def test_a_change_of_files_is_shown_as_a_diff(desk: CodexDesk) -> None:
    card, _ = desk.asks(PATCH)
    path = desk.hub.repository / "hello.txt"
    assert card["permission"]["text"] == f"--- /dev/null\n+++ {path}\n@@ -0,0 +1,1 @@\n+hi"
    desk.hub.pulse("approve", card["id"])
    desk.terminal.turn()
    assert path.read_text() == "hi\n"


def test_of_two_answers_at_once_the_card_says_the_one_that_codex_took(desk: CodexDesk) -> None:
    """Which of them Codex takes is its own matter; where both were taken for first, its item says which it was."""
    for number in range(RACES):
        card, request = desk.asks(f"touch race{number}.txt")
        verb, decision = ("approve", "decline") if number % 2 else ("reject", "accept")
        away = desk.hub.begin(verb, card["id"])
        at_its_dialog = threading.Timer(number * 0.03, desk.terminal.answer, (request, decision))
        at_its_dialog.start()
        desk.terminal.turn()
        away.communicate()
        at_its_dialog.join()
        settled = desk.settled(card)
        if away.returncode == 0 and (verb == "approve") != desk.made(f"race{number}.txt"):
            settled = desk.settled(card) if settled["status"] != "cancelled" else settled
            assert settled["status"] == "cancelled"
        elif settled["status"] != "cancelled":
            assert (settled["status"] == "confirmed") == desk.made(f"race{number}.txt")


def test_the_same_card_goes_on_after_the_hub_was_killed(desk: CodexDesk) -> None:
    card, _ = desk.asks("touch again.txt")
    assert desk.hub.process is not None
    desk.hub.stop(signal.SIGKILL)
    desk.hub.start()
    api(desk.hub, "POST", f"/predictions/{card['id']}/confirm")  # the terminal is not let in any more
    assert desk.terminal.turn() == "completed"
    assert desk.made("again.txt")


def test_a_server_that_is_killed_takes_its_card_along(desk: CodexDesk) -> None:
    card, _ = desk.asks("touch never.txt")
    desk.server.kill()
    desk.server.wait()
    assert desk.settled(card)["status"] == "cancelled"
    desk.begin_anew()
    card, _ = desk.asks("touch anew.txt")
    api(desk.hub, "POST", f"/predictions/{card['id']}/confirm")
    assert desk.terminal.turn() == "completed"
    assert desk.made("anew.txt")


def test_a_yes_after_which_its_server_is_killed_does_not_stay_a_yes(desk: CodexDesk) -> None:
    begun = desk.hub.repository / "begun"
    os.mkfifo(begun)
    card, _ = desk.asks("echo begun > begun; sleep 60")
    api(desk.hub, "POST", f"/predictions/{card['id']}/confirm")
    assert begun.read_text() == "begun\n"
    assert desk.settled(card)["status"] == "confirmed"
    desk.server.kill()
    desk.server.wait()
    gone = desk.settled(card)
    assert (gone["status"], gone["outcome"].startswith("You said yes, then the agent ended")) == ("cancelled", True)
