"""The small program that agents start: what it hands on and prints, and what it does while nobody is there."""

import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.cli import connecting, hook_client
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.home.folder import Home, RunRecord

BY_PATH = (sys.executable, "-I", "-S", str(connecting.CLIENT), "claude-code")
GIVEN = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash"}'
ASKS = b'HTTP/1.1 200 OK\r\ncontent-length: 7\r\npulse-exit: 0\r\n\r\n{"a":1}'
HEAVY = {"socket", "json", "re", "pathlib", "hub", "msgspec", "asyncio", "typing"}


class Listener:
    """A hub's socket, which answers with bytes laid out beforehand; an empty answer hangs up."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        Home(self.home).prepare()
        self.answers: list[bytes] = []
        self.heard: list[bytes] = []
        self.ended = threading.Event()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / "s"))
        self._socket.listen()
        Home(self.home).write_record(
            RunRecord(pid=1, api="", broker="", started_at="", workspaces=(), socket=str(folder / "s"))
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            with line:
                self.heard.append(_request_on(line))
                answer = self.answers.pop(0) if self.answers else None
                if answer is None:
                    line.recv(1)  # nothing comes until the other end has gone
                    self.ended.set()
                else:
                    line.sendall(answer)

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def run(self, given: bytes = GIVEN, *options: str) -> subprocess.CompletedProcess[bytes]:
        words = [*BY_PATH, str(self.home), *options]
        return subprocess.run(words, input=given, capture_output=True, check=False, timeout=60)


def _request_on(line: socket.socket) -> bytes:
    said = b""
    while b"\r\n\r\n" not in said:
        said += line.recv(65_536)
    head, _, body = said.partition(b"\r\n\r\n")
    length = next(int(one.split(b":")[1]) for one in head.split(b"\r\n") if one.lower().startswith(b"content-length"))
    while len(body) < length:
        body += line.recv(65_536)
    return head + b"\r\n\r\n" + body


def body_of(heard: bytes) -> dict[str, object]:
    return dict(json.loads(heard.partition(b"\r\n\r\n")[2]))


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    made = Listener(tmp_path)
    yield made
    made.close()


def test_what_the_agent_said_is_handed_on_and_the_answer_printed(listener: Listener) -> None:
    listener.answers = [ASKS]
    done = listener.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"a":1}', b"")
    said = body_of(listener.heard[0])
    assert said == {"dialect": "claude-code", "shortened": False, "unattended": False, "input": json.loads(GIVEN)}


def test_the_hub_says_how_it_ends(listener: Listener) -> None:
    listener.answers = [b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nPulse-Exit: 2\r\n\r\nno"]
    done = listener.run()
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"no")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 429 Too Many\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 70\r\n\r\n{}",
        b"220 mail.example.org ready\r\n\r\n",
    ],
)
def test_an_answer_that_is_none_fails_as_it_was_set(listener: Listener, answer: bytes) -> None:
    listener.answers = [answer, answer]
    opened = listener.run(GIVEN, "--within=5")
    assert (opened.returncode, opened.stdout) == (0, b"")
    closed = listener.run(GIVEN, "--within=5", "--closed")
    assert (closed.returncode, closed.stdout) == (hook_client.EXIT_BLOCKED, b"")
    assert b"pulse up" in closed.stderr


def test_nobody_there_fails_as_it_was_set(tmp_path: Path) -> None:
    words = [*BY_PATH, str(tmp_path / "nothing")]
    opened = subprocess.run(words, input=GIVEN, capture_output=True, check=False, timeout=60)
    assert (opened.returncode, opened.stdout, opened.stderr) == (0, b"", b"")
    closed = subprocess.run([*words, "--closed"], input=GIVEN, capture_output=True, check=False, timeout=60)
    assert (closed.returncode, closed.stdout) == (hook_client.EXIT_BLOCKED, b"")


@pytest.mark.slow
@pytest.mark.parametrize("last", [b"", b'HTTP/1.1 503 No\r\ncontent-length: 19\r\n\r\n{"code":"stopping"}'])
def test_a_hub_that_is_started_anew_is_asked_again_with_the_same_key(listener: Listener, last: bytes) -> None:
    listener.answers = [last, ASKS]
    assert listener.run().stdout == b'{"a":1}'
    keys = [next(line for line in one.split(b"\r\n") if b"Idempotency-Key" in line) for one in listener.heard]
    assert len(keys) == 2
    assert keys[0] == keys[1]


@pytest.mark.slow
def test_a_hub_that_hangs_is_waited_for_only_so_long(listener: Listener) -> None:
    done = listener.run(GIVEN, "--within=0.2")
    assert (done.returncode, done.stdout) == (0, b"")
    assert listener.ended.wait(20)


def test_ended_by_its_agent_it_lets_go_of_the_hub(listener: Listener) -> None:
    with subprocess.Popen([*BY_PATH, str(listener.home)], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(GIVEN)
        process.stdin.close()
        while not listener.heard:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert listener.ended.wait(20)


@pytest.mark.slow
def test_ten_megabytes_are_cut_before_they_are_handed_on(listener: Listener) -> None:
    listener.answers = [ASKS]
    long = {"tool_name": "Write", "tool_input": {"file_path": "/a", "content": "é" * 10_000_000}, "tool_response": "x"}
    assert listener.run(json.dumps(long, ensure_ascii=False).encode()).returncode == 0
    said = body_of(listener.heard[0])
    assert (said["shortened"], len(listener.heard[0]) < 65_536) == (True, True)
    given = said["input"]
    assert isinstance(given, dict)
    assert given["tool_input"]["file_path"] == "/a"
    assert "more characters" in given["tool_input"]["content"]


@pytest.mark.parametrize("given", [b"\x00\xff" * 40_000, b"[" * 60_000, b"[1, 2]" + b" " * 60_000])
def test_what_is_long_and_nothing_at_all_is_not_handed_on(listener: Listener, given: bytes) -> None:
    assert listener.run(given).returncode == 0
    assert listener.run(given, "--closed").returncode == hook_client.EXIT_BLOCKED
    assert listener.heard == []


def test_it_is_known_that_nobody_sits_before_the_agent(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
    listener.answers = [ASKS]
    listener.run()
    assert body_of(listener.heard[0])["unattended"] is True


def test_it_imports_next_to_nothing() -> None:
    code = f"import sys; sys.path.insert(0, {str(connecting.CLIENT.parent)!r}); import hook_client; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_every_agent_that_can_be_connected_has_its_program(tmp_path: Path) -> None:
    for which in CONNECTIONS.values():
        connecting.keep_program(tmp_path, which)
        program = connecting.program_of(tmp_path, which)
        assert program.stat().st_mode & 0o777 == connecting.PROGRAM_MODE
        done = subprocess.run([program], input=GIVEN, capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
