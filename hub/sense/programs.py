"""By which names a running process goes, from what Linux tells of it (proc(5)). Pure."""

ENDED = frozenset({b"Z", b"X", b"x"})
"""States of a process that only waits to be forgotten."""


def names_of(stat: bytes, cmdline: bytes) -> frozenset[str]:
    """Return its own name, its program's, and that of the script it runs; none of one that has ended or is unreadable.

    Args:
        stat: /proc/PID/stat: the name stands in brackets, and may itself hold brackets and spaces.
        cmdline: /proc/PID/cmdline, or its beginning: the arguments, each ended by a zero.
    """
    name, bracket, rest = stat.partition(b"(")[2].rpartition(b")")
    state = rest.split()[:1]
    if not bracket or not state or state[0] in ENDED:
        return frozenset()
    return frozenset(each.decode("utf-8", "replace") for each in (name, *_started(cmdline.split(b"\0"))) if each)


def _started(arguments: list[bytes]) -> tuple[bytes, bytes]:
    script = next((each for each in arguments[1:] if not each.startswith(b"-")), b"")
    return _last(arguments[0]), _last(script)


def _last(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
