"""The hub's log is its owner's alone."""

from pathlib import Path

from hub.cli.start import PrivateLog


def test_a_log_is_private_also_where_an_earlier_version_left_it_open(tmp_path: Path) -> None:
    path = tmp_path / "hub.log"
    path.write_text("before\n")
    path.chmod(0o644)
    log = PrivateLog(path, maxBytes=1, backupCount=1, encoding="utf-8")
    assert path.stat().st_mode & 0o777 == 0o600
    log.doRollover()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.with_name("hub.log.1").read_text() == "before\n"
    log.close()
