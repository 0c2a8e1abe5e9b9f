"""A process that appends lines until it has written so many or is killed; says of each that it is there.

python writer_child.py LOG NAME COUNT [pulse|echo]
"""

import os
import sys
from pathlib import Path

from hub.domain.provenance import LogText
from hub.domain.world import WorldEvent
from hub.io.world.writing import WorldLog

PADDING = 300
"""So that many lines cross a page, where a killed process leaves half of one."""


def text_of(name: str, number: int) -> str:
    """Return the words of a writer's line, each of another length."""
    return f"{name}-{number} {'x' * (number % PADDING)}"


def main(path: str, name: str, count: str, how: str) -> None:
    log = WorldLog(Path(path))
    for number in range(int(count)):
        text = text_of(name, number)
        if how == "echo":
            with Path(path).open("ab", buffering=0) as file:
                file.write(f"[event:bash][{name}] {text}\n".encode())
        else:
            log.append(WorldEvent(source="bash", identifier=LogText(name), text=LogText(text)))
        os.write(1, f"{number}\n".encode())
    sys.stdin.read()  # who is to be killed waits for it, if it comes that late


if __name__ == "__main__":
    main(*sys.argv[1:])
