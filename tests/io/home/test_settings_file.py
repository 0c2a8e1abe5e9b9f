"""The settings file is read once; that it was edited since is noticed, and a mere touch is not."""

import os
from pathlib import Path

from hub.io.home.settings_file import SettingsFile


def test_an_edit_is_noticed_until_it_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[costs]\nday_usd = 5\n")
    file = SettingsFile(path)
    assert (file.health().status, file.health().detail) == ("ok", str(path))
    path.write_text("[costs]\nday_usd = 50\n")
    assert file.health().status == "degraded"
    assert "restart Pulse to use it" in file.health().detail
    path.write_text("[costs]\nday_usd = 5\n")
    os.utime(path, (1, 1))
    assert file.health().status == "ok"


def test_a_file_that_appears_or_goes_is_an_edit(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    file = SettingsFile(path)
    assert file.health().status == "ok"
    path.write_text("")
    assert file.health().status == "degraded"
    path.unlink()
    assert file.health().status == "ok"


def test_what_is_written_while_the_file_is_read_is_another_edit(tmp_path: Path) -> None:
    """An editor (or a shell's `>`) makes the file empty first; whoever read that has not read what came next."""
    path = tmp_path / "config.toml"
    file = SettingsFile(path)
    path.write_text("")
    file.take()
    path.write_text("[costs]\nday_usd = 50\n")
    file.waits("")
    assert file.is_edited()
    assert file.health().status == "degraded"
