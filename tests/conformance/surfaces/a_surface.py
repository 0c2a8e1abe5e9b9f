"""A surface's process as small as one can be: it writes down that it runs, and leaves when the hub is gone."""

import os
import sys
from pathlib import Path

from hub.kit.process import take_told

if __name__ == "__main__":
    token = take_told()["PULSE_TOKEN"]
    with Path(os.environ["A_SURFACE_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {token}\n")
    if sys.argv[1:] == ["crash"]:
        sys.exit("the surface fell over")
    sys.stdin.read()
