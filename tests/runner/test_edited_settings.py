"""The settings file read again while Pulse runs: what holds, and what is said of the rest."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.app.edited import EditedSettings
from hub.app.surfaces import settings_at
from hub.io.home.settings_file import SettingsFiles
from hub.loop.events import Event, SettingsEdited
from hub.settings import Settings
from surfaces.telegram.settings import TELEGRAM
from tests.fakes.minute import Minute

TWIN = '[twin]\nenabled = true\nurl = "http://127.0.0.1:1"\nmodel = "m"\n'

SET_UP = '{"telegram": {"person_id": "42"}}'


class Told:
    """What the loop was told, and a signal that it was."""

    def __init__(self) -> None:
        self.events: list[SettingsEdited] = []
        self.happened = asyncio.Event()

    def __call__(self, event: Event) -> None:
        assert isinstance(event, SettingsEdited)
        self.events.append(event)
        self.happened.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "config.toml").write_text("[costs]\nhour_usd = 2\n")
    return tmp_path / "config.toml"


def edited(
    path: Path, told: Told, minute: Minute | None = None, *, connected: bool = False
) -> tuple[EditedSettings, SettingsFiles]:
    files = SettingsFiles(path, path.with_name("set-up.json"))
    made = EditedSettings(
        settings_at(path),
        zone="UTC",
        files=files,
        post=told,
        connected=lambda: connected,
        later=minute or Minute(),
    )
    return made, files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[costs]\nhour_usd = 1\n[crosspoll]\nedit_quiet_s = 3\n", ""),
        ("[costs]\nhour_usd = 9\n", "restart Pulse to use all of costs."),
        ('[costs]\nhour_usd = 2\n[sensors]\ncalendar = "x.ics"\n', "restart Pulse to use sensors."),
        (f"[costs]\nhour_usd = 2\n{TWIN}[training]\nexport = true\n", "restart Pulse to use twin, training."),
    ],
)
def test_what_holds_at_once_and_what_waits(path: Path, text: str, said: str) -> None:
    told = Told()
    look, file = edited(path, told)
    path.write_text(text)
    look.look()
    look.look()
    assert len(told.events) == 1
    assert (file.health().status, said in file.health().detail) == ("degraded" if said else "ok", True)


@pytest.mark.parametrize("connected", [False, True])
def test_no_edit_keeps_agents_questions_from_the_person_once_agents_are_connected(
    path: Path, *, connected: bool
) -> None:
    told = Told()
    look, file = edited(path, told, connected=connected)
    path.write_text(
        "[costs]\nhour_usd = 1\n[attention]\ninterruptions_per_day = 0\ndigest_times = []\n"
        "[crosspoll]\npending_max = 1\ndialog_first_s = 300\n[quiet]\nstart_hour = 20\nend_hour = 8\n"
    )
    look.look()
    (written,) = (event.written for event in told.events)
    assert written.caps.hour_microusd == 1_000_000
    heard = (written.attention.interruptions_per_day, written.pending_max, written.timing.dialog_first_s)
    assert heard == ((16, 100, 10.0) if connected else (0, 1, 300.0))
    assert (written.timing.quiet_start_hour == 20) is not connected
    assert ("attention" in file.health().detail) is connected


def test_devices_are_told_of_each_edit_that_waits_while_agents_are_connected(path: Path) -> None:
    told, minute = Told(), Minute()
    look, _ = edited(path, told, minute, connected=True)
    for text in (
        "[costs]\nhour_usd = 1\n",
        "[costs]\nhour_usd = 9\n",
        "[costs]\nhour_usd = 8\n[attention]\ninterruptions_per_day = 0\n",
        "# Mine.\n[costs]\nhour_usd = 8\n[attention]\ninterruptions_per_day = 0\n",
        "[costs]\nhour_usd = 7\n[attention]\ninterruptions_per_day = 0\n",
    ):
        path.write_text(text)
        look.look()
        minute.is_over()
    both = "all of costs, all of attention"
    assert [event.waits for event in told.events] == ["", "all of costs", both, "", both]


def test_who_goes_on_editing_rings_once_a_minute_and_hides_nothing_by_it(path: Path) -> None:
    told, minute = Told(), Minute()
    look, _ = edited(path, told, minute, connected=True)
    for dollars in range(3, 33):
        path.write_text(f"[costs]\nhour_usd = {dollars}\n")
        look.look()
    assert [event.waits for event in told.events] == ["all of costs"] + [""] * 29
    path.write_text("[costs]\nhour_usd = 32\n[training]\nexport = true\n")
    look.look()
    assert told.events[-1].waits == ""
    written = told.events[-1].written
    minute.is_over()
    assert (told.events[-1].waits, told.events[-1].written) == ("training, all of costs", written)
    number = len(told.events)
    minute.is_over()
    assert len(told.events) == number


def test_what_was_taken_back_within_the_minute_is_not_told(path: Path) -> None:
    told, minute = Told(), Minute()
    look, _ = edited(path, told, minute, connected=True)
    for dollars in (3, 4, 2):
        path.write_text(f"[costs]\nhour_usd = {dollars}\n")
        look.look()
    minute.is_over()
    assert [event.waits for event in told.events] == ["all of costs", "", ""]


def test_devices_are_told_of_no_edit_before_an_agent_is_connected(path: Path) -> None:
    told = Told()
    look, _ = edited(path, told)
    path.write_text("[costs]\nhour_usd = 9\n")
    look.look()
    assert [event.waits for event in told.events] == [""]


def test_devices_are_told_of_what_is_written_beside_the_file_and_of_what_comes_back(path: Path) -> None:
    told, minute = Told(), Minute()
    look, file = edited(path, told, minute, connected=True)
    beside = path.with_name("set-up.json")
    for text in (
        '{"telegram": {"person_id": "42"}}',
        "{}",
        '{"telegram": {"person_id": "42"}}',
        '{"telegram": {"person_id": "42"}, "agents": {"x": {"kind": "acp", "argv": ["x"]}}}',
    ):
        beside.write_text(text)
        look.look()
        minute.is_over()
    assert [event.waits for event in told.events] == ["telegram", "", "telegram", "agents, telegram"]
    assert file.health().detail == f"{beside} was edited; restart Pulse to use agents, telegram."


def test_what_no_command_sets_up_changes_nothing_and_is_named(path: Path) -> None:
    told = Told()
    look, file = edited(path, told, connected=True)
    path.with_name("set-up.json").write_text('{"ntfy": {"server": "https://ntfy.example", "approves": true}}')
    look.look()
    assert told.events == []
    assert "`ntfy.approves` is set up by no command" in file.health().detail


def test_what_was_changed_otherwise_than_by_a_start_waits_for_none(path: Path) -> None:
    told, files = Told(), SettingsFiles(path, path.with_name("set-up.json"))

    def runs(started: Settings, written: Settings) -> Settings:
        return replace(started, codex=replace(written.codex, attach=True))

    look = EditedSettings(settings_at(path), zone="UTC", files=files, post=told, connected=lambda: True, runs=runs)
    path.with_name("set-up.json").write_text('{"codex": {"attach": true, "wait_s": 60}}')
    look.look()
    assert [event.waits for event in told.events] == [""]
    assert files.health().status == "ok"


def test_what_was_begun_anew_waits_for_no_restart(path: Path) -> None:
    look, file = edited(path, Told())
    path.write_text('[costs]\nhour_usd = 2\n[telegram]\nperson_id = "42"\n')
    look.begun("telegram", TELEGRAM.of(settings_at(path)))
    look.look()
    assert file.health().status == "ok"
    path.write_text('[costs]\nhour_usd = 2\n[telegram]\nperson_id = "43"\n')
    look.look()
    assert file.health().status == "degraded"
    look.begun("telegram", TELEGRAM.of(settings_at(path)))
    assert file.health().status == "ok"


def test_a_file_with_mistakes_changes_nothing_and_is_named(path: Path) -> None:
    told = Told()
    look, file = edited(path, told)
    path.write_text("[costs]\nhour_us = 1\n")
    look.look()
    assert told.events == []
    assert "has mistakes" in file.health().detail
    path.write_text("[costs]\nhour_usd = 2\n")
    look.look()
    assert file.health().status == "ok"


@pytest.mark.parametrize(("name", "text"), [("config.toml", "[costs]\nhour_usd = 1\n"), ("set-up.json", SET_UP)])
async def test_a_saved_file_is_heard_of(path: Path, name: str, text: str) -> None:
    told = Told()
    look, _ = edited(path, told)
    watcher = await look.follow()
    try:
        new = path.with_name("new")  # as editors save
        new.write_text(text)
        new.replace(path.with_name(name))
        await asyncio.wait_for(told.happened.wait(), 20)
    finally:
        watcher.close()
    assert told.events[0].written.caps.hour_microusd == (1_000_000 if name == "config.toml" else 2_000_000)
