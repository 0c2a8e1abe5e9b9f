"""Once an agent is connected, nothing that lies in a file or is shown to programs lets anybody pass for the person."""

import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect, unix_connect

from hub.cli.api import RefusedError, open_api, read
from hub.contract.access import TokenAnswer, TokenRequest
from hub.contract.permission import Act, PermissionRequest
from hub.io.api.endpoint import API, never
from hub.io.api.endpoints import ENDPOINTS
from hub.io.api.rpc import METHODS
from hub.io.home.agents_connected import HOOKS
from hub.io.home.folder import Home
from tests.bench.hub_process import free_port
from tests.cli.real_hub import ENDED_WELL, environment_of, make_repository, running_hub
from tests.hostile import attack_as_person
from tests.hostile.person_stand import asked
from tests.io.store.written_over import write_over
from tests.late_hub import AHEAD
from tests.local_token import token_for
from tests.signed_in_page import SignedInPage, page_of
from tests.terminals import PULSE, SHELL, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]

LATER_S = 11 * 60
"""A confirmation lasts ten minutes."""
HEARD_S_MAX = 30
CODE_CHARS_MIN = 8
OF_A_CARD = ("confirm", "snooze", "edit", "undo", "retry", "fix", "ignore", "less", "never", "respond")
"""Each looks at the card and at who answers; see the trials here."""
INTO_THE_STORE = {
    "a token of its own": "INSERT INTO clients VALUES ('local', 'mine', '{}')",
    "a yes to its card": "UPDATE predictions SET status = 'confirmed'",
}


@pytest.mark.parametrize("what", INTO_THE_STORE)
def test_what_another_program_writes_into_the_store_is_not_believed(tmp_path: Path, what: str) -> None:
    with running_hub(tmp_path) as hub:
        card = asked(hub, "Deploy?")
        with contextlib.closing(sqlite3.connect(Home(hub.home).database)) as store:
            store.execute(INTO_THE_STORE[what])
            store.commit()
        with pytest.raises(RefusedError) as refused:
            asked(hub, "And this?")
        assert refused.value.problem.code == "store-changed"
        assert hub.pulse("approve", card).returncode != 0
        assert "Another program wrote" in hub.pulse("doctor").stdout


def test_a_session_written_over_while_pulse_ran_is_not_let_in_by_the_next_start(tmp_path: Path) -> None:
    """Sessions are read at the start alone, so nothing but a comparison ever sees the bytes again."""
    with running_hub(tmp_path) as hub:
        hub.sit_down()
        assert hub.page is not None
        mine = hashlib.sha256(hub.page.key.token.encode()).hexdigest()
        assert hub.pulse("connect", "claude-code", "--yes").returncode == 0
        assert write_over(hub.home, mine, hashlib.sha256(b"theirs").hexdigest())
        hub.get_up()
        assert hub.stop() == ENDED_WELL
        again = hub.pulse("up", "--json", "--port", "0", "--workspace", str(hub.repository))
        assert again.returncode != ENDED_WELL
        assert "store-changed" in again.stdout + again.stderr
        assert "pulse.db.changed" in again.stdout + again.stderr


def test_a_token_alone_answers_no_agent_and_loosens_nothing(tmp_path: Path) -> None:
    """One that was made before agents were connected, too: whoever could read it may be one of them."""
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        token = token_for(hub.home)
        api = json.loads(hub.said)["api"]
        ask = PermissionRequest(agent="claude-code", tool="Bash", act=Act.COMMAND, text="git push", timeout_s=3_600)
        with httpx.Client(base_url=api, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as http:
            assert http.post("/api/v1/crosspoll/resume").status_code == 200
            assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
            reply = open_api(hub.home).call("POST", "/permissions", ask)
            card = json.loads(reply)["prediction"]["id"]
            for method, address, body in attack_as_person.attempts(card):
                answer = http.request(method, address, json=body)
                is_of_tokens = (method, address, body) in attack_as_person.OF_TOKENS
                assert (answer.status_code == 403) != is_of_tokens, (address, answer.text)
            assert http.post(f"/api/v1/predictions/{card}/reject").status_code == 200


def test_a_token_approves_no_card_that_was_moved_out_of_sight(tmp_path: Path) -> None:
    """A check that finds no card lets nothing through: the loop still has it, and would run it."""
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        token, api = token_for(hub.home), json.loads(hub.said)["api"]
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        ask = PermissionRequest(agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf src", timeout_s=3_600)
        card = json.loads(open_api(hub.home).call("POST", "/permissions", ask))["prediction"]["id"]
        assert write_over(hub.home, f"{card}me", f"{card}xx")  # the columns by which a row is found
        assert mine.run(f"{PULSE} tasks add Other")[1] == 0  # a commit, so that SQLite reads the log again
        address, said = f"{api}/api/v1/predictions/{card}", {"Authorization": f"Bearer {token}"}
        answers = [httpx.post(f"{address}/{way}", headers=said, json={}) for way in ("confirm", "edit", "retry", "fix")]
        assert [one.is_success for one in answers] == [False] * 4
        assert "Another program wrote" in hub.pulse("doctor").stdout


def test_what_a_token_alone_may_do_beside_asking_is_a_known_list() -> None:
    """An endpoint that takes an answer is the person's, unless it stands here or only tightens."""
    answering = {
        f"{method} {endpoint.path.removeprefix(API)}"
        for endpoint in ENDPOINTS
        for method in endpoint.methods
        if method != "GET" and endpoint.scope == "answer" and not endpoint.of_person
        if endpoint.loosens is never and endpoint.open_to_all is never
    }
    of_a_card = {f"POST /predictions/{{id}}/{verb}" for verb in OF_A_CARD}
    assert answering == of_a_card | {
        "POST /world/sessions/{id}/respond",
        "POST /world/spawn",
        "POST /messages",
        "POST /receipts",
    }


def test_a_token_gives_no_yes_to_what_was_asked_from_beside_an_agent(tmp_path: Path) -> None:
    """What an agent left behind asks as this machine, not as an agent; that is no way round."""
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        token = token_for(hub.home)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        card = asked(hub, "Deploy?")
        api, said = json.loads(hub.said)["api"], {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{api}/api/v1/predictions/", headers=said, trust_env=False) as http:
            for way, body in (("confirm", {}), ("edit", {"prompt": "echo mine"})):
                answer = http.post(f"{card}/{way}", json=body)
                assert (answer.status_code, answer.json()["code"]) == (403, "token-is-no-person")
            (own,) = [one for one in http.get("../predictions").json()["predictions"] if one["source"] == "template"]
            assert http.post(f"{own['id']}/edit", json={"prompt": "echo mine"}).status_code == 403
            low_only = 200 if own["risk"] == "low" else 403
            assert http.post(f"{own['id']}/confirm", json={}).status_code == low_only


def test_a_connection_from_before_the_first_agent_is_the_persons_no_more(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        record = Home(hub.home).record()
        assert record is not None
        with unix_connect(record.socket, "ws://localhost/pulse") as kept:
            kept.recv()
            assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
            card = asked(hub, "Deploy?")
            call = {"jsonrpc": "2.0", "id": 1, "method": "pulse.predictions.confirm", "params": {"id": card}}
            kept.send(json.dumps(call))
            said = json.loads(kept.recv())
        assert said["error"]["data"]["code"] == "not-at-a-terminal"


def test_the_terminal_of_pulse_up_shows_the_word_and_no_file_has_it(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    make_repository(repository)
    environment = environment_of(tmp_path)
    with terminal(environment) as up, terminal(environment) as first, terminal(environment) as second:
        up.type(f"{PULSE} up --port 0 --workspace {repository}\n")
        up.until("Stop: Ctrl-C")
        assert "#pair=" in up.shown
        assert first.run(f"{PULSE} connect claude-code --yes")[1] == 0
        second.type(f"{PULSE} resume\n")
        second.until("Word: ")
        word = up.until(r"to let bash on pts/\d+ in, type there: (\S+)")[1]
        second.type(f"{word}\n")
        second.until("let in")
        second.run("true")
        assert second.run(f"{PULSE} resume")[1] == 0
        for file in Path(environment["PULSE_HOME"]).rglob("*"):
            if file.is_file():
                assert word.encode() not in file.read_bytes()
                assert word.replace("-", "").encode() not in file.read_bytes()
        up.type("\x03")
        up.until("stopping")
        up.run("true")
        # Started again, it lets nobody in by its own terminal as long as a page is there; else it shows the word.
        up.type(f"{PULSE} up --port 0 --workspace {repository}\n")
        up.until("Stop: Ctrl-C")
        first.type(f"{PULSE} resume\n")
        first.until("Word: ")
        up.until(r"type there: \S+")
        first.type("\x03")
        up.type("\x03")
        up.until("stopping")


def test_after_a_restart_a_page_alone_shows_the_word_and_the_terminal_confirms_the_page(tmp_path: Path) -> None:
    """Neither waits for the other, though the hub has forgotten its terminals and every confirmation."""
    with running_hub(tmp_path) as hub, terminal(hub.environment) as first, terminal(hub.environment) as second:
        page = page_of(hub.said)
        assert first.run(f"{PULSE} connect claude-code --yes")[1] == 0
        assert hub.stop() == ENDED_WELL
        hub.start()
        loosens: dict[str, object] = {"autonomous": True}
        assert page.patch("/crosspoll/config", loosens).json()["code"] == "confirm-again"
        second.type(f"{PULSE} resume\n")
        title = second.until(r"this terminal \((.+)\) has")[1]
        second.until("Word: ")
        word = page.word(title)
        first.type(f"{PULSE} resume\n")  # it is for the terminal that asked alone
        first.until("Word: ")
        first.type(f"{word}\n")
        first.until("another terminal")
        first.type("\x03")
        second.type(f"{page.word(title)}\n")
        second.until("let in")
        second.run("true")
        second.type(f"{PULSE} confirm\n")
        code = second.until(r"\b([A-Z2-7]{5}-[A-Z2-7]{5})\b")[1]
        assert page.post("/session/confirm", {"code": code}).is_success
        assert page.patch("/crosspoll/config", loosens).is_success
        page.close()


def test_what_is_taken_away_while_pulse_runs_loosens_nothing_at_the_next_start(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as first:
        assert first.run(f"{PULSE} connect claude-code --yes")[1] == 0
        Home(hub.home).agents_connected.unlink()
        shutil.rmtree(hub.home / HOOKS)
        assert hub.stop() == ENDED_WELL
        hub.start()
        assert hub.pulse("kill").returncode == 0
        refused = hub.pulse("resume", "--emergency")
        assert (refused.returncode, "[not-at-a-terminal]" in refused.stderr) == (1, True), refused


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")
def test_in_tmux_pulse_shows_nothing_that_lets_somebody_in(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    make_repository(repository)
    environment = {**environment_of(tmp_path), "PULSE_HOME": str(tmp_path / "home"), "SHELL": SHELL}
    tmux = ("tmux", "-L", f"up{os.getpid()}", "-f", "/dev/null")
    with terminal(environment) as pane:
        pane.type(f"exec {shlex.join(tmux)} new -x 200 -y 50 {SHELL} --norc -i\n")
        pane.until(r"\$ ")
        pane.type(f"{PULSE} up --port 0 --workspace {repository}\n")
        pane.until("Stop: Ctrl-C")
        link = re.search(r"(http://[0-9.:]+)/#pair=([A-Z2-7]{10})", pane.shown)
        assert link is not None
        with terminal(environment) as first, terminal(environment) as second:
            printed, status = first.run(f"{PULSE} connect claude-code --yes")
            assert status == 0
            assert "showed no longer works" in " ".join(printed.split())
            assert "in a terminal outside tmux" in " ".join(printed.split())
            with pytest.raises(httpx.HTTPStatusError):  # what the pane still shows lets nobody in any more
                SignedInPage(link[1], link[2])
            second.type(f"{PULSE} resume\n")
            second.until("other programs can read")
            second.until("Word: ")
            assert "type there" not in pane.shown
        with terminal(environment) as third:  # nothing is left that could show a word, and it says what helps
            third.type(f"{PULSE} resume\n")
            third.until("No page or phone is signed in")
            third.until("outside tmux")
        subprocess.run((*tmux, "kill-server"), check=False)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")
def test_in_tmux_a_page_and_a_terminal_lock_nobody_out_later_or_after_a_restart(tmp_path: Path) -> None:
    """The confirmation of signing in is over after ten minutes; a restart forgets the terminal, too."""
    repository, ahead, port = tmp_path / "repository", tmp_path / "ahead", free_port()
    make_repository(repository)
    ahead.write_text("0")
    environment = {**environment_of(tmp_path), "PULSE_HOME": str(tmp_path / "home"), "SHELL": SHELL, AHEAD: str(ahead)}
    tmux = ("tmux", "-L", f"later{os.getpid()}", "-f", "/dev/null")
    up = f"clear; {shlex.join((sys.executable, '-m', 'tests.late_hub'))} up --port {port} --workspace {repository}\n"
    loosens: dict[str, object] = {"autonomous": True}
    with terminal(environment) as pane, terminal(environment) as mine:
        pane.type(f"exec {shlex.join(tmux)} new -x 200 -y 50 {SHELL} --norc -i\n")
        pane.until(r"\$ ")
        pane.type(up)
        link = pane.until(r"(http://[0-9.:]+)/#pair=([A-Z2-7]{10})")
        pane.until("Stop: Ctrl-C")
        page = SignedInPage(link[1], link[2])
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        for what in ("later", "after a restart"):
            ahead.write_text(str(float(ahead.read_text()) + LATER_S))
            if what == "after a restart":
                pane.type("\x03")
                pane.until("stopping")
                pane.type(up)
                pane.until("Stop: Ctrl-C")
                mine.type(f"{PULSE} resume\n")
                title = mine.until(r"this terminal \((.+)\) has")[1]
                mine.until("Word: ")
                mine.type(f"{page.word(title)}\n")
                mine.until("let in")
                mine.run("true")
            assert page.patch("/crosspoll/config", loosens).json()["code"] == "confirm-again", what
            mine.type(f"{PULSE} confirm\n")
            code = mine.until(r"\b([A-Z2-7]{5}-[A-Z2-7]{5})\b")[1]
            assert page.post("/session/confirm", {"code": code}).is_success, what
            assert page.patch("/crosspoll/config", loosens).is_success, what
            assert mine.run(f"{PULSE} resume")[1] == 0, what
            assert "type there" not in pane.shown
        page.close()
        subprocess.run((*tmux, "kill-server"), check=False)


ACTS = tuple(name for name, method in METHODS.items() if method.endpoint.scope != "read")


def test_a_token_that_may_only_read_hears_of_cards_and_neither_acts_nor_hears_a_word_or_code(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine, terminal(hub.environment) as other:
        made = open_api(hub.home).call("POST", "/tokens", TokenRequest(name="reader", scopes=("read",)))
        said = {"Authorization": f"Bearer {read(made, TokenAnswer).token}"}
        page, heard = page_of(hub.said), list[str]()
        with connect(f"ws://127.0.0.1:{hub.port}/pulse", additional_headers=said, proxy=None) as socket:
            socket.send(json.dumps({"type": "subscribe", "channels": ["crosspoll"]}))
            assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
            other.type(f"{PULSE} resume\n")
            title = other.until(r"this terminal \((.+)\) has")[1]
            other.until("Word: ")
            word = page.word(title)
            other.type(f"{word}\n")
            other.until("let in")
            mine.type(f"{PULSE} confirm\n")
            code = mine.until(r"\b([A-Z2-7]{5}-[A-Z2-7]{5})\b")[1]
            link = page.post("/pairing").json()["code"]
            card = asked(hub, "Deploy?")
            for number, method in enumerate(ACTS):
                params = {"id": card} if "predictions" in method else {}
                socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
                while json.loads(heard[-1] if heard else "{}").get("id") != number:
                    heard.append(str(socket.recv(HEARD_S_MAX)))
                assert json.loads(heard[-1])["error"]["data"]["code"] == "out-of-scope", method
        assert len(ACTS) >= len(OF_A_CARD)
        assert "Deploy?" in "".join(heard)
        for secret in (word, code, link, said["Authorization"].removeprefix("Bearer ")):
            assert len(secret) >= CODE_CHARS_MIN
            for spelling in (secret, secret.replace("-", "")):
                assert not any(spelling in one for one in heard)
        page.close()
