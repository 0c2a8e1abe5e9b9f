"""The small program that agents start: what it hands on and prints, and what it does while nobody is there."""

import asyncio
import base64
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from hub.cli import connecting, hook_client, hook_program
from hub.contract.errors import PulseError
from hub.contract.hooks import HookRequest
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.step import At
from hub.io.api.hook_proof import HookProver
from hub.io.home.armed import ArmedFile
from hub.io.home.folder import Home, RunRecord
from hub.io.home.hook_key import HookKey
from hub.io.server.peer_credentials import started

BY_PATH = (sys.executable, "-I", "-S", str(hook_program.CLIENT), "claude-code")
GIVEN = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash"}'
ASKS = b'HTTP/1.1 200 OK\r\ncontent-length: 7\r\npulse-exit: 0\r\n\r\n{"a":1}'
BODY_BYTES_MAX = 65_536
"""Of a request, beyond which the hub takes none."""
HEAVY = {"socket", "json", "re", "pathlib", "hub", "msgspec", "asyncio", "typing"}


def statuses(kind: type[PulseError] = PulseError) -> Iterator[int]:
    """Yield the status of every error that the hub knows."""
    yield kind.status
    for one in kind.__subclasses__():
        yield from statuses(one)


STATUSES = set(statuses())


class Listener:
    """A hub's socket, which answers with bytes laid out beforehand; an empty answer hangs up.

    Answers are signed as the hub signs them, with the key of the home `signs_as`.
    """

    def __init__(self, folder: Path) -> None:
        self.home = self.signs_as = folder / "home"
        Home(self.home).prepare()
        HookKey(Home(self.home)).prepare()
        self.answers: list[bytes] = []
        self.heard: list[bytes] = []
        self.ended = threading.Event()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / "s"))
        self._socket.listen()
        self.place = str(folder / "s")
        self.record(os.getpid(), started(os.getpid()))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def record(self, pid: int, began: str) -> None:
        """Say which process is the hub."""
        Home(self.home).write_record(
            RunRecord(
                pid=pid,
                api="",
                broker="",
                started_at="",
                workspaces=(),
                socket=self.place,
                process_started=began,
            )
        )

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            with line:
                request = _request_on(line)
                if not request:
                    continue
                self.heard.append(request)
                answer = self.answers.pop(0) if self.answers else None
                if answer is None:
                    line.recv(1)  # nothing comes until the other end has gone
                    self.ended.set()
                else:
                    with contextlib.suppress(BrokenPipeError):  # it has given up meanwhile
                        line.sendall(self.signed(answer))

    def signed(self, answer: bytes) -> bytes:
        asked = msgspec.json.decode(self.heard[-1].partition(b"\r\n\r\n")[2], type=HookRequest)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = next((one for one in head.lower().split(b"\r\n") if one.startswith(b"pulse-exit:")), b":0")
        proof = asyncio.run(HookProver(self.signs_as).proof(asked, int(status.partition(b":")[2]), body))
        return head + b"\r\nPulse-Proof: " + proof.encode() + b"\r\n\r\n" + body if answer else b""

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def run(
        self, given: bytes = GIVEN, *options: str, dialect: str = "claude-code"
    ) -> subprocess.CompletedProcess[bytes]:
        words = [*BY_PATH[:-1], dialect, str(self.home), *options]
        return subprocess.run(words, input=given, capture_output=True, check=False, timeout=60)


def _request_on(line: socket.socket) -> bytes:
    said = b""
    while b"\r\n\r\n" not in said:
        piece = line.recv(65_536)
        if not piece:
            return b""
        said += piece
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
    assert len(str(said.pop("nonce"))) == 32
    assert said.pop("waitS") == 3_598
    given = base64.b64encode(GIVEN).decode()
    assert said == {"dialect": "claude-code", "shortened": False, "unattended": False, "given": given}


@pytest.mark.parametrize(("wait_s", "told_s"), [(60, 58), (1, 1)])
def test_the_hub_is_told_to_answer_before_the_agent_stops_waiting(listener: Listener, wait_s: int, told_s: int) -> None:
    listener.answers = [ASKS]
    listener.run(GIVEN, f"--wait={wait_s}", "--closed")
    assert body_of(listener.heard[0])["waitS"] == told_s


def test_the_hub_says_how_it_ends(listener: Listener) -> None:
    listener.answers = [b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nPulse-Exit: 2\r\n\r\nno"]
    done = listener.run()
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"no")


REFUSALS = [
    *(b"HTTP/1.1 %d No\r\ncontent-length: 2\r\n\r\n{}" % one for one in sorted({*STATUSES, 302, 429})),
    b"220 mail.example.org ready\r\n\r\n",
]
"""What a hub that is there says in the place of an answer: every status of its errors, and what is none."""
BEFORE = [
    (dialect.name, event)
    for dialect in DIALECTS.values()
    for event, at in dialect.events.items()
    if at is At.BEFORE and dialect.name in CONNECTIONS
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_no_refusal_of_a_hub_that_is_there_lets_a_tool_go_on(listener: Listener, answer: bytes) -> None:
    listener.answers = [answer, ASKS, answer, answer]
    asked_again = listener.run()
    assert (asked_again.returncode, asked_again.stdout) == (0, b'{"a":1}')
    assert base64.b64decode(str(body_of(listener.heard[1])["given"])) == GIVEN[:-1]
    refused_twice = listener.run(GIVEN, "--within=30")
    assert (refused_twice.returncode, refused_twice.stdout) == (hook_client.EXIT_BLOCKED, b"")
    assert b"pulse doctor" in refused_twice.stderr


@pytest.mark.parametrize(("dialect", "event"), BEFORE)
def test_what_waits_before_a_tool_is_known_of_every_agent(listener: Listener, dialect: str, event: str) -> None:
    listener.answers = [REFUSALS[0], REFUSALS[0]]
    given = json.dumps({"hook_event_name": event, "tool_name": "x"}).encode()
    assert listener.run(given, "--within=30", dialect=dialect).returncode == hook_client.EXIT_BLOCKED


def test_what_waits_before_no_tool_goes_on_where_it_is_refused(listener: Listener) -> None:
    listener.answers = [REFUSALS[0]] * 4
    for event in ("PostToolUse", "Stop"):
        done = listener.run(json.dumps({"hook_event_name": event}).encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 70\r\n\r\n{}"])
def test_a_hub_that_is_there_and_hangs_up_each_time_lets_no_tool_go_on(listener: Listener, answer: bytes) -> None:
    listener.answers = [answer] * 20
    done = listener.run(GIVEN, "--within=1")
    assert (done.returncode, done.stdout) == (hook_client.EXIT_BLOCKED, b"")


def refused(listener: Listener) -> bytes:
    """Ask a hub that is not believed, both ways; return what is said where it refuses."""
    opened = listener.run(GIVEN, "--within=5")
    assert (opened.returncode, opened.stdout) == (0, b"")
    closed = listener.run(GIVEN, "--within=5", "--closed")
    assert (closed.returncode, closed.stdout) == (hook_client.EXIT_BLOCKED, b"")
    return closed.stderr


HOLDS = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\npulse-exit: 2\r\n\r\n%s" % (len(hook_client.HELD), hook_client.HELD)


def test_what_is_held_before_a_tool_is_asked_again_and_waits_for_a_person(listener: Listener) -> None:
    listener.answers = [HOLDS, ASKS]
    done = listener.run(GIVEN, "--within=20", "--wait=60")
    assert (done.returncode, done.stdout) == (0, b'{"a":1}')
    first, second = (msgspec.json.decode(one.partition(b"\r\n\r\n")[2]) for one in listener.heard)
    assert (first["unattended"], second["unattended"]) == (False, True)
    assert first["nonce"] != second["nonce"]


def test_what_is_held_is_refused_where_the_hub_then_says_nothing(listener: Listener) -> None:
    listener.answers = [HOLDS]
    assert listener.run(GIVEN, "--within=20", "--wait=4").returncode == hook_client.EXIT_BLOCKED


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel does not name the process")
def test_a_process_that_is_not_the_hubs_is_told_nothing(listener: Listener) -> None:
    parent = os.getppid()
    for pid, began in ((parent, started(parent)), (os.getpid(), started(1)), (os.getpid(), "")):
        listener.record(pid, began)
        assert b"not the Pulse that was started here" in refused(listener)
    assert listener.heard == []


def test_an_answer_that_another_key_has_signed_is_not_believed(listener: Listener, tmp_path: Path) -> None:
    listener.signs_as = tmp_path / "other"
    Home(listener.signs_as).prepare()
    listener.answers = [ASKS, ASKS]
    assert b"could not prove" in refused(listener)


def test_an_answer_to_another_question_is_not_believed(listener: Listener) -> None:
    listener.answers = [ASKS]
    listener.run()
    old = listener.signed(ASKS)  # what a listener could have kept from the real hub
    listener.signed = lambda answer: old if answer else b""  # type: ignore[method-assign]  # it says that again
    listener.answers = [ASKS, ASKS]
    assert b"could not prove" in refused(listener)


@pytest.mark.parametrize("changed", [b'{"a":2}', b'{"a":1}\n', b""])
def test_an_answer_that_was_changed_is_not_believed(listener: Listener, changed: bytes) -> None:
    signed = listener.signed

    def swapped(answer: bytes) -> bytes:
        head = signed(answer).partition(b"\r\n\r\n")[0].replace(b": 7", b": %d" % len(changed))
        return head + b"\r\n\r\n" + changed

    listener.signed = swapped  # type: ignore[method-assign]  # what stands between the two
    listener.answers = [ASKS, ASKS]
    assert b"could not prove" in refused(listener)


def test_without_the_hubs_key_nobody_is_believed(listener: Listener) -> None:
    (listener.home / "hook-key.pub").write_text("")
    assert b"key cannot be read" in refused(listener)
    assert listener.heard == []


@pytest.mark.parametrize("gone", ["run.json", "hook-key.pub"])
def test_a_hub_that_holds_its_home_and_cannot_be_reached_lets_no_tool_go_on(tmp_path: Path, gone: str) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    HookKey(home).prepare()
    (home.folder / gone).unlink(missing_ok=True)
    words = [*BY_PATH, str(home.folder)]
    before = subprocess.run(words, input=GIVEN, capture_output=True, check=False, timeout=60)
    home.lock()
    try:
        held = subprocess.run(words, input=GIVEN, capture_output=True, check=False, timeout=60)
    finally:
        home.unlock()
    assert (before.returncode, held.returncode) == (0, hook_client.EXIT_BLOCKED)


@pytest.mark.parametrize("made", [Path.mkdir, lambda path: path.symlink_to(path.name)])
def test_a_lock_that_is_none_lets_no_tool_go_on(tmp_path: Path, made: Callable[[Path], None]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    made(home / "lock")
    done = subprocess.run([*BY_PATH, str(home)], input=GIVEN, capture_output=True, check=False, timeout=60)
    assert done.returncode == hook_client.EXIT_BLOCKED


@pytest.mark.parametrize("name", ["run.json", "hook-key.pub", "lock"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    HookKey(home).prepare()
    home.lock()
    try:
        (home.folder / name).unlink(missing_ok=True)
        os.mkfifo(home.folder / name)
        done = subprocess.run([*BY_PATH, str(home.folder)], input=GIVEN, capture_output=True, check=False, timeout=60)
    finally:
        home.unlock()
    assert done.returncode == hook_client.EXIT_BLOCKED


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("run.json", b"\xff"),
        ("run.json", '{"socket":"/x","pid":\u00b2,"process_started":"1"}'.encode()),
        ("run.json", b'{"socket":"/x","pid":%s,"process_started":"1"}' % (b"9" * 5_000)),
        ("hook-key.pub", b"0"),
        ("hook-key.pub", b"\xff"),
    ],
)
def test_whatever_stands_in_a_file_of_the_hubs_no_tool_goes_on_beside_it(
    listener: Listener, name: str, said: bytes
) -> None:
    (listener.home / name).write_bytes(said)
    home = Home(listener.home)
    home.lock()
    try:
        listener.answers = [ASKS, ASKS]
        done = listener.run(GIVEN)
    finally:
        home.unlock()
    assert (done.returncode, done.stdout) == (hook_client.EXIT_BLOCKED, b"")


def test_nobody_there_fails_as_it_was_set(tmp_path: Path) -> None:
    words = [*BY_PATH, str(tmp_path / "nothing")]
    opened = subprocess.run(words, input=GIVEN, capture_output=True, check=False, timeout=60)
    assert (opened.returncode, opened.stdout, opened.stderr) == (0, b"", b"")
    closed = subprocess.run([*words, "--closed"], input=GIVEN, capture_output=True, check=False, timeout=60)
    assert (closed.returncode, closed.stdout) == (hook_client.EXIT_BLOCKED, b"")


def stop(home: Path) -> None:
    """Set up a home as a hub does, and turn the emergency stop on."""
    ArmedFile(Home(home)).set_up()
    ArmedFile(Home(home)).disarm()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [("--within=0.2",), ("--within=0.2", "--wait=60"), ("--wait=3",)], ids=["short", "gate", "for a person"]
)
def test_after_the_emergency_stop_no_tool_goes_on_where_the_hub_hangs(
    listener: Listener, options: tuple[str, ...]
) -> None:
    stop(listener.home)
    done = listener.run(GIVEN, *options)
    assert (done.returncode, done.stdout) == (hook_client.EXIT_BLOCKED, b"")
    assert b"emergency stop is on" in done.stderr
    assert b"pulse resume --emergency" in done.stderr


@pytest.mark.slow
def test_after_the_emergency_stop_no_tool_goes_on_where_nobody_sits_and_the_hub_hangs(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
    stop(listener.home)
    assert listener.run(GIVEN, "--within=0.2", "--wait=3").returncode == hook_client.EXIT_BLOCKED


@pytest.mark.parametrize(("dialect", "event"), BEFORE)
def test_after_the_emergency_stop_no_tool_of_any_agent_goes_on_where_no_hub_is(
    tmp_path: Path, dialect: str, event: str
) -> None:
    Home(tmp_path).prepare()
    stop(tmp_path)
    words = [*BY_PATH[:-1], dialect, str(tmp_path), "--within=8"]
    for given, ends in ((event, hook_client.EXIT_BLOCKED), ("Stop", 0)):
        said = json.dumps({"hook_event_name": given, "tool_name": "x"}).encode()
        done = subprocess.run(words, input=said, capture_output=True, check=False, timeout=60)
        assert (done.returncode, bool(done.stderr)) == (ends, bool(ends)), given


def test_before_and_after_the_emergency_stop_an_agent_goes_on_where_no_hub_is(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    words = [*BY_PATH, str(tmp_path)]
    for change in (lambda: None, ArmedFile(home).set_up, ArmedFile(home).disarm, ArmedFile(home).arm):
        change()
        done = subprocess.run(words, input=GIVEN, capture_output=True, check=False, timeout=60)
        assert (done.returncode == hook_client.EXIT_BLOCKED) == (home.format.exists() and not home.armed.exists())


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


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "event"), BEFORE)
def test_before_a_tool_a_hub_that_hangs_is_a_no(listener: Listener, dialect: str, event: str) -> None:
    said = json.dumps({"hook_event_name": event, "tool_name": "x"}).encode()
    done = listener.run(said, "--wait=1", dialect=dialect)
    assert (done.returncode, done.stdout) == (hook_client.EXIT_BLOCKED, b"")
    assert b"It takes too long" in done.stderr


@pytest.mark.parametrize("wait_s", [1, 2, 3, 10, 60, 3_600])
def test_the_hook_gives_up_before_its_agent_lets_go(monkeypatch: pytest.MonkeyPatch, wait_s: int) -> None:
    monkeypatch.setattr(hook_client, "monotonic", lambda: 100.0)
    question = hook_client.HookQuestion("claude-code", b"{}", [f"--wait={wait_s}"])
    assert 100 < question.gives_up_at <= 100 + wait_s - hook_client.LEAST_BEFORE_S


def test_ended_by_its_agent_it_lets_go_of_the_hub(listener: Listener) -> None:
    with subprocess.Popen([*BY_PATH, str(listener.home)], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(GIVEN)
        process.stdin.close()
        while not listener.heard:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert listener.ended.wait(20)


@pytest.mark.parametrize(("options", "ends"), [((), 130), (("--closed",), 2)])
def test_ctrl_c_ends_it_without_a_trace(listener: Listener, options: tuple[str, ...], ends: int) -> None:
    words = [*BY_PATH, str(listener.home), *options]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(GIVEN)
        process.stdin.close()
        while not listener.heard:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == ends
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


@pytest.mark.slow
def test_ten_megabytes_are_cut_before_they_are_handed_on(listener: Listener) -> None:
    listener.answers = [ASKS]
    long = {"tool_name": "Write", "tool_input": {"file_path": "/a", "content": "é" * 10_000_000}, "tool_response": "x"}
    assert listener.run(json.dumps(long, ensure_ascii=False).encode()).returncode == 0
    said = body_of(listener.heard[0])
    assert (said["shortened"], len(listener.heard[0]) < 65_536) == (True, True)
    given = json.loads(base64.b64decode(str(said["given"])))
    assert given["tool_input"]["file_path"] == "/a"
    assert "more characters" in given["tool_input"]["content"]


@pytest.mark.parametrize("given", [b"\x00\xff" * 40_000, b"[" * 60_000, b"[1, 2]" + b" " * 60_000])
def test_of_what_is_long_and_cannot_be_read_the_beginning_goes_on(listener: Listener, given: bytes) -> None:
    listener.answers = [ASKS]
    assert listener.run(given).stdout == b'{"a":1}'
    said = body_of(listener.heard[0])
    passed = base64.b64decode(str(said["given"]))
    assert (said["shortened"], passed) == (True, given[: hook_client.PASSED_BYTES_MAX])


def test_half_a_character_in_what_is_cut_goes_on(listener: Listener) -> None:
    listener.answers = [ASKS]
    command = '{"tool_input": {"command": "rm -rf src # ' + "\\ud83d" + '", "pad": "' + "x" * 60_000 + '"}}'
    listener.run(command.encode())
    passed = base64.b64decode(str(body_of(listener.heard[0])["given"]))
    assert b"rm -rf src # \xed\xa0\xbd" in passed


def test_it_is_known_that_nobody_sits_before_the_agent(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
    listener.answers = [ASKS]
    listener.run()
    assert body_of(listener.heard[0])["unattended"] is True


@pytest.mark.parametrize(
    ("project", "told"), [(b'/srv/a \xff"b', b'/srv/a \xff"b'), (b"/" * 4_096, b"/" * 4_096), (b"/" * 4_097, b"")]
)
def test_where_the_session_began_is_told_and_signed(listener: Listener, project: bytes, told: bytes) -> None:
    environment = {**os.environb, b"CLAUDE_PROJECT_DIR": project}
    listener.answers = [ASKS, ASKS]
    words = [*BY_PATH, str(listener.home)]
    given = b'{"a": "%s"}' % (b"x" * (hook_client.PASSED_BYTES_MAX - len('{"a": ""}')))
    done = subprocess.run(words, input=given, capture_output=True, check=False, timeout=60, env=environment)
    assert (done.returncode, done.stdout) == (0, b'{"a":1}')
    body = listener.heard[0].partition(b"\r\n\r\n")[2]
    assert msgspec.json.decode(body, type=HookRequest).project == told
    assert len(body) <= BODY_BYTES_MAX
    assert len(body) > hook_client.PASSED_BYTES_MAX


def test_an_answer_for_another_project_is_not_believed(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/srv/shop")
    signed = listener.signed

    def for_another(answer: bytes) -> bytes:
        listener.heard[-1] = listener.heard[-1].replace(base64.b64encode(b"/srv/shop"), base64.b64encode(b"/srv/lib."))
        return signed(answer)

    listener.signed = for_another  # type: ignore[method-assign]  # what stands between the two
    listener.answers = [ASKS, ASKS]
    assert b"could not prove" in refused(listener)


def test_it_imports_next_to_nothing() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(hook_program.CLIENT.parent)!r}); import hook_client; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_every_agent_that_can_be_connected_has_its_program(tmp_path: Path) -> None:
    for which in CONNECTIONS.values():
        connecting.keep_program(tmp_path, which)
        program = connecting.program_of(tmp_path, which)
        assert program.stat().st_mode & 0o777 == connecting.PROGRAM_MODE
        assert hook_program.is_as_written(program, tmp_path, which)
        done = subprocess.run([program], input=GIVEN, capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
