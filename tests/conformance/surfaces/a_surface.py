"""A surface's process as small as one can be: it writes down that it runs, and leaves when the hub is gone."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    with Path(os.environ["A_SURFACE_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} {os.environ.get('PULSE_TOKEN', '')}\n")
    if sys.argv[1:] == ["crash"]:
        sys.exit("the surface fell over")
    sys.stdin.read()
