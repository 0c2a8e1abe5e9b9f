"""Runs command lines for real, in a container that reaches nothing, and returns what each of them did."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.hostile.executed import template

HERE = Path(__file__).resolve().parent
CONTAINERS = 2
LINE_S_MAX = 8.0
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/opt")
EMPTY = ("/home", "/home/me", "/outside", "/tmp", "/marks", "/etc", "/root", "/run", "/var", "/var/tmp")  # noqa: S108  the container\'s own
BYTES_MAX = 64 * 1024 * 1024


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What one line did: absolute paths, canary programs that ran, programs started, what the network heard.

    `ended` is True where it ended the container's own programs as well, so that nothing else is known.
    """

    code: int = 0
    late: bool = False
    ended: bool = False
    started: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()


def run_lines(lines: Sequence[str]) -> list[Seen]:
    """Run each line in fresh trees, and return what each did, in their order."""
    with tempfile.TemporaryDirectory(prefix="pulse-executed-") as name, ThreadPoolExecutor(CONTAINERS) as pool:
        folder = Path(name)
        template.make(folder)
        parts = [lines[number::CONTAINERS] for number in range(CONTAINERS)]
        answers = list(pool.map(lambda part: _contained(folder, part), parts))
    seen: list[Seen | None] = [None] * len(lines)
    for number, answer in enumerate(answers):
        seen[number::CONTAINERS] = answer
    return [one for one in seen if one is not None]


def _contained(folder: Path, lines: Sequence[str]) -> list[Seen]:
    """Run some lines one after the other; a line that ends the container itself is followed by a new one."""
    seen: list[Seen] = []
    while len(seen) < len(lines):
        left = lines[len(seen) :]
        asked = "".join(json.dumps({"line": line}) + "\n" for line in left)
        argv = ["prlimit", f"--fsize={BYTES_MAX}", "bwrap", *_options(folder), "python3", "-B", "/driver/inside.py"]
        answered = subprocess.run(
            argv, input=asked, capture_output=True, text=True, timeout=60 + LINE_S_MAX * len(left), check=False
        )
        if answered.stderr:
            raise RuntimeError(f"the container says {answered.stderr[-2000:]}")
        seen += [msgspec.json.decode(line, type=Seen) for line in answered.stdout.splitlines()]
        seen += [Seen(ended=True)] if len(seen) < len(lines) else []
    return seen


def _options(folder: Path) -> list[str]:
    words = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    words += ["--cap-drop", "ALL", "--cap-add", "CAP_NET_BIND_SERVICE"]  # else root's lines take its network down
    words += ["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--tmpfs", "/"]
    for path in SYSTEM:
        words += ["--ro-bind-try", path, path]
    for path in EMPTY:
        words += ["--tmpfs", path]
    words += ["--ro-bind", "/etc", template.HOST_ETC, "--ro-bind", str(folder), "/template"]
    words += ["--ro-bind", str(HERE), "/driver", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/"]
    return [*words, "--chdir", "/driver"]
