"""`python -m tests.late_hub up …`: a hub whose clock is ahead by the seconds that the file in $PULSE_AHEAD says."""

import os
from datetime import datetime, timedelta
from pathlib import Path

from hub.app import start
from hub.cli import main
from hub.io.home.clock import SystemClock

AHEAD = "PULSE_AHEAD"


class AheadClock(SystemClock):
    """The machine's clock, so much ahead."""

    def now(self) -> datetime:
        """Return the moment that it is for this hub."""
        return super().now() + timedelta(seconds=float(Path(os.environ[AHEAD]).read_text(encoding="ascii")))


if __name__ == "__main__":
    start.SystemClock = AheadClock  # type: ignore[attr-defined]  # the one that the hub is wired with
    main()
