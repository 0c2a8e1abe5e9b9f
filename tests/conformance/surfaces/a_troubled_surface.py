"""A surface's process that does nothing but say trouble, as that surface itself says it: what it was told, in turn.

Its arguments: the module that says it, and a file of texts (JSON); the next one is said when the file has one more.
"""

import importlib
import sys
import threading
from functools import partial
from pathlib import Path

import msgspec

from hub.kit.trouble import ServiceTrouble

LOOK_S = 0.01
LIMITS = "only limits: "


def main(module: str, file: Path) -> None:
    found = importlib.import_module(module)
    trouble = ServiceTrouble(found.GOES_ON)
    say = getattr(found, "say_trouble", partial(trouble.say, "sending"))
    hub_is_gone = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(hub_is_gone,), daemon=True).start()
    said = 0
    while not hub_is_gone.wait(LOOK_S):
        texts = msgspec.json.decode(file.read_bytes(), type=list[str])
        for text in texts[said:]:
            if text.startswith(LIMITS):
                trouble.say("beside", text.removeprefix(LIMITS), limits=True)
            else:
                say(text)
        said = len(texts)


def _wait_for_the_end(hub_is_gone: threading.Event) -> None:
    sys.stdin.read()
    hub_is_gone.set()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
