"""Whose program listens on a port: only one that is shown to be the person's own, and not Pulse's, is told."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hub.io.agents.a2a_server import loopback_listeners
from hub.io.agents.a2a_server.loopback_listeners import NOT_TOLD, NOT_YOURS, PULSE, why_not_here

LISTEN = """
import socket, sys
opened = socket.socket(socket.AF_INET6 if sys.argv[1] == "::" else socket.AF_INET)
opened.bind((sys.argv[1], 0))
opened.listen()
print(opened.getsockname()[1], flush=True)
sys.stdin.read()
"""


@contextmanager
def listening(address: str) -> Iterator[int]:
    """Have another program listen; yield its port."""
    argv = (sys.executable, "-I", "-c", LISTEN, address)
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        yield int(program.stdout.readline())
        assert program.stdin is not None
        program.stdin.close()


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "0.0.0.0", "::"])  # noqa: S104  of a test, for a moment
def test_a_program_of_the_persons_is_told_and_one_that_the_hub_started_is_not(address: str) -> None:
    with listening(address) as port:
        assert why_not_here(port, 0) == ""
        assert why_not_here(port, os.getpid()) == PULSE
        assert why_not_here(port, os.getpid(), named=True) == PULSE


def test_pulse_itself_is_not_told_and_a_port_where_nobody_listens_may_be_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        port = opened.getsockname()[1]
        assert why_not_here(port, 0) == PULSE
    assert why_not_here(port, 0) == ""


def test_another_users_program_is_told_only_where_the_person_named_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening("127.0.0.1") as port:
        monkeypatch.setattr(os, "geteuid", lambda: 4_711)
        assert (why_not_here(port, 0), why_not_here(port, 0, named=True)) == (NOT_YOURS, "")


def test_what_cannot_be_seen_is_not_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with listening("127.0.0.1") as port:
        monkeypatch.setattr(loopback_listeners, "pids", tuple)
        assert why_not_here(port, 0) == NOT_YOURS
        monkeypatch.setattr(loopback_listeners, "PROC", tmp_path)
        assert (why_not_here(port, 0), why_not_here(port, 0, named=True)) == (NOT_TOLD, "")
