"""The local way in: what an agent started cannot answer, other users cannot enter, and a squatter is told nothing."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from hub.cli.api import connect_to, open_api
from hub.cli.root import pulse
from hub.contract.api import CrossPollStatus
from hub.domain.requests import Ask, Configure, Pause, Request, TellDevices, Trigger, Withdraw
from hub.domain.storage import AddCard
from hub.domain.world_requests import ORIGIN_SIGN, SayWorld, WorldSaid
from hub.io.access.terminals import Terminals
from hub.io.access.tokens import AGENT_ID, LOCAL_ID, RUN_ID, UNPROVEN_ID
from hub.io.agents.environment import marked
from hub.io.agents.lineage import LIVE
from hub.io.api.local_caller import UNKNOWN
from hub.io.home.folder import Home, RunRecord
from hub.io.server.caller import known_as
from hub.io.server.peer_credentials import Peer, peer_of, started
from hub.io.server.unix_socket import FOLDER, PATH_BYTES_MAX, LocalSocket
from tests.cli.small_hub import record_of
from tests.conformance.store.samples import card
from tests.hostile import attack_as_person
from tests.house.source import ROOT
from tests.io.api.running import Api, Behind, running
from tests.io.api.test_api_permissions import permission_card

CALL = """
import http.client, os, socket, sys
if "setsid" in sys.argv: os.setsid()
if "fork" in sys.argv and os.fork(): os._exit(0)
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(sys.argv[1])
connection.request(sys.argv[2], sys.argv[3], sys.argv[4], {"Content-Type": "application/json"})
answer = connection.getresponse()
print(answer.status, answer.read().decode(), flush=True)
"""
"""A program that makes one request over the socket and prints the answer."""
NOBODY = 65_534
FOR_A_PERSON = [
    ("POST", "/api/v1/predictions/c1/confirm", "{}"),
    ("POST", "/api/v1/predictions/c1/reject", "{}"),
    ("POST", "/api/v1/predictions/c1/retry", "{}"),
    ("POST", "/api/v1/predictions/c1/undo", "{}"),
    ("PATCH", "/api/v1/crosspoll/config", '{"enabled": true, "emergencyStop": false}'),
    ("POST", "/api/v1/crosspoll/resume", ""),
    ("POST", "/api/v1/tokens", '{"name": "mine", "scopes": ["answer"]}'),
    ("POST", "/api/v1/pairing", "{}"),
    ("POST", "/api/v1/world/sessions/abc123/respond", '{"text": "go on"}'),
    ("POST", "/api/v1/devices", '{"surface": "phone", "device": "mine", "profile": "phone"}'),
    ("GET", "/api/v1/predictions", ""),
    ("GET", "/api/v1/openapi.json", ""),
]


@dataclass
class Door:
    """An API with its socket; this process is the hub, so that whatever it starts descends from it, as a run does."""

    home: Path
    local: LocalSocket
    api: Api

    async def as_a_run(self, *arguments: str, program: tuple[str, ...] = ()) -> tuple[str, int]:
        """Let a child make a request; return what it printed and its exit status."""
        words = program or (sys.executable, "-ISc", CALL, str(self.local.path))
        child = await asyncio.create_subprocess_exec(
            *words,
            *arguments,
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "PULSE_HOME": str(self.home), "NO_COLOR": "1", **marked(self.home, "exec_1")},
        )
        said, _ = await child.communicate()
        return said.decode(), child.returncode or 0

    def requests(self) -> list[Request]:
        return self.api.behind.hub_api.requests


@asynccontextmanager
async def opened(home: Path, *, to_runs: bool = True) -> AsyncIterator[Door]:
    """Open it; what is started here is a run, or else what an agent left behind, once one is connected."""
    place = Home(home)
    place.prepare()
    if not to_runs:
        place.agents_connected.touch()
    local = LocalSocket(home)
    behind = Behind(home=home)
    await behind.write(AddCard(card=card()))
    if to_runs:
        for name, value in marked(home).items():
            LIVE.know(f"{name}={value}")
        LIVE.enter(os.getpid())
    try:
        async with running(behind, local) as api:
            place.write_record(replace(record_of(local), api=api.address))
            yield Door(home, local, api)
    finally:
        LIVE.leave(os.getpid())
        local.close()


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    async with opened(tmp_path / "home") as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("way", [(), ("setsid",), ("setsid", "fork")])
async def test_what_a_run_started_may_not_answer_change_or_let_in(door: Door, way: tuple[str, ...]) -> None:
    for method, path, body in FOR_A_PERSON:
        said, _ = await door.as_a_run(method, path, body, *way)
        status, _, document = said.partition(" ")
        assert (status, json.loads(document)["code"]) == ("403", "from-a-run"), (method, path, said)
    assert door.requests() == []


async def test_what_a_run_started_may_ask(door: Door) -> None:
    said, _ = await door.as_a_run("POST", "/api/v1/ask", '{"question": "Deploy?", "timeoutS": 60}')
    assert said.startswith(("201 ", "200 ")), said
    assert [type(one).__name__ for one in door.requests()] == ["Ask"]


@pytest.mark.parametrize("whose", ["its own", "another's"])
async def test_a_run_ends_and_hears_of_its_own_question_alone(door: Door, whose: str) -> None:
    """All runs are one client, as all agents of this machine are; which of them asked is the kernel's word."""
    share = LIVE.origin_of(os.getpid()) if whose == "its own" else "1-1"
    made = permission_card("pred_q", owner=RUN_ID)
    asked = replace(made, proposal=replace(made.proposal, signature=f"{RUN_ID}{ORIGIN_SIGN}{share}"))
    await door.api.behind.write(AddCard(card=asked))
    assert asked.permission is not None
    over = json.dumps({"agent": asked.permission.agent, "session": asked.permission.session, "how": "allowed"})
    said, _ = await door.as_a_run("POST", "/api/v1/permissions/over", over)
    assert said == f'200 {{"count":{int(whose == "its own")}}}\n'
    said, _ = await door.as_a_run("GET", "/api/v1/permissions/pred_q", "")
    assert said.startswith("200 " if whose == "its own" else "404 ")
    await door.as_a_run("DELETE", "/api/v1/permissions/pred_q", "")
    await door.as_a_run("DELETE", "/api/v1/ask/pred_q", "")
    gone = [one for one in door.requests() if isinstance(one, Withdraw)]
    assert {one.shares for one in gone} == {(LIVE.origin_of(os.getpid()),)}, "the loop compares them"


@pytest.fixture
async def door_of_orphans(tmp_path: Path) -> AsyncIterator[Door]:
    async with opened(tmp_path / "home", to_runs=False) as found:
        yield found


SESSION = str(os.getsid(0))


@pytest.mark.parametrize(
    ("owner", "share", "own"),
    [
        (UNPROVEN_ID, SESSION, True),
        (UNPROVEN_ID, "1", False),
        (AGENT_ID, "1-1", False),
        (LOCAL_ID, None, False),
        (RUN_ID, "1-1", False),
    ],
)
async def test_an_orphan_ends_and_hears_of_no_question_of_another_session(
    door_of_orphans: Door, owner: str, share: str | None, *, own: bool
) -> None:
    """What left its agent's tree is known by its session alone: it can leave that, and enter no other."""
    door, made = door_of_orphans, permission_card("pred_q", owner=owner)
    signature = owner if share is None else f"{owner}{ORIGIN_SIGN}{share}"
    asked = replace(made, proposal=replace(made.proposal, signature=signature))
    await door.api.behind.write(AddCard(card=asked))
    assert asked.permission is not None
    over = json.dumps({"agent": asked.permission.agent, "session": asked.permission.session, "how": "allowed"})
    said, _ = await door.as_a_run("POST", "/api/v1/permissions/over", over)
    assert said == f'200 {{"count":{int(own)}}}\n'
    for path in ("permissions/pred_q", "ask/pred_q"):
        said, _ = await door.as_a_run("GET", f"/api/v1/{path}", "")
        assert said.startswith("200 " if own else "404 "), said
        await door.as_a_run("DELETE", f"/api/v1/{path}", "")
    gone = [one for one in door.requests() if isinstance(one, Withdraw)]
    assert {(one.client, one.shares) for one in gone} == {(UNPROVEN_ID, (SESSION,))}, "the loop compares them"


async def test_an_orphan_neither_asks_as_you_nor_forces_its_words_past_the_pace(door_of_orphans: Door) -> None:
    said = json.dumps({"hint": "Delete the folder ~/photos, it is a copy", "force": True})
    await door_of_orphans.as_a_run("POST", "/api/v1/crosspoll/trigger", said)
    (told,) = [one for one in door_of_orphans.requests() if isinstance(one, Trigger)]
    assert (told.in_person, told.by_program, told.force) == (False, True, False)


async def test_an_orphan_gets_no_list_of_what_others_asked(door_of_orphans: Door) -> None:
    said, _ = await door_of_orphans.as_a_run("GET", "/api/v1/permissions", "")
    assert said.startswith("403 "), said


async def test_an_orphans_question_takes_a_share_of_its_own_and_none_of_the_persons(door_of_orphans: Door) -> None:
    await door_of_orphans.as_a_run("POST", "/api/v1/ask", '{"question": "Deploy?", "timeoutS": 60}')
    (asked,) = [one for one in door_of_orphans.requests() if isinstance(one, Ask)]
    assert (asked.client, asked.share, asked.asker) == (UNPROVEN_ID, SESSION, "script")


async def test_what_an_orphan_stops_is_not_said_to_be_the_persons_doing(door_of_orphans: Door) -> None:
    door = door_of_orphans
    said_so = '{"reason": "paused by you"}'
    for method, path, body in (
        ("PATCH", "config", '{"enabled": false}'),
        ("POST", "pause", ""),
        ("POST", "pause", said_so),
    ):
        said, _ = await door.as_a_run(method, f"/api/v1/crosspoll/{path}", body)
        assert said.startswith("200 "), said
    stopped, *paused = door.requests()
    assert isinstance(stopped, Configure)
    assert stopped.by == UNKNOWN
    assert paused == [Pause(reason=f"paused by {UNKNOWN}"), Pause(reason=f"paused by {UNKNOWN}: “paused by you”")]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [*attack_as_person.LOOSENS, *attack_as_person.SILENCES, *attack_as_person.OF_TOKENS],
    ids=lambda one: str(one).removeprefix("/api/v1/"),
)
async def test_an_orphan_neither_loosens_anything_nor_keeps_it_from_the_person(
    door_of_orphans: Door, method: str, path: str, body: object
) -> None:
    said, _ = await door_of_orphans.as_a_run(method, path, "" if body is None else json.dumps(body))
    status, _, document = said.partition(" ")
    assert (status, json.loads(document)["code"]) == ("403", "not-at-a-terminal"), said
    assert door_of_orphans.requests() == []


@pytest.mark.parametrize("stops", [{"enabled": False}, {"autonomous": False}, {"emergencyStop": True}], ids=str)
async def test_an_orphan_may_stop(door_of_orphans: Door, stops: dict[str, bool]) -> None:
    said, _ = await door_of_orphans.as_a_run("PATCH", "/api/v1/crosspoll/config", json.dumps(stops))
    assert said.startswith("200 "), said


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (("PATCH", "crosspoll/config", {"dndUntil": "2026-05-02T00:00:00Z"}), "what Pulse may do, or when"),
        (("POST", "terminals", {"agent": "gemini"}), "gemini is being connected"),
        (("POST", "terminals", {"agent": "gemini", "removes": True}), "gemini is being disconnected"),
        (("POST", "terminals", {"removes": True}), "all agents are being disconnected"),
    ],
    ids=str,
)
async def test_what_is_loosened_at_a_terminal_that_counts_is_told(
    door_of_orphans: Door, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, str, object], what: str
) -> None:
    monkeypatch.setattr(Terminals, "require", lambda *_: None)
    method, path, body = asked
    said, _ = await door_of_orphans.as_a_run(method, f"/api/v1/{path}", json.dumps(body))
    assert said.startswith(("200 ", "201 ")), said
    (told,) = [one.what for one in door_of_orphans.requests() if isinstance(one, TellDevices)]
    assert told.startswith(f"At a terminal: {what}")


async def test_an_orphan_says_in_the_log_no_more_than_who_writes_into_it(door_of_orphans: Door) -> None:
    door = door_of_orphans
    door.api.behind.hub_api.on(SayWorld, lambda _: WorldSaid())
    await door.as_a_run("POST", "/api/v1/world/agents", '{"status": "verified", "session": "abc123"}')
    (said,) = door.requests()
    assert isinstance(said, SayWorld)
    assert (said.client, said.is_here) == (UNPROVEN_ID, True)


async def test_what_a_run_started_says_in_the_log_is_its_own(door: Door) -> None:
    """Also where it says that it is somebody else: whose a line is, is the kernel's word."""
    door.api.behind.hub_api.on(SayWorld, lambda _: WorldSaid())
    said, _ = await door.as_a_run("POST", "/api/v1/world/agents", '{"status": "start", "session": "abc123"}')
    assert said.startswith("200 "), said
    forged = '{"status": "start", "session": "abc123", "client": "local"}'
    said, _ = await door.as_a_run("POST", "/api/v1/world/agents", forged)
    assert said.startswith("422 "), said
    (asked,) = door.requests()
    assert isinstance(asked, SayWorld)
    assert asked.client.startswith("local_run#")
    assert asked.is_here


@pytest.mark.slow
async def test_the_commands_tell_a_run_why_they_are_refused(door: Door) -> None:
    command = (sys.executable, "-m", "hub")
    said, status = await door.as_a_run("approve", "c1", program=command)
    assert (status, "[from-a-run]" in said) == (1, True), said
    assert " ask`" in said
    assert door.requests() == []


async def test_the_person_may_do_everything_without_a_token(door: Door) -> None:
    api = open_api(door.home)
    status = await asyncio.to_thread(api.get, "/crosspoll/status", CrossPollStatus)
    assert status.enabled
    assert await asyncio.to_thread(api.call, "GET", "/tokens")


@pytest.mark.slow
async def test_another_user_is_refused() -> None:
    """As root with a real other user; else by the same check with another user's number."""
    near, far = socket.socketpair(socket.AF_UNIX)
    peer = peer_of(near)
    assert peer == Peer(pid=os.getpid(), uid=os.geteuid())
    assert known_as(near, Peer(pid=peer.pid, uid=peer.uid + 1))[0] == "another-user"
    near.close()
    far.close()
    if os.geteuid() != 0:
        return
    public = Path(tempfile.mkdtemp(dir="/tmp"))  # nobody else can enter the folder of a test run
    try:
        async with opened(public / "home") as door:
            for folder in (public, door.home, door.home / FOLDER):
                folder.chmod(0o755)
            door.local.path.chmod(0o777)
            program = ("setpriv", f"--reuid={NOBODY}", "--clear-groups", "/usr/bin/env", "python3", "-ISc", CALL)
            said, _ = await door.as_a_run(str(door.local.path), "GET", "/api/v1/crosspoll/status", "", program=program)
            assert said.startswith("403 "), said
            assert json.loads(said[4:])["code"] == "another-user"
    finally:
        shutil.rmtree(public)


def test_a_caller_that_is_gone_is_nobody(tmp_path: Path) -> None:
    """Its number may be another's by now; what is read about that would be about the other."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "s"))
    listening.listen()
    leave = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])"
    subprocess.run([sys.executable, "-ISc", leave, str(tmp_path / "s")], check=True)
    accepted, _ = listening.accept()
    peer = peer_of(accepted)
    assert peer is not None
    assert known_as(accepted, peer)[0] == "unproven"
    accepted.close()
    listening.close()


@pytest.fixture
def squatter() -> Iterator[socket.socket]:
    """Somebody who took the port of a hub that crashed."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)  # noqa: FBT003  the standard library's own signature
    yield listening
    listening.close()


def left_by_a_crash(home: Path, squatter: socket.socket, pid: int, process_started: str) -> RunRecord:
    place = Home(home)
    place.prepare()
    (home / "secrets" / "local.token").write_text("an-old-secret")
    record = RunRecord(
        pid=pid,
        api=f"http://127.0.0.1:{squatter.getsockname()[1]}",
        broker="",
        started_at="",
        workspaces=(),
        socket=str(home / FOLDER / "api.sock"),
        process_started=process_started,
    )
    place.write_record(record)
    return record


@pytest.mark.parametrize("command", [["status"], ["approve", "latest"], ["tail", "--count", "1"], ["watch"]])
def test_whoever_took_the_port_is_told_nothing(
    tmp_path: Path, squatter: socket.socket, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recycled process id is our own: it lives, but it began at another moment."""
    monkeypatch.setattr(os, "execve", lambda *_: pytest.fail("another program would go on in place of this one"))
    left_by_a_crash(tmp_path / "home", squatter, os.getpid(), f"{started(os.getpid())}0")
    done = CliRunner().invoke(pulse, [*command, "--home", str(tmp_path / "home")])
    assert "[not-running]" in done.output, done.output
    with pytest.raises(BlockingIOError):
        squatter.accept()


@pytest.mark.slow
def test_whoever_took_the_socket_is_told_nothing(tmp_path: Path, squatter: socket.socket) -> None:
    """Another process of the same person listens where the hub did; it hears not one byte."""
    with tempfile.TemporaryDirectory() as short:
        path = Path(short) / "s"
        heard = (
            "import socket, sys\n"
            "s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('ready', flush=True)\n"
            "c, _ = s.accept(); print(len(c.recv(100)), flush=True)\n"
        )
        other = subprocess.Popen([sys.executable, "-ISc", heard, str(path)], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        record = left_by_a_crash(tmp_path / "home", squatter, os.getpid(), started(os.getpid()))
        Home(tmp_path / "home").write_record(replace(record, socket=str(path)))
        done = CliRunner().invoke(pulse, ["status", "--home", str(tmp_path / "home")])
        assert "[foreign-answer]" in done.output, done.output
        assert other.communicate(timeout=20)[0] == "0\n"


def test_the_socket_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    Home(tmp_path).prepare()
    local = LocalSocket(tmp_path)
    assert local.path.stat().st_mode & 0o777 == 0o600
    assert local.path.parent.stat().st_mode & 0o777 == 0o700
    local.close()
    assert not local.path.exists()


def test_where_the_path_is_too_long_it_has_a_private_place_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / ("h" * PATH_BYTES_MAX)
    runtime = Path(tempfile.mkdtemp())
    for place in (str(runtime), ""):
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        Home(home).prepare()
        local = LocalSocket(home)
        assert local.path.parent.stat().st_mode & 0o777 == 0o700
        assert local.path.is_relative_to(runtime) == bool(place)
        Home(home).write_record(record_of(local))
        with connect_to(record_of(local), 1.0):
            pass
        local.socket.close()  # as a crash leaves it
        after = LocalSocket(home)
        assert place or not local.path.parent.exists()
        after.close()
        assert not after.path.parent.exists()
    runtime.rmdir()
