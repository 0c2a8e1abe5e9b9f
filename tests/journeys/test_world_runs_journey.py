"""Having an agent do something, all the way: a real hub, a real program, a person at the command line.

The agent is a script. It does not know what it is to write: its first two tries fail, and its person is asked. With
their answer in its prompt it writes the file, and says so.
"""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository

pytestmark = pytest.mark.slow

SOON_S_MAX, EACH_S = 40.0, 0.2
AGENT = """#!/bin/sh
prompt=$(cat)
printf '%s\\n=====\\n' "$prompt" >> prompts.txt
case "$prompt" in
  *"Sort the word"*"This is try 2"*) echo crane > word.txt; echo "Now it is there." ;;
  *"Sort the word"*) echo "It is done." ;;
  *"the word is heron"*) echo heron > word.txt; echo "I wrote heron to word.txt." ;;
  *) echo "Nobody told me the word."; exit 1 ;;
esac
"""
CONFIG = """
[agents.scribe]
kind = "command"
argv = ["{program}"]

[channels.notes]
specialty = "Notes"
agent = "scribe"

[world]
tries_max = 2
"""


class Person:
    """Sits at the command line of a hub of theirs."""

    def __init__(self, folder: Path) -> None:
        self.hub = RealHub(folder / "home", folder / "repository", environment_of(folder))
        make_repository(self.hub.repository)
        self.work = folder / "work"
        self.work.mkdir()
        program = folder / "scribe.sh"
        program.write_text(AGENT)
        program.chmod(0o755)
        self.hub.home.mkdir(mode=0o700)
        (self.hub.home / "config.toml").write_text(CONFIG.format(program=program))

    def says(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = self.hub.pulse(*arguments)
        assert done.returncode == 0, done.stderr + done.stdout
        return done

    def spawns(self, *more: str, task: str = "Write the word down") -> subprocess.CompletedProcess[str]:
        return self.says(
            "world", "spawn", f"{task} | need: file: word.txt", "--agent", "scribe", "--folder", str(self.work), *more
        )

    def session(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.says("world", "query", "session", name, "--json").stdout)
        return found

    @property
    def prompts(self) -> list[str]:
        there = self.work / "prompts.txt"
        return there.read_text().split("\n=====\n")[:-1] if there.exists() else []


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    one = Person(tmp_path)
    one.hub.start()
    try:
        yield one
    finally:
        if one.hub.process is not None:
            assert one.hub.stop() == ENDED_WELL


def soon(look: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON_S_MAX
    while not look():
        assert time.monotonic() < until, "it did not come"
        time.sleep(EACH_S)


def test_what_would_run_is_shown_and_waits_for_a_yes(person: Person) -> None:
    said = person.spawns("--session", "w1").stdout
    assert "scribe.sh in work" in said
    assert "A yes covers up to 2 tries of exactly this" in said
    card = next(word for word in said.split() if word.startswith("pred_"))
    assert (person.session("w1")["status"], person.prompts) == ("start", [])
    person.says("reject", card)
    soon(lambda: person.session("w1")["status"] == "failed")
    assert person.prompts == []


def test_an_agent_that_is_stuck_goes_on_with_its_persons_answer(person: Person) -> None:
    person.spawns("--session", "w2", "--yes")
    soon(lambda: person.session("w2")["status"] == "failed")
    stuck = person.session("w2")
    assert (stuck["tries"], stuck["agent"], stuck["folder"]) == (2, "scribe", str(person.work))
    first, second = person.prompts
    assert "This is try" not in first
    assert "The one before ended with: «Nobody told me the word.»" in second
    assert "The check says: «It ended with an error (code 1)." in second
    person.says("world", "respond", "w2", "the word is heron")
    soon(lambda: person.session("w2")["status"] == "verified")
    assert (person.work / "word.txt").read_text() == "heron\n"
    assert "The user answers: «the word is heron»" in person.prompts[2]
    assert len(person.prompts) == 3
    ended = person.session("w2")
    assert (ended["retries"], ended["asks"], ended["checkedBy"]) == (2, "", "proof")


def test_that_it_ended_well_is_not_believed_and_what_is_missing_is_said_to_the_next_try(person: Person) -> None:
    person.spawns("--session", "w3", "--yes", task="Sort the word")
    soon(lambda: person.session("w3")["status"] == "verified")
    first, second = person.prompts
    assert "It is done." not in first
    assert "The one before ended with: «It is done.»" in second
    assert "word.txt" in second.partition("The check says: «")[2]
    assert (person.session("w3")["retries"], person.session("w3")["checkedBy"]) == (1, "proof")
