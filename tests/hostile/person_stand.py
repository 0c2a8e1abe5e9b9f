"""A hub to which an agent is connected, the person's terminal beside it, and what an attack is told."""

import contextlib
import json
import os
import select
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from hub.cli.api import open_api
from hub.contract.api import AskRequest
from hub.io.home.folder import Home
from tests.cli.real_hub import RealHub, running_hub
from tests.hostile import attack_as_person
from tests.house.source import ROOT
from tests.signed_in_page import SignedInPage
from tests.terminals import PULSE, SHELL, Terminal, terminal

ATTACK = Path(attack_as_person.__file__)
OUT_S_MAX = 30.0
Before = Callable[[str], str]
"""What is typed at the person's terminal before an agent is connected, by the words of an attack."""
REFUSALS = {"terminal-not-let-in", "not-at-a-terminal", "agent-in-this-terminal", "from-a-run", "bad-code"}
ASK = """
import http.client, json, socket, sys
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(sys.argv[1])
body = {"dialect": "claude-code", "input": {
    "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "/", "permission_mode": "default",
    "tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "t1"}}
connection.request("POST", "/api/v1/hooks", json.dumps(body), {"Content-Type": "application/json", "Pulse-As": "agent"})
print(connection.getresponse().status, flush=True)
"""
"""What an agent's hook says; from then on the hub knows the process above it as an agent's."""


class Stand(NamedTuple):
    """A hub to which an agent is connected, the person's terminal, and what an attack is told."""

    hub: RealHub
    mine: Terminal
    agent: Path
    card: str
    out: Path
    reader: int
    page: SignedInPage
    said: str = ""
    """What `pulse connect` printed."""

    @property
    def socket(self) -> str:
        record = Home(self.hub.home).record()
        assert record is not None
        return record.socket

    @property
    def attack(self) -> str:
        """The attack as words for a shell."""
        return shlex.join((sys.executable, "-IS", str(ATTACK), self.socket, self.card, str(self.out)))

    def as_agent(self, script: str, *, inside: Terminal | None = None) -> None:
        """Let a connected agent run a script in its shell, and end."""
        hook = shlex.join((sys.executable, "-ISc", ASK, self.socket))
        words = (str(self.agent), "-c", f"{hook} >/dev/null\n{script}\ntrue")
        if inside is not None:
            typed = self.agent.with_name("typed.sh")  # a long text is not typed whole into a loaded machine's terminal
            typed.write_text(words[2])
            inside.run(shlex.join((words[0], str(typed))))
            return
        subprocess.run(words, cwd=ROOT, env=self.hub.environment, check=True, stdin=subprocess.DEVNULL, timeout=60)

    def outcome(self) -> list[tuple[str, str, int, str]]:
        """Return what the hub said to each request of an attack."""
        said = b""
        while not said.endswith(b"]]"):
            assert select.select([self.reader], [], [], OUT_S_MAX)[0], f"the attack told nothing: {said!r}"
            said += os.read(self.reader, 65_536)
        return [(method, address, status, code) for method, address, status, code in json.loads(said)]

    def require_refused(self) -> None:
        """Check that an attack reached nothing at all."""
        outcome = self.outcome()
        assert len(outcome) == len(attack_as_person.attempts(self.card))
        refused = [one for one in outcome if one[2] != 403 or one[3] not in REFUSALS]
        assert refused == [], refused
        assert self.status_of_card() == "pending"

    def status_of_card(self) -> str:
        """Return the state of the card by the hub's own word."""
        said = self.hub.pulse("cards", "--json")
        (card,) = [one for one in json.loads(said.stdout)["predictions"] if one["id"] == self.card]
        return str(card["status"])


@contextlib.contextmanager
def connected_to(folder: Path, *, before: Before | None = None) -> Iterator[Stand]:
    """Run a hub, connect an agent at the person's terminal, and have one thing asked."""
    agent, out = folder / "claude", folder / "out"
    shutil.copy(os.path.realpath(SHELL), agent)
    os.mkfifo(out)
    with running_hub(folder) as hub, terminal(hub.environment) as mine, contextlib.ExitStack() as stack:
        reader = os.open(out, os.O_RDWR)  # there is always somebody who reads, so that no attack waits for one
        stack.callback(os.close, reader)
        page = stack.enter_context(signed_in(hub))
        stand = Stand(hub, mine, agent, asked(hub, "Deploy?"), out, reader, page)
        if before is not None:
            mine.run(before(stand.attack))
        said, ended = mine.run(f"{PULSE} connect claude-code --yes")
        assert ended == 0, said
        yield stand._replace(said=said)


@contextlib.contextmanager
def signed_in(hub: RealHub) -> Iterator[SignedInPage]:
    """Sign a page in by the link that the hub showed."""
    up = json.loads(hub.said)
    page = SignedInPage(up["api"], up["link"].partition("#pair=")[2])
    try:
        yield page
    finally:
        page.close()


def asked(hub: RealHub, question: str) -> str:
    """Have something asked; return the card's id."""
    reply = open_api(hub.home).call("POST", "/ask", AskRequest(question=question, timeout_s=3_600))
    return str(json.loads(reply)["prediction"]["id"])


def let_in(stand: Stand, other: Terminal) -> None:
    """Let a terminal in by the word that a page shows."""
    let_in_by(stand.page, other)


def let_in_by(page: SignedInPage, other: Terminal) -> None:
    """Let a terminal in by the word that this page shows."""
    other.type(f"{PULSE} devices let-in\n")
    title = other.until(r"this terminal \((.+)\) has")[1]
    other.until("Word: ")
    other.type(f"{page.word(title)}\n")
    other.until("let in")
    other.run("true")
