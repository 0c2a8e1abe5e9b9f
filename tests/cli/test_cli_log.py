"""The hub's log is its owner's alone."""

import logging
from pathlib import Path

from hub.cli.start import PlainFormatter, PrivateLog

PRETENDED = "x\n2026-11-28 12:00:00 INFO pulse: all is well\x1b[2J\u202e"


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


def test_what_others_wrote_begins_no_line_of_the_log_and_moves_nothing() -> None:
    record = logging.LogRecord("hub", logging.WARNING, "a.py", 1, "refused: %s", (PRETENDED,), None)
    line = PlainFormatter("%(levelname)s %(name)s: %(message)s").format(record)
    assert line == "WARNING hub: refused: x 2026-11-28 12:00:00 INFO pulse: all is well [2J"


def test_nor_does_it_in_a_traceback() -> None:
    bug = ValueError("a\x1b[2J\u202eb")
    record = logging.LogRecord("hub", logging.ERROR, "a.py", 1, "broke", (), (ValueError, bug, None))
    said = PlainFormatter("%(message)s").format(record)
    assert said.startswith("broke\nValueError")
    assert not {"\x1b", "\u202e"} & set(said)
