"""A surface that was set up while Pulse runs: its own table is taken up, and nothing else of the settings."""

from pathlib import Path

from hub.app.beside import ProcessesBeside
from hub.app.surfaces import settings_at
from hub.io.api import RunningApi
from hub.io.home.folder import Home
from hub.io.home.set_up import set_up


def no_api() -> RunningApi:
    raise AssertionError("nothing is started here")


def test_only_the_surface_that_was_set_up_is_taken_up(tmp_path: Path) -> None:
    home, begun = Home(tmp_path), list[str]()
    beside = ProcessesBeside(home, settings_at(home.config), "UTC", no_api, lambda table, _: begun.append(table))
    assert beside.as_set_up("telegram") is None
    set_up(home.set_up, "telegram", {"person_id": "42"})
    set_up(home.set_up, "slack", {"team_id": "T1", "channel_id": "D1", "person_id": "U1"})
    program = beside.as_set_up("telegram")
    assert program is not None
    assert program.arguments == ("surfaces.telegram",)
    assert "slack" not in beside.programs(), "that waits for its own set-up, or a start"
    set_up(home.set_up, "telegram", {})
    assert beside.as_set_up("telegram") is None
    assert beside.as_set_up("a fridge") is None
    assert set(begun) == {"telegram"}
    assert beside.as_set_up("agent codex") is not None, "it is no surface, and stays as it is"
