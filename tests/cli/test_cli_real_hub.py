"""The command line against a hub as a person starts it."""

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR

import pytest

from tests.cli.real_hub import RealHub, running_hub

pytestmark = pytest.mark.slow


def test_it_says_where_everything_is(real: RealHub) -> None:
    said = json.loads(real.said)
    assert said["api"].startswith("http://127.0.0.1:")
    assert said["workspaces"] == [str(real.repository)]
    out = real.pulse("status").stdout
    assert said["api"] in out
    assert "● watching" in out
    assert json.loads(real.pulse("status", "--json").stdout)["status"] == "ok"


def modes_of(home: Path) -> dict[Path, int]:
    """Return the mode of each place; what a hub that runs removes meanwhile does not exist."""
    modes = {}
    for folder, folders, files in os.walk(home):  # which passes over a folder that vanishes, as `rglob` does not
        for place in map(Path(folder).joinpath, ("", *folders, *files)):
            with suppress(FileNotFoundError):
                modes[place] = place.lstat().st_mode
    return modes


def test_nothing_of_its_home_is_open_to_others(real: RealHub) -> None:
    modes = modes_of(real.home)
    assert {"hub.log", "hub.key", "api.sock", "pulse.db", "armed", "run.json"} <= {place.name for place in modes}
    assert [str(place) for place, mode in modes.items() if mode & 0o077] == []


def test_nor_does_what_is_used_leave_anything_open(tmp_path: Path) -> None:
    """With a mask that closes nothing, in a folder that was there and open, after what writes files, and a restart."""
    before = os.umask(0)
    (tmp_path / "home").mkdir()
    try:
        with running_hub(tmp_path) as hub:
            export = tmp_path / "all.jsonl"
            hub.sit_down()
            said = hub.pulse("trigger", "--force", "--hint", "List the stale branches", "--json")
            assert hub.pulse("approve", json.loads(said.stdout)["prediction"]["id"]).returncode == 0
            assert hub.pulse("connect", "claude-code", "--yes").returncode == 0
            assert hub.pulse("devices", "pair", "terminal", "laptop").returncode == 0
            assert hub.pulse("world", "event", "bash", "x", "y").returncode == 0
            assert hub.pulse("export", str(export)).returncode == 0
            hub.stop()
            hub.start()
            modes = modes_of(hub.home)
            assert modes.pop(hub.home) & 0o777 == 0o755
            shut = {place for place, mode in modes.items() if S_ISDIR(mode) and not mode & 0o077}
            open_to_others = [place for place in modes if not shut & {place, *place.parents}]
            assert [str(place) for place in open_to_others if modes[place] & 0o077] == []
            assert export.stat().st_mode & 0o077 == 0
    finally:
        os.umask(before)


def test_a_second_start_is_refused_kindly(real: RealHub) -> None:
    said = real.pulse("up", "--port", "0", "--workspace", str(real.repository))
    assert said.returncode == 1
    assert "[already-running]" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_suggestion_from_trigger_to_why(real: RealHub) -> None:
    said = real.pulse("trigger", "--force", "--hint", "List the stale branches", "--json")
    card = json.loads(said.stdout)["prediction"]["id"]
    assert card in real.pulse("cards").stdout
    assert real.pulse("snooze", card, "--for", "10m").returncode == 0
    told = real.pulse("why", card).stdout
    assert "snoozed it on the command line (local" in told
    assert "towards the caps" not in told  # a playbook costs nothing
    assert real.pulse("approve", card[:9]).returncode == 0
    story = json.loads(real.pulse("why", card, "--json").stdout)
    assert story["prediction"]["status"] in {"confirmed", "executed", "failed"}
    assert {"judged", "proposed"} <= {step["kind"] for step in story["steps"]}
    assert "answer" in real.pulse("why", card).stdout
    assert real.pulse("undo", card).returncode == 0


@pytest.mark.parametrize(("verb", "code", "word"), [("approve", 0, "approved"), ("reject", 1, "dismissed")])
def test_ask(real: RealHub, verb: str, code: int, word: str) -> None:
    question = f"May I {verb}?"
    asking = real.begin("ask", question, "--risk", "high", "--timeout", "1m")
    card = _until_asked(real, question)
    assert real.pulse(verb, card).returncode == 0
    assert asking.wait(20) == code
    assert f"{word} by you on the command line" in asking.communicate()[0]


def test_ask_times_out(real: RealHub) -> None:
    said = real.pulse("ask", "Anybody?", "--timeout", "1s")
    assert (said.returncode, "nobody answered" in said.stdout) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ask_takes_its_question_back(real: RealHub, number: signal.Signals) -> None:
    question = f"Wait for {number.name}?"
    asking = real.begin("ask", question, "--timeout", "1m")
    card = _until_asked(real, question)
    asking.send_signal(number)
    assert asking.wait(20) == 130
    asking.communicate(timeout=20)
    assert json.loads(real.pulse("why", card, "--json").stdout)["prediction"]["status"] == "cancelled"


def test_tail(real: RealHub) -> None:
    tail = real.begin("tail", "--json")
    assert tail.stdout is not None
    seen: list[dict[str, object]] = []
    for number in range(20):  # until it listens, nothing is heard
        real.pulse("pause", f"demo {number}")
        real.pulse("resume")
        if tail.poll() is not None:
            break
        seen.append(json.loads(tail.stdout.readline()))
        if seen:
            break
    assert "seq" in seen[0]
    tail.send_signal(signal.SIGINT)
    tail.communicate(timeout=20)
    assert tail.returncode == 0


def test_tasks(real: RealHub) -> None:
    task = json.loads(real.pulse("tasks", "add", "Release 1.0", "--due", "tomorrow", "--json").stdout)["id"]
    assert "Release 1.0" in real.pulse("tasks").stdout
    assert " due " in real.pulse("tasks", "edit", task, "--due", "tomorrow").stdout
    assert real.pulse("tasks", "edit", task, "--title", "Release 1.1").returncode == 0
    assert "Release 1.1" in real.pulse("tasks", "list").stdout
    assert real.pulse("tasks", "done", task).returncode == 0
    assert task not in real.pulse("tasks").stdout
    assert task in real.pulse("tasks", "list", "--all").stdout
    assert real.pulse("tasks", "rm", task).returncode == 0
    assert "[no-such-task]" in real.pulse("tasks", "done", task).stderr


def test_devices(real: RealHub) -> None:
    paired = real.pulse("devices", "pair", "phone", "pixel")
    assert "password" in paired.stdout
    assert "phone/pixel" in real.pulse("devices").stdout
    assert "user phone-pixel" in real.pulse("broker", "acl").stdout
    assert real.pulse("devices", "revoke", "phone", "pixel").returncode == 0
    assert real.pulse("devices", "pair", "phone", "pixel", "--profile", "toaster").returncode == 1


def test_doctor_sees_the_hub(real: RealHub) -> None:
    said = real.pulse("doctor", "--all")
    assert said.returncode == 0, said.stdout
    assert "sensor git" in said.stdout


def test_kill_and_resume(real: RealHub) -> None:
    assert real.pulse("kill").returncode == 0
    assert "[still-off]" in real.pulse("resume").stderr
    assert real.pulse("resume", "--emergency").returncode == 0
    assert "● watching" in real.pulse("status").stdout


def _until_asked(real: RealHub, question: str) -> str:
    for _ in range(50):
        for card in json.loads(real.pulse("cards", "--json").stdout)["predictions"]:
            if card["prompt"] == question:
                return str(card["id"])
    raise AssertionError(question)


def test_figures_and_export_of_what_there_was(real: RealHub, tmp_path: Path) -> None:
    said = real.pulse("trigger", "--force", "--hint", "List the stale branches", "--json")
    card = json.loads(said.stdout)["prediction"]["id"]
    figures = json.loads(real.pulse("insight", "--days", "1", "--json").stdout)
    assert figures["days"][0]["suggestions"] >= 1
    assert "suggestion" in real.pulse("insight").stdout
    for name in ("all.csv", "all.jsonl"):
        assert real.pulse("export", str(tmp_path / name)).returncode == 0
        assert card in (tmp_path / name).read_text()
