"""The settings files are read once; that one was edited since is noticed, and a mere touch is not."""

import os
from pathlib import Path

from hub.io.home.settings_file import SettingsFiles


def test_an_edit_is_noticed_until_it_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[costs]\nday_usd = 5\n")
    file = SettingsFiles(path)
    assert (file.health().status, file.health().detail) == ("ok", str(path))
    path.write_text("[costs]\nday_usd = 50\n")
    assert file.health().status == "degraded"
    assert "restart Pulse to use it" in file.health().detail
    path.write_text("[costs]\nday_usd = 5\n")
    os.utime(path, (1, 1))
    assert file.health().status == "ok"


def test_a_file_that_appears_or_goes_is_an_edit(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    file = SettingsFiles(path)
    assert file.health().status == "ok"
    path.write_text("")
    assert file.health().status == "degraded"
    path.unlink()
    assert file.health().status == "ok"


def test_what_is_written_while_the_file_is_read_is_another_edit(tmp_path: Path) -> None:
    """An editor (or a shell's `>`) makes the file empty first; whoever read that has not read what came next."""
    path = tmp_path / "config.toml"
    file = SettingsFiles(path)
    path.write_text("")
    file.take()
    path.write_text("[costs]\nday_usd = 50\n")
    file.waits(str)
    assert file.is_edited()
    assert file.health().status == "degraded"


def test_what_commands_set_up_is_watched_beside_it_and_named(tmp_path: Path) -> None:
    path, beside = tmp_path / "config.toml", tmp_path / "set-up.json"
    file = SettingsFiles(path, beside)
    beside.write_text('{"telegram": {"person_id": "42"}}')
    assert file.is_edited()
    assert file.health().detail.startswith(f"{beside} was edited")
    file.take()
    file.waits(lambda: "was edited; restart Pulse to use telegram")
    assert file.health().detail == f"{beside} was edited; restart Pulse to use telegram."
    file.waits(str)
    assert (file.health().status, file.health().detail) == ("ok", str(path))


def test_a_pipe_in_its_place_is_an_edit_that_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[costs]\nday_usd = 5\n")
    file = SettingsFiles(path)
    path.unlink()
    os.mkfifo(path)
    assert file.health().status == "degraded"
