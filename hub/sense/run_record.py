"""The record that Pulse keeps of test runs: one JSON document per line, newest last."""

from datetime import datetime, timedelta

import msgspec

from hub.contract.base import Value

RECORD_FILE = "test-runs.jsonl"
"""Below `$PULSE_HOME`: a line for each run of a repository's tests, written by whoever ran them."""
TRACE_LATE = timedelta(seconds=1)
"""A trace may be so much younger than the end of its run: its file's time is not the clock's."""


class RecordedRun(Value):
    """One run of a repository's tests. `repo` is the work tree's absolute path, `head` the commit it ran on.

    `at` is when it began and `ended` when it ended; None in lines from before that was kept. `within` is the folder
    below whose tests were run, where they were not those of the whole repository.
    """

    repo: str
    at: datetime
    head: str | None
    passed: bool
    ended: datetime | None = None
    within: str = ""

    def covers(self, path: str) -> bool:
        """Return True if a file of the repository is of the project whose tests were run."""
        return not self.within or path.startswith(f"{self.within}/")

    def left(self, trace_at: datetime) -> bool:
        """Say whether a trace of that time is this run's own: test programs write them as they end."""
        until = self.at if self.ended is None or self.ended.tzinfo is None else self.ended + TRACE_LATE
        return trace_at <= until


def last_runs(raw: bytes, repo: str) -> tuple[RecordedRun, ...]:
    """Return the newest run of `repo`, and then that of each project in it which was not tested since, newest first.

    Lines that are broken, cut or have no time zone are passed over.
    """
    runs = (_run(line) for line in raw.split(b"\n") if line.strip())
    mine = (run for run in runs if run is not None and run.repo == repo and run.at.tzinfo is not None)
    found: list[RecordedRun] = []
    for run in sorted(mine, key=lambda run: run.at, reverse=True):
        if not any(later.covers(f"{run.within}/") for later in found):
            found.append(run)
    return tuple(found)


def _run(line: bytes) -> RecordedRun | None:
    try:
        return msgspec.json.decode(line, type=RecordedRun)
    except msgspec.DecodeError:
        return None
