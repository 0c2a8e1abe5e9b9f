"""The record that Pulse keeps of test runs: one JSON document per line, newest last."""

from datetime import datetime

import msgspec

from hub.contract.base import Value


class RecordedRun(Value):
    """One run of a repository's tests. `repo` is the work tree's absolute path, `head` the commit it ran on."""

    repo: str
    at: datetime
    head: str | None
    passed: bool
    fingerprint: str | None = None


def last_run(raw: bytes, repo: str) -> RecordedRun | None:
    """Return the newest run of `repo`; lines that are broken, cut or have no time zone are passed over."""
    runs = (_run(line) for line in raw.split(b"\n") if line.strip())
    mine = (run for run in runs if run is not None and run.repo == repo and run.at.tzinfo is not None)
    return max(mine, key=lambda run: run.at, default=None)


def _run(line: bytes) -> RecordedRun | None:
    try:
        return msgspec.json.decode(line, type=RecordedRun)
    except msgspec.DecodeError:
        return None
