"""Who counts as the person once an agent is connected: each way in which its shell could pass for them, for real.

The hub is one that a person started, the terminals are pseudo-terminals with an interactive shell, and the agent is a
program called `claude` whose hook has spoken to the hub. Where a way needs a daemon that is not everywhere (at, cron,
sshd, a user's service manager), a process of the same name in the same place of the tree stands for it.
"""

import contextlib
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.cli import letting_in
from hub.cli.api import RefusedError, open_api
from hub.contract.access import ActionRequest, TerminalList
from hub.contract.api import Prediction
from hub.contract.events import PredictionNew
from hub.contract.permission import Act, PermissionRequest
from hub.contract.words import Verb
from hub.io.home.folder import Home
from hub.kit.announcing import announce
from hub.kit.permissions import effects_line
from hub.kit.phrase_files import phrases
from hub.where import Grant, mint
from tests.hostile.person_stand import ASK, Stand, asked, connected_to, let_in
from tests.terminals import PULSE, SHELL, Terminal, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with connected_to(tmp_path_factory.mktemp("proof")) as stand:
        yield stand


@pytest.fixture
def stand(connected: Stand) -> Iterator[Stand]:
    yield connected
    assert connected.status_of_card() == "pending"


APART = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc")
"""Root in namespaces of its own, with a /proc in which its first process is the init that orphans fall to."""
TRIES = 10
DOUBLE_FORK = """
import os, sys
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.execv(sys.argv[1], sys.argv[1:])
"""
SESSION_MANAGER = """
import ctypes, pty, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
print("SHELL", "BELOW", flush=True)
pty.spawn([sys.argv[1], "--norc", "--noprofile", "+o", "histexpand", "-i"])
"""
"""What a terminal's shell runs below, and what orphans fall to (PR_SET_CHILD_SUBREAPER)."""
OWN_SHELL = """
import os, sys
pid, master = os.forkpty()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "--norc", "--noprofile", "-i"])
os.write(master, (sys.argv[2] + "\\n").encode())
while True:
    try:
        if not os.read(master, 4096): break
    except OSError: break
"""
"""A pseudo-terminal of the agent's own, with an interactive shell in it at which a command is typed."""


def in_own_shell(script: str) -> str:
    return shlex.join((sys.executable, "-ISc", OWN_SHELL, SHELL, f"{script}; exit"))


def daemon_called(folder: Path, name: str, script: str) -> str:
    """Return how to leave a process of this name behind, as a child of init, that runs a script."""
    program = folder / name
    if not program.exists():
        shutil.copy(os.path.realpath(SHELL), program)
    return shlex.join((sys.executable, "-ISc", DOUBLE_FORK, str(program), "-c", f"{script}; true"))


def ways(stand: Stand) -> dict[str, str]:
    """Return each way by its name, as a script of the agent's shell."""
    attack, folder = stand.attack, stand.agent.parent
    after = f"sleep .3; exec {attack}"
    typed = f"sleep .3; {attack}"
    return {
        "itself": attack,
        "in the background": f"( {after} ) &",
        "setsid": f"setsid -f {SHELL} -c {shlex.quote(after)}",
        "a double fork": shlex.join((sys.executable, "-ISc", DOUBLE_FORK, SHELL, "-c", after)),
        "no environment": f"setsid -f env -i {SHELL} -c {shlex.quote(after)}",
        "script": f"setsid -f script -qec {shlex.quote(after)} /dev/null",
        "script with a shell": f"printf '%s\\nexit\\n' {shlex.quote(typed)} | setsid -f script -q /dev/null >/dev/null",
        "a terminal of its own": f"setsid -f {in_own_shell(typed)}",
        "tmux": f"env -u TMUX tmux -L {stand.card} -f /dev/null new -d {shlex.quote(after)}",
        "keys sent to a tmux of its own": (
            f"env -u TMUX SHELL={SHELL} tmux -L keys{stand.card} -f /dev/null new -d; "
            f"tmux -L keys{stand.card} send-keys {shlex.quote(typed + '; exit')} Enter"
        ),
        "at": daemon_called(folder, "atd", attack),
        "cron": daemon_called(folder, "cron", attack),
        "a user's service": daemon_called(folder, "systemd", attack),
        "ssh to this machine": daemon_called(folder, "sshd", in_own_shell(attack)),
        "root in a user namespace": shlex.join((*APART, SHELL, "-c", f"{attack}; true")),
        "an orphan in a namespace": f"setsid -f {shlex.join((*APART, SHELL, '-c', after))}",
        "a shell in a namespace": f"setsid -f {shlex.join(APART)} {in_own_shell(typed)}",
    }


WAYS = (
    "itself",
    "in the background",
    "setsid",
    "a double fork",
    "no environment",
    "script",
    "script with a shell",
    "a terminal of its own",
    "tmux",
    "keys sent to a tmux of its own",
    "at",
    "cron",
    "a user's service",
    "ssh to this machine",
)
IN_NAMESPACES = ("root in a user namespace", "an orphan in a namespace", "a shell in a namespace")


@pytest.mark.parametrize("way", WAYS)
def test_an_agents_shell_does_not_pass_for_the_person(stand: Stand, way: str) -> None:
    stand.as_agent(ways(stand)[way])
    stand.require_refused()


@pytest.mark.skipif(
    subprocess.run([*APART, "true"], capture_output=True, check=False).returncode != 0,
    reason="this machine lets nobody make namespaces",
)
@pytest.mark.parametrize("way", IN_NAMESPACES)
def test_nor_from_namespaces_of_its_own(stand: Stand, way: str) -> None:
    stand.as_agent(ways(stand)[way])
    stand.require_refused()


@pytest.mark.parametrize("way", ["in the background", "setsid", "no environment", "a terminal of its own"])
def test_nor_from_the_persons_own_terminal(stand: Stand, way: str) -> None:
    stand.as_agent(ways(stand)[way], inside=stand.mine)
    stand.require_refused()


CLONE_PARENT = """
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None)
ours = os.getpid()
def child(): return libc.syscall(56, 0x8000 | 17, 0, 0, 0, 0) == 0
if child():
    if sys.argv[1] != "at once":
        while True:
            try: os.kill(ours, 0)
            except ProcessLookupError: break
            time.sleep(.01)
        time.sleep(.2)
    for _ in range(20 if sys.argv[1] == "long after" else 0):
        if not child(): os._exit(0)
        time.sleep(.02)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.setpgid(0, 0)
    os.tcsetpgrp(os.open("/dev/tty", os.O_RDWR), os.getpid())
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Become a child of one's parent, at once, once one is gone, or as the last of a row; and take the foreground."""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="a system call is made by its number")
@pytest.mark.parametrize("when", ["at once", "after", "long after"])
def test_nor_as_a_child_of_the_persons_shell(stand: Stand, when: str) -> None:
    """An agent can give its parent a child, and that child the foreground: also once it has ended itself."""
    with terminal(stand.hub.environment) as other:
        let_in(stand, other)
        program = (sys.executable, "-ISc", CLONE_PARENT)
        script = shlex.join((*program, when, *shlex.split(stand.attack)))
        # exec: the agent itself, the child of the person's shell, is what calls
        stand.as_agent(f"exec {script}", inside=other)
        stand.require_refused()


def test_nor_by_becoming_the_command(stand: Stand) -> None:
    stand.as_agent(f"exec {stand.attack}", inside=stand.mine)
    stand.require_refused()


def test_while_an_agent_runs_in_a_terminal_nothing_from_there_counts(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        let_in(stand, other)
        hook = shlex.join((sys.executable, "-ISc", ASK, stand.socket))
        other.type(f"{shlex.quote(str(stand.agent))} -c {shlex.quote(f'{hook}; read line')}\n")
        other.until("200\n")
        other.type("\x1a")  # Ctrl-Z: it is put aside, and the shell asks again
        other.until("Stopped")
        other.run(stand.attack)
        outcome = stand.outcome()
        assert {code for *_, code in outcome} == {"agent-in-this-terminal"}
        other.run("kill -9 %1; wait")
        other.run(f"{PULSE} pause")  # it may have begun before Pulse heard of the end
        until_it_counts(other)


def until_it_counts(there: Terminal) -> None:
    """Go on after a pause as soon as what is typed at a terminal counts again."""
    assert any(there.run(f"{PULSE} resume")[1] == 0 for _ in range(TRIES))


@pytest.mark.parametrize("way", ["{} &", "( {}; true )", "sh -c '{}; true'", "bash -c '{}; true'", "exec bash\n{}"])
def test_what_the_persons_own_shell_does_not_run_at_its_prompt_does_not_count(stand: Stand, way: str) -> None:
    with terminal(stand.hub.environment) as other:
        let_in(stand, other)
        other.type(way.format(stand.attack) + "\n")
        stand.require_refused()


def test_a_word_that_was_read_from_the_keyboard_is_good_nowhere_else(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other, terminal(stand.hub.environment) as thiefs:
        titles = []
        for one in (other, thiefs):
            one.type(f"{PULSE} devices let-in\n")
            titles.append(one.until(r"this terminal \((.+)\) has")[1])
            one.until("Word: ")
        assert open_api(stand.hub.home).get("/terminals", TerminalList).asking == ()
        thiefs.type(f"{stand.page.word(titles[0])}\n")
        thiefs.until("another terminal")
        for _ in range(letting_in.TRIES - 1):  # not by Ctrl-C, which Python can miss just before it reads
            thiefs.until("Word: ")
            thiefs.type("wrong\n")
        thiefs.until(r"\$ ")
        thiefs.run(stand.attack)
        stand.require_refused()


def test_a_terminal_asks_only_while_it_waits_for_its_word(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        other.type(f"{PULSE} devices let-in\n")
        title = other.until(r"this terminal \((.+)\) has")[1]
        for _ in range(letting_in.TRIES):  # not by Ctrl-C, which Python can miss just before it reads
            other.until("Word: ")
            assert title in stand.page.asking()
            other.type("wrong\n")
        other.until(r"\$ ")
        other.run("true")
        assert title not in stand.page.asking()
        let_in(stand, other)
        assert title not in stand.page.asking()


def test_a_terminal_that_counts_lets_another_in_without_a_word(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        other.type(f"{PULSE} devices let-in\n")
        name = other.until(r" devices let-in (\S+)\s+\(")[1]
        other.until("Word: ")
        assert stand.hub.pulse("devices", "let-in", name).returncode != 0
        said, ended = stand.mine.run(f"{PULSE} devices let-in {name}")
        assert ended == 0, said
        other.type("\n")
        other.until("let in")
        other.run("true")
        assert other.run(f"{PULSE} resume")[1] == 0


def test_another_terminal_is_not_let_in_by_the_first(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        other.run(stand.attack)
        stand.require_refused()


def test_each_later_connect_takes_the_word(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        other.type(f"{PULSE} connect gemini --yes\n")
        other.until("Word: ")
        for _ in range(3):
            other.type("AAAAA-AAAAA\n")
        other.until("bad-code")
        assert other.run(f"{PULSE} connect gemini --yes </dev/null")[1] != 0
    assert stand.hub.pulse("connect", "gemini", "--yes").returncode != 0
    assert not (stand.hub.home.parent / "person" / ".gemini").exists()
    said, ended = stand.mine.run(f"{PULSE} connect gemini --yes")
    assert ended == 0, said


@pytest.mark.parametrize(
    "command", ["connect claude-code --remove --yes", "connect codex --remove --yes", "uninstall --yes"]
)
def test_disconnecting_an_agent_takes_the_word_too(stand: Stand, command: str) -> None:
    settings = stand.hub.home.parent / "person" / ".claude" / "settings.json"
    before = settings.read_text()
    said = stand.hub.pulse(*command.split())
    assert (said.returncode != 0, "[not-at-a-terminal]" in said.stderr) == (True, True), said
    assert settings.read_text() == before
    with terminal(stand.hub.environment) as other:
        other.type(f"{PULSE} {command}\n")
        other.until("Word: ")
        other.type("\x03")
    assert settings.read_text() == before


@pytest.mark.parametrize("command", ["connect claude-code --yes", "connect claude-code --remove --yes"])
def test_naming_another_folder_disconnects_no_agent(stand: Stand, tmp_path: Path, command: str) -> None:
    settings = stand.hub.home.parent / "person" / ".claude" / "settings.json"
    before = settings.read_text()
    words = ("setsid", "--wait", *PULSE.split(), *command.split())
    environment = {**stand.hub.environment, "PULSE_HOME": str(tmp_path / "other")}
    said = subprocess.run(
        words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )
    assert (said.returncode != 0, "[not-at-a-terminal]" in said.stderr) == (True, True), said
    assert settings.read_text() == before


def test_at_a_terminal_that_counts_an_agent_is_disconnected(stand: Stand) -> None:
    for command in ("connect claude-code --remove --yes", "connect claude-code --yes"):
        said, ended = stand.mine.run(f"{PULSE} {command}")
        assert ended == 0, said


def test_the_commands_themselves_say_why(stand: Stand) -> None:
    said = stand.hub.pulse("approve", stand.card)
    assert said.returncode != 0
    assert "[not-at-a-terminal]" in said.stderr
    assert stand.hub.pulse("resume", "--emergency").returncode != 0


def test_what_tightens_stays_open_to_everybody(stand: Stand) -> None:
    assert stand.hub.pulse("pause").returncode == 0
    said, ended = stand.mine.run(f"{PULSE} resume")
    assert ended == 0, said
    card = asked(stand.hub, "Another?")
    assert stand.hub.pulse("reject", card).returncode == 0


def test_the_first_terminal_answers_and_lifts_the_stop(stand: Stand) -> None:
    card = asked(stand.hub, "Really?")
    assert stand.mine.run(f"{PULSE} cards")[1] == 0  # a yes is for what this terminal was shown
    said, ended = stand.mine.run(f"{PULSE} approve {card}")
    assert ended == 0, said
    assert stand.hub.pulse("kill").returncode == 0
    assert stand.hub.pulse("resume", "--emergency").returncode != 0
    said, ended = stand.mine.run(f"{PULSE} resume --emergency")
    assert ended == 0, said


def test_a_terminal_is_shown_and_can_be_shut_out(stand: Stand) -> None:
    with terminal(stand.hub.environment) as other:
        let_in(stand, other)
        said, _ = other.run(f"{PULSE} devices")
        line = next(one for one in said.splitlines() if "this one" in one)
        assert other.run(f"{PULSE} devices shut-out {line.split()[0]}")[1] == 0
        other.run(stand.attack)
        stand.require_refused()


def test_what_is_taken_out_of_the_home_changes_nothing_while_the_hub_runs(stand: Stand) -> None:
    home = Home(stand.hub.home)
    home.agents_connected.unlink()
    (home.folder / "hooks").rename(home.folder / "elsewhere")
    stand.as_agent(ways(stand)["setsid"])
    stand.require_refused()


def test_a_hook_that_an_orphan_says_locks_no_terminal_of_the_persons_out(stand: Stand) -> None:
    """It falls to what the person's terminals run below, as to a user's service manager on a desktop."""
    hook = shlex.join((sys.executable, "-ISc", ASK, stand.socket))
    with terminal(stand.hub.environment) as other:
        other.type(f"exec {shlex.join((sys.executable, '-ISc', SESSION_MANAGER, SHELL))}\n")
        other.until(r"SHELL BELOW[\s\S]*\$ ")
        let_in(stand, other)
        orphan = f"setsid -f sh -c {shlex.quote(f'sleep .4; {hook} > {stand.out}; true')}"
        stand.as_agent(orphan, inside=other)
        assert os.read(stand.reader, 100).strip() == b"200"
        said, ended = other.run(f"{PULSE} resume")
        assert ended == 0, said


def test_the_hubs_key_answers_for_no_device(stand: Stand) -> None:
    """Whoever reads the key can sign an action; it counts only beside a device's own login."""
    shown = open_api(stand.hub.home).get(f"/predictions/{stand.card}", Prediction)
    grant = Grant(
        card_id=stand.card,
        card_hash=shown.card_hash,
        surface="phone",
        device="mine",
        verbs=(Verb.APPROVE,),
        expires_at=datetime.now(UTC) + timedelta(hours=1),
    )
    token = mint(Home(stand.hub.home).secret("hub.key"), grant)
    body = ActionRequest(token=token, decision_id="k1", verb=Verb.APPROVE)
    with pytest.raises(RefusedError) as refused:
        open_api(stand.hub.home).call("POST", "/actions", body)
    assert refused.value.problem.code == "not-this-device"


@pytest.mark.parametrize("risk", ["medium", "high"])
def test_a_push_that_says_other_words_gets_no_yes_from_the_browser(stand: Stand, risk: str) -> None:
    """Whoever reads the keys of $PULSE_HOME can send a browser a notification; its words are not the card's."""
    hub = stand.hub
    text = {"medium": "git push origin HEAD:b2", "high": "rm -rf /home/me/xy"}[risk]
    ask = PermissionRequest(agent="claude-code", tool="Bash", act=Act.COMMAND, text=text, timeout_s=3_600)
    card = json.loads(open_api(hub.home).call("POST", "/permissions", ask))["prediction"]
    assert card["risk"] == risk
    with contextlib.closing(sqlite3.connect(f"file:{Home(hub.home).database}?mode=ro", uri=True)) as store:
        rows = [json.loads(body) for *_, body in store.execute("SELECT * FROM devices").fetchall()]
    (mine,) = [row for row in rows if row["profile"] == "browser"]
    grant = Grant(
        card_id=card["id"],
        card_hash=card["cardHash"],
        surface="browser",
        device=stand.page.device,
        verbs=(Verb.APPROVE,),
        expires_at=datetime.now(UTC) + timedelta(hours=1),
        pairing=mine["pairing"],
    )
    said = {"token": mint(Home(hub.home).secret("hub.key"), grant), "decisionId": "k1", "verb": "approve"}
    for shown in ({}, {"shown": "ls -l"}, {"shown": f"ls -l\n{text}"}, {"shown": text[:-1]}):
        refused = stand.page.post("/actions", {**said, **shown})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-shown")
    found = announce(PredictionNew(prediction=open_api(hub.home).get(f"/predictions/{card['id']}", Prediction)))
    assert found is not None
    assert found.prompt == text
    whole = "\n".join(filter(None, (text, effects_line(found.card, phrases()))))
    taken = stand.page.post("/actions", {**said, "shown": whole})
    assert (taken.status_code == 200) == (risk == "medium"), taken.text
