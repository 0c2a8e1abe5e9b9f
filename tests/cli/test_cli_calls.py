"""What commands ask of the API and print of its answers, against a real HTTP server with answers laid out."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hub.cli.draw import until_moment
from hub.contract.access import DeviceList, DeviceView, Login, OutsideView
from hub.contract.alone import AloneProgress
from hub.contract.api import AnswerReply, HealthAnswer, HealthPart, PredictAnswer, Unreached
from hub.contract.control import HealthBrief, PredictionList
from hub.contract.twins import TwinTestAnswer, TwinTestView
from hub.contract.words import Autonomy, Status
from tests.cli.conftest import Pulse
from tests.cli.running_config import running_config
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW, prediction, status

LETS = AloneProgress(phase="trusted", says="You allowed 1 thing to run without asking.", allowed=1)
COMMANDS = (
    ("status",),
    ("cards",),
    ("why", "x"),
    ("tail",),
    ("approve", "x"),
    ("trigger",),
    ("pause",),
    ("resume",),
    ("dnd",),
    ("kill",),
    ("tasks",),
    ("devices",),
    ("ask", "Deploy?"),
    ("watch",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_when_pulse_does_not_run(pulse: Pulse, home: Path, command: tuple[str, ...]) -> None:
    said = pulse(*command)
    assert said.code == 3
    assert "Pulse is not running." in said.err
    assert "`pulse up`" in said.err
    assert "[not-running]" in said.err
    assert not home.exists(), "looking must not make anything"


def test_a_failure_as_json(pulse: Pulse) -> None:
    said = pulse("cards", "--json")
    assert json.loads(said.out)["code"] == "not-running"


def test_a_hub_that_died_leaves_its_record(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    record = json.loads((home / "run.json").read_text())
    (home / "run.json").write_text(json.dumps({**record, "pid": 2**22 + 1}))
    assert pulse("cards").code == 3
    assert hub.asked == []


@pytest.mark.parametrize("status", [403, 503])
def test_the_kill_switch_without_the_api(pulse: Pulse, hub: SmallHub, status: int) -> None:
    hub.refuse("PATCH /api/v1/crosspoll/config", status, "busy", "Pulse has too much to do.")
    said = pulse("kill")
    assert (said.code, hub.stopped) == (0, 1)
    assert not (hub.home / "armed").exists()
    assert "Nothing can start" in said.out
    assert "notified by a signal" in said.out
    assert "too much to do" in said.out
    assert json.loads(pulse("kill", "--json").out) == {
        "armed": False,
        "signalled": True,
        "left": 0,
        "why": "Pulse has too much to do.",
    }


def test_the_kill_switch_of_a_hub_that_died_signals_nobody_and_holds(pulse: Pulse, hub: SmallHub) -> None:
    """Its process id is somebody else's by now."""
    record = json.loads((hub.home / "run.json").read_text())
    (hub.home / "run.json").write_text(json.dumps({**record, "process_started": "another time"}))
    said = pulse("kill")
    assert (said.code, hub.stopped, hub.asked) == (0, 0, [])
    assert not (hub.home / "armed").exists()
    assert "No hub is running" in said.out


def test_something_else_at_the_address(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/twin/predict", b"<html>hello</html>")
    assert "[foreign-answer]" in pulse("cards").err
    hub.answer("GET /api/v1/twin/predict", b"<html>oh no</html>", status=500)
    said = pulse("cards")
    assert (said.code, "500" in said.err) == (1, True)


def test_cards(pulse: Pulse, hub: SmallHub) -> None:
    cards = (prediction("abc", prompt="Run\x1b[2J the tests"),)
    answer = PredictAnswer(predictions=cards, count=1, timestamp=NOW, cross_poll_status=status())
    hub.answer("GET /api/v1/twin/predict", answer)
    said = pulse("cards", "--channel", "koji-core", "--count", "3")
    assert hub.asked[-1][1] == "/api/v1/twin/predict?count=3&channel=koji-core"
    assert "pred_abc" in said.out
    assert "Run⟨U+001B⟩[2J the tests" in said.out
    assert "\x1b" not in said.out
    document = json.loads(pulse("cards", "--json").out)
    assert document["predictions"][0]["id"] == "pred_abc"
    hub.answer(
        "GET /api/v1/twin/predict", PredictAnswer(predictions=(), count=0, timestamp=NOW, cross_poll_status=status())
    )
    assert "Nothing is waiting for you" in pulse("cards").out


def test_past_cards_are_listed_with_what_became_of_them(pulse: Pulse, hub: SmallHub) -> None:
    past = (
        prediction("new", prompt="Run the tests", status=Status.EXECUTED, outcome="2 passed"),
        prediction("old", prompt="Delete it", status=Status.REJECTED, target_channel="shop"),
    )
    cards = (prediction("open"), *past)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=cards, count=3))
    said = pulse("cards", "--past").out
    assert "pred_open" not in said
    assert "done: 2 passed" in said
    assert "dismissed" in said
    assert "pulse why ID" in said
    assert "pred_old" not in pulse("cards", "--past", "--count", "1").out
    assert "pred_new" not in pulse("cards", "--past", "--channel", "shop").out
    document = json.loads(pulse("cards", "--past", "--json").out)
    assert ([one["id"] for one in document["predictions"]], document["count"]) == (["pred_new", "pred_old"], 2)
    assert "--count goes up to 10" in pulse("cards", "--count", "11").err
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=cards[:1], count=1))
    assert pulse("cards", "--past").out == "No suggestion has been answered or run yet.\n"
    assert "`pulse cards --past`" in pulse("stop", "latest").err


def laid_out(hub: SmallHub, *names: str) -> None:
    cards = tuple(prediction(name) for name in names)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=cards, count=len(cards)))
    for card in cards:
        hub.answer(f"GET /api/v1/predictions/{card.id}", card)
        for verb in ("confirm", "reject", "snooze", "edit", "undo", "stop"):
            hub.answer(f"POST /api/v1/predictions/{card.id}/{verb}", AnswerReply(prediction=card, message="Taken."))
    for short in ("ab", "abc", "abc1", "abd", "nope", "latest"):
        hub.refuse(f"GET /api/v1/predictions/{short}", 404, "unknown-card", "There is none.")


@pytest.mark.parametrize("written", ["pred_abc", "pred_abc1", "abc1", "abc"])
def test_an_id_may_be_short(pulse: Pulse, hub: SmallHub, written: str) -> None:
    laid_out(hub, "abc1", "abd2")
    hub.refuse("GET /api/v1/predictions/pred_abc", 404, "unknown-card", "There is none.")
    said = pulse("approve", written)
    assert said.code == 0, said.err
    method, path, body = hub.asked[-1]
    assert (method, path) == ("POST", "/api/v1/predictions/pred_abc1/confirm")
    sent = json.loads(body)
    assert sent["cardHash"] == "hash-abc1"
    assert (sent["surface"], sent["device"], sent["humanInput"]) == ("cli", "local", "key")
    assert "until" not in sent


def test_an_id_that_is_too_short_or_wrong(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "abc1", "abd2")
    said = pulse("reject", "ab")
    assert "pred_abc1, pred_abd2" in said.err
    assert "[ambiguous-id]" in said.err
    assert "[no-such-card]" in pulse("reject", "nope").err
    assert "[no-such-card]" in pulse("stop", "latest").err
    assert "[no-such-card]" in pulse("approve", "../crosspoll/config").err
    assert all(method == "GET" for method, _, _ in hub.asked)


def test_a_snooze_is_confirmed_with_its_end(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "abc1")
    soon = datetime.now(UTC) + timedelta(hours=1)
    reply = AnswerReply(prediction=prediction("abc1", snoozed_until=soon), message="Snoozed.")
    hub.answer("POST /api/v1/predictions/pred_abc1/snooze", reply)
    out = pulse("snooze", "abc1", "--for", "1h").out
    assert out.startswith(f"✓ Snoozed until {until_moment(soon)}, on every surface.\n")


@pytest.mark.slow
def test_what_a_verb_says(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "abc1")
    pulse("snooze", "abc1", "--for", "10m")
    assert "until" in json.loads(hub.asked[-1][2])
    pulse("snooze", "abc1")
    assert "until" not in json.loads(hub.asked[-1][2])
    assert pulse("snooze", "abc1", "--for", "1m", "--until", "18:00").code == 2
    assert "[bad-time-text]" in pulse("snooze", "abc1", "--for", "soon").err
    pulse("reject", "abc1", "--reason", "not now")
    assert json.loads(hub.asked[-1][2])["reason"] == "not now"
    pulse("edit", "abc1", "--prompt", "Run all tests")
    assert json.loads(hub.asked[-1][2])["prompt"] == "Run all tests"
    pulse("edit", "abc1", "Run", "the tests", "of hub/store")
    assert json.loads(hub.asked[-1][2])["prompt"] == "Run the tests of hub/store"
    assert "[bad-usage]" in pulse("edit", "abc1", "this", "--prompt", "that").err


def test_the_editor_changes_a_prompt(
    pulse: Pulse, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out(hub, "abc1")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "fewer like it" > "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    assert pulse("edit", "abc1").code == 0
    assert json.loads(hub.asked[-1][2])["prompt"] == "fewer like it"
    editor.write_text("#!/bin/sh\n")
    assert "Nothing was changed" in pulse("edit", "abc1").out


def test_no_editor_opens_for_what_runs_a_fixed_command(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = prediction("abc1", editable=False)
    laid_out(hub, "abc1")
    hub.answer(f"GET /api/v1/predictions/{card.id}", card)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(card,), count=1))
    hub.refuse(f"POST /api/v1/predictions/{card.id}/edit", 409, "not-editable", "It is fixed.", "Approve.")
    monkeypatch.setenv("EDITOR", "an-editor-that-is-not-there")
    monkeypatch.delenv("VISUAL", raising=False)
    said = pulse("edit", "abc1")
    assert (said.code, said.err) == (1, "✗ It is fixed. [not-editable]\n  Approve.\n")


def test_a_refusal_in_the_hubs_own_words(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, "abc1")
    hub.refuse(
        "POST /api/v1/predictions/pred_abc1/confirm",
        409,
        "already-settled",
        "This was already dismissed by you.",
        "Look.",
    )
    said = pulse("approve", "abc1")
    assert (said.code, said.err) == (1, "✗ This was already dismissed by you. [already-settled]\n  Look.\n")
    assert json.loads(pulse("approve", "abc1", "--json").out)["code"] == "already-settled"


def test_status_says_who_is_not_to_be_disturbed_and_what_was_put_off(pulse: Pulse, hub: SmallHub) -> None:
    soon = datetime.now(UTC) + timedelta(hours=2)
    told = status(pending=3, quiet=True, dnd_until=soon)
    health = HealthAnswer(status="ok", version="1", parts=(), cross_poll_status=told, timestamp=NOW)
    cards = (prediction("a", snoozed_until=soon), prediction("b"), prediction("c"))
    hub.answer("GET /api/v1/health", health)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=cards, count=3))
    out = pulse("status").out
    assert "2 open, 1 snoozed" in out
    assert "Do not disturb until " in out
    assert "quiet hours" not in out


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"autonomous": False, "progress": LETS}, "watching · asks before everything"),
        (
            {"autonomous": False, "progress": LETS, "grants": 1},
            "watching · asks before everything that no permission covers",
        ),
        ({"autonomous": True, "progress": LETS}, "watching · autopilot on"),
        ({"autonomous": True, "progress": replace(LETS, allowed=0)}, "watching · autopilot: nothing allowed yet"),
        ({"autonomous": True, "progress": LETS, "state": Autonomy.PAUSED}, "paused · asks before everything"),
    ],
)
def test_status_says_whether_anything_may_run_alone(
    pulse: Pulse, hub: SmallHub, changes: dict[str, Any], said: str
) -> None:
    health = HealthAnswer(
        status="ok", version="1", parts=(), cross_poll_status=status(pending=0, **changes), timestamp=NOW
    )
    hub.answer("GET /api/v1/health", health)
    assert f"● {said}\n" in pulse("status").out


def test_the_kill_switch(pulse: Pulse, hub: SmallHub) -> None:
    off = status(enabled=False, reason="emergency stop is on; `pulse resume --emergency` lifts it")
    config = running_config(off)
    hub.answer("PATCH /api/v1/crosspoll/config", config)
    hub.answer("GET /api/v1/crosspoll/status", off)
    assert pulse("kill").code == 0
    assert json.loads(hub.asked[-1][2]) == {"emergencyStop": True}
    assert hub.stopped == 1
    assert not (hub.home / "armed").exists()
    said = pulse("resume")
    assert (said.code, "[still-off]" in said.err) == (1, True)
    assert said.err.count("resume --emergency") == 1, "said once"
    pulse("resume", "--emergency")
    assert json.loads(hub.asked[-1][2]) == {"enabled": True, "emergencyStop": False}


def test_a_question_nobody_can_be_asked_is_let_through_where_that_was_said(pulse: Pulse) -> None:
    assert pulse("ask", "Push?").code == 3
    said = pulse("ask", "Push?", "--fail-open")
    assert said.code == 0
    assert "Pulse is not running" in said.err
    assert "--fail-open" in said.err


def test_a_question_that_is_refused_is_not_let_through(pulse: Pulse, hub: SmallHub) -> None:
    hub.refuse("POST /api/v1/ask", 429, "too-many-open", "50 questions are waiting.")
    assert pulse("ask", "Push?", "--fail-open").code == 3


LOGIN = Login(
    url="mqtt://127.0.0.1:1",
    username="glasses-pi",
    password="hush",
    client_id="c",
    user="me",
    surface="glasses",
    device="pi",
)


def test_a_password_is_kept_in_a_file_unless_it_is_asked_for(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    hub.answer("POST /api/v1/devices", LOGIN)
    said = pulse("devices", "pair", "glasses", "pi")
    kept = home / "logins" / "glasses-pi.json"
    assert "hush" not in said.out + said.err
    assert str(kept) in said.out
    assert msgspec.json.decode(kept.read_bytes(), type=Login) == LOGIN
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    kept.unlink()
    assert "hush" in pulse("devices", "pair", "glasses", "pi", "--show-password").out
    assert "hush" in pulse("devices", "pair", "glasses", "pi", "--json").out, "into a pipe"
    assert not kept.exists()


def test_setup_says_what_arrives_what_does_not_and_what_else_there_is(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/crosspoll/config", running_config(status()))
    hub.answer("GET /api/v1/outside", OutsideView(public_url="", own_certificate=False, trouble="203.0.113.9 is gone."))
    hub.answer("GET /api/v1/devices", DeviceList(devices=(), count=0))
    assert "No device is set up" not in pulse("setup").out, "the address that is gone is said instead"
    closed = Unreached(
        surface="browser",
        device="b1",
        title="Kitchen",
        why="it is closed",
        fix="switch on Notifications in Settings.",
        absent=True,
    )
    browser = DeviceView(
        surface="browser", device="b1", profile="browser", online=False, title="Kitchen", unreached=closed
    )
    strange = Unreached(surface="lamp", device="l", title="l", why="it has no profile", fix="Pair it again.")
    odd = DeviceView(surface="lamp", device="l", profile="lamp", online=True, unreached=strange)
    hub.answer("GET /api/v1/devices", DeviceList(devices=(browser, odd), count=2))
    said = pulse("setup").out
    for words in (
        "Kitchen: nothing arrives: it is closed",
        "switch on Notifications",
        "it has no profile",
        "203.0.113.9 is gone.",
        "`pulse discord setup`",
        "paid Apple developer membership",
    ):
        assert words in said
    assert "terminal         `pulse watch`\n" in said, "what needs nothing says nothing of it"
    document = json.loads(pulse("setup", "--json").out)
    assert [one["state"] for one in document["devices"]] == ["warning", "warning", "warning"]
    another = replace(browser, device="b2", title="Laptop")
    hub.answer("GET /api/v1/devices", DeviceList(devices=(browser, another, odd), count=3))
    said = pulse("setup").out
    assert "2 of browser Kitchen, Laptop: nothing arrives" in " ".join(said.split())
    assert said.count("switch on Notifications") == 1, "what is to be done stands there once"
    document = json.loads(pulse("setup", "--json").out)
    assert [one["name"] for one in document["devices"]][:2] == ["browser/b1", "browser/b2"]
    hub.answer("GET /api/v1/devices", DeviceList(devices=(browser, odd), count=2))
    assert "Kitchen" in pulse("doctor").out


def test_models_are_tried_and_changed(pulse: Pulse, hub: SmallHub) -> None:
    well = TwinTestView(name="first", model="m", ok=True, detail="it answered", cost_usd=0.0012)
    dead = TwinTestView(name="cloud", model="big", ok=False, detail="it cannot be reached", cost_usd=0.0)
    hub.answer("POST /api/v1/twin/test", TwinTestAnswer(tests=(well, dead)))
    said = pulse("twin", "test")
    assert said.code == 1
    assert said.out.splitlines() == ["✓ first (m): it answered, $0.0012", "✗ cloud (big): it cannot be reached"]
    hub.answer("POST /api/v1/twin/test", TwinTestAnswer(tests=(well,)))
    assert pulse("twin", "test", "first").code == 0
    assert hub.asked[-1][2] == b'{"name":"first"}'


def test_doctor_tries_models_by_a_real_call(pulse: Pulse, hub: SmallHub) -> None:
    parts = (HealthPart(name="model first", status="ok"), HealthPart(name="store", status="ok"))
    health = HealthAnswer(status="ok", version="1", parts=parts, cross_poll_status=status(), timestamp=NOW)
    hub.answer("GET /api/v1/health", health)
    dead = TwinTestView(name="first", model="m", ok=False, detail="it cannot be reached", cost_usd=0.0)
    hub.answer("POST /api/v1/twin/test", TwinTestAnswer(tests=(dead,)))
    lines = [line for line in pulse("doctor").out.splitlines() if "model first" in line]
    assert len(lines) == 1
    assert lines[0].split() == ["!", "model", "first", "m:", "it", "cannot", "be", "reached"]


def test_status_within_an_agent_says_that_it_hears_no_more(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/health", HealthBrief(status="ok"))
    said = pulse("status")
    assert said.code == 1
    assert "is only told that Pulse is ok" in said.err
