"""Texts that make a regular expression search for very long: each would hold up the whole hub, stops and all.

The limits are far above what any of it takes, and far below what it took: some of these texts took longer than the sun
has left, the others from ten seconds to minutes.
"""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from hub.contract.errors import PulseError
from hub.contract.permission import TEXT_CHARS_MAX, Act
from hub.domain.masking import is_computing, mask
from hub.io.agents.hooks.codex import FILE
from hub.screening import screen, screen_command
from hub.screening.acts import read_act
from hub.screening.commands import sql
from hub.sense.ical_text import calendars
from hub.sense.installed import python_names
from hub.sense.lock_files import GO_REPLACE, GO_REQUIRE

SECONDS_MAX = 5.0
"""Of processor time: beside other work none of this takes longer."""
REPEATED_SECONDS_MAX = 0.8
"""A word that may begin a command, thousands of times: each took 400 characters to be looked at, and 1.1 s together."""
PATCH_SECONDS_MAX = 0.8
"""Empty lines took quadratic time: each was tried as the beginning of all that follow."""
LONG = 7_900
COMMANDS = {
    "one word of JavaScript": "node -e '" + "a" * LONG + "'",
    "one chain of JavaScript": "node -e '" + "a." * (LONG // 2) + "'",
    "an open class in a pattern of JavaScript": "node -e '=/[" + r"\a" * 60 + "'",
    "an open class in a pattern of awk": "awk '=/[" + r"\a" * 60 + "'",
    "one word of awk": "awk '" + "_" * LONG + "'",
    "spaces in Perl": "perl -pe 's/a/b/" + " " * 3_000 + "x'",
    "places in Perl": "perl -pe 's/a/" + "$1" * 60 + "x'",
    "one word of Perl": "perl -e '|" + "e" * LONG + "'",
    "spaces in Python": "python -c 'a" + " " * LONG + "b'",
    "a list that does not end in Python": "python -c 'subprocess.run([" + '"a"    ' * 60 + "'",
    "brackets in a query": "mongosh --eval 'db.find(" + ")" * LONG + "!'",
    "a setting of digits": "NODE_OPTIONS=" + "1" * 60 + "! node app.js",
    "fields of a description": "docker inspect -f '" + "name[" * (LONG // 5) + "' x",
    "names of a description": "docker inspect -f '" + "a" * LONG + "' x",
    "dates that printf prints": "$(printf '" + "%(" * (LONG // 2) + "')",
    "printf again and again": "$(printf '%s" + "a" * (LONG // 2) + "'" + " b" * (LONG // 4) + ")",
    "a setting of hosts": "X=" + "a." * (LONG // 2) + "! consul members",
    "a setting that says where": "LOG" * (LONG // 3) + "=/x ls",
    "a setting of options": "RUSTFLAGS='" + "-W 1 " * 40 + "!' cargo build",
}


class TooLongError(Exception):
    """It went on for longer than anybody would wait."""


def _over(_number: int, _frame: FrameType | None) -> None:
    raise TooLongError


@contextmanager
def limited(seconds: float = SECONDS_MAX) -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_command_takes_long_to_be_read(command: str) -> None:
    with limited():
        screen_command(command)


@pytest.mark.parametrize("text", ["a" + " " * 16_000 + "b", "é " * 8_000, "a," * 8_000], ids=("spaces", "é", "commas"))
def test_no_prose_takes_long_to_be_read(text: str) -> None:
    with limited():
        screen(text)


@pytest.mark.parametrize("word", ["go ", "go x\n", "`go x` ", "run go ", "the go ", "x ; go ", "sudo ", "select a "])
def test_no_repeated_word_takes_long_to_be_read(word: str) -> None:
    with limited(REPEATED_SECONDS_MAX):
        screen((word * 15_000)[:15_000])


@pytest.mark.parametrize("blank", ["\n", "\r\n", " ", "\u00a0\n"])
def test_no_patch_of_blanks_takes_long_to_be_read(blank: str) -> None:
    patch = blank * (TEXT_CHARS_MAX // len(blank))
    with limited(PATCH_SECONDS_MAX):
        FILE.findall(8 * patch)  # at its true length quadratic time is half a second: too near to what may pass
        read_act(Act.EDIT, patch, "a.py", "/home/me/shop", "apply_patch")
        read_act(Act.OTHER, json.dumps({"path": "a", "diff": patch}), "", "/home/me/shop", "mcp__fs__edit")


@pytest.mark.parametrize("blank", ["\n", "\t\n", " \n", " "])
def test_no_statement_of_blanks_takes_long_to_be_read(blank: str) -> None:
    statement = blank * (4 * LONG // len(blank))  # longer than it can be: else one quadratic pattern passes unseen
    with limited(PATCH_SECONDS_MAX):
        sql.effects_of(statement)
        sql.unknown_meta(statement)


def test_comments_before_a_statement_take_no_long_time() -> None:
    with limited():
        assert sql.STARTS.match("/**/" * 60 + "!") is None
    assert sql.STARTS.match("/* a * b */ -- c\n/**/ select * from x")


@pytest.mark.parametrize(
    "read",
    [
        lambda: python_names("", "a" + " " * 60_000 + "x"),
        lambda: GO_REQUIRE.findall("a." * 100_000),
        lambda: GO_REQUIRE.findall("\n" * 200_000),
        lambda: GO_REPLACE.findall("\n" * 200_000),
    ],
    ids=("requirements", "a module", "lines asked for", "lines replaced"),
)
def test_no_file_of_a_repository_takes_long_to_be_read(read: Callable[[], object]) -> None:
    with limited():
        read()


def test_no_calendar_takes_long_to_be_read() -> None:
    with limited(), pytest.raises((PulseError, ValueError)):
        list(calendars(b"\n" * 1_000_000))


@pytest.mark.parametrize(
    "text",
    [
        "$a" * 50_000,
        "$" + "a" * 100_000,
        "$pwd" * 20_000,
        "pwd=x1y2z3;" + "token=$pwd " * 8_000,
        "".join(f"a{number}pwd=x1y2z3;$a{number}pwd " for number in range(4_000)),
        '"x-token' * 12_000,
        "\n- " * 30_000,
        "\n" + " " * 100_000,
        "--password a1b2c3 " * 6_000,
        "-" * 100_000,
        ".-" * 50_000,
        "pwd=x1y2z3 token " + "token: " * 15_000,
        "pwd=x1y2z3 " + "'token':'" * 12_000,
        "pwd=x1y2z3 " + "{token:" * 15_000,
        "curl -u " * 12_000,
        "\ncurl -u a:" * 10_000,
        ';curl "' * 14_000,
        ";curl 'a b" * 10_000,
        '\'curl "x "' * 10_000,
        ";a=b" * 25_000,
        ";sudo " * 16_000,
        "mysql" * 20_000,
        "mysql " + "-p" * 50_000,
        "\nmysql -pa1b2c3" * 7_000,
        "://a:" * 20_000,
        "://a:" + "b" * 100_000,
        "-H token" * 12_000,
        "hf_" + "aA1-" * 25_000,
        "-----BEGIN PRIVATE KEY-----\n" * 4_000,
        "-----BEGIN PRIVATE KEY-----" + ("\n" + "aA1" * 20) * 2_000,
        "-----BEGIN PRIVATE KEY-----\n" + "aA1" * 30_000 + ".",
        "bash " * 20_000,
        "psql -" * 15_000,
        "| " * 50_000,
        "|" + " " * 100_000,
        "${" + "a" * 100_000,
        "/proc/" * 16_000,
        "export -p " * 10_000,
    ],
    ids=lambda text: repr(text[:30]),
)
def test_looking_for_secrets_takes_no_longer_than_its_text(text: str) -> None:
    with limited():
        mask(text)
        is_computing(text)
