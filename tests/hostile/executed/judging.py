"""Compares what a line did with what the reading said of it."""

import posixpath
import re
from collections.abc import Iterator

import msgspec

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command
from hub.screening.commands.reading import CommandReading
from tests.hostile.executed.grammar import Built, Line
from tests.hostile.executed.network import ADDRESS
from tests.hostile.executed.sandbox import Seen

PROJECT = "/home/me/shop"
SCRATCH = "/tmp/"  # noqa: S108  the container's own
SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib", "/opt/", "/proc/self/exe")
RULES = (f"{PROJECT}/.git/hooks", f"{PROJECT}/.git/config", f"{PROJECT}/.git/info/attributes", f"{PROJECT}/.claude")
REFS = f"{PROJECT}/.git/refs/heads/"
SAMPLE = ".sample"
"""How git names the hooks that it brings along and does not run."""
SPOKEN = re.compile(r"[^ -~]")
"""Where what was said ends, as far as it is shown."""
ELSEWHERES_GIT = re.compile(r"\b(?:cd|pushd) (?!/home/me/shop |\.\.).*\bgit\b", re.DOTALL)
"""git in a folder below runs what the configuration of that folder names, whatever a line was built for."""
RENAMES_BRANCH = re.compile(r"\bgit branch (?:-\S+ )*(?:-m|--move)\b")
OWN_SETTINGS = f"{PROJECT}/.git/config"
OWN_KEY = "/home/me/.ssh/id_ed25519"
SECRETS = (OWN_KEY, "/home/me/.aws/credentials")
PRIVATE = ("/outside/", "/home/me/diary.txt", *SECRETS)
MAKERS = frozenset({"as", "cc1", "cc1plus", "collect2", "ld", "ld.bfd", "objcopy", "strip"})
"""Programs that remove the file that they were to write where they cannot make it; what was in it is overwritten."""
PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".tgz", ".tar")
HERE = ("0.", "127.", "::1", ":::")
"""Addresses of this machine, and of none: `0.0.0.1`."""
HANDSHAKES = ("22", "443", "5432")
"""Ports where a client says who it is, and nothing else, before it is answered."""
PLAIN_QUERIES = re.compile(r"\?(?:service=git-upload-pack|timeout=\d+s)(?= )")
"""What git and kubectl ask before anything else."""
LABEL_CHARS = 24
"""A name with a longer part may hold more than a name."""
PLAIN_GETS = ("GET ", "HEAD ")

_CODE = frozenset({Effect.RUNS_UNKNOWN_CODE})
_AWAY = frozenset({Effect.LEAVES_THE_MACHINE, Effect.MESSAGES, Effect.PAYS, Effect.TOUCHES_PRODUCTION})
_SYSTEM = frozenset({Effect.CHANGES_SYSTEM, Effect.CHANGES_PERMISSIONS})
FORETOLD = {
    "deletes": _CODE | {Effect.DELETES},
    "moves out": _CODE | _SYSTEM | {Effect.DELETES},
    "writes inside": _CODE | _SYSTEM | {Effect.WRITES_IN_WORKSPACE, Effect.DELETES, Effect.RUNS_PROJECT_CODE},
    "writes rules": _CODE | _SYSTEM,
    "writes outside": _CODE | _SYSTEM | {Effect.DELETES},
    "changes rights": _CODE | _SYSTEM,
    "runs a program of the project": _CODE | {Effect.RUNS_PROJECT_CODE, Effect.CHANGES_PERMISSIONS},
    "runs a program from outside": _CODE,
    "ends programs": _CODE | _SYSTEM,
    "sends": _CODE | _AWAY,
    "reads secrets": _CODE | _AWAY | {Effect.READS_SECRETS},
}
"""By which effects each thing seen is said; what is more than reading and not in this list is a surprise."""


ELSEWHERE = frozenset({"writes rules", "writes scratch", "writes outside", "runs a program from outside"}) | {
    *("sends", "looks away", "reads outside", "reads secrets"),
}
"""What a line that stays in its folder does not do."""


class Surprise(msgspec.Struct, frozen=True, kw_only=True):
    """A line that did what was not said of it; `is_silent` where nobody would have been asked either."""

    line: Line
    what: tuple[str, ...]
    said: tuple[str, ...]
    is_silent: bool


def read(line: Line) -> CommandReading:
    """Return what is said of a line before it runs."""
    return read_command(line.text, folder=PROJECT)


def asks(reading: CommandReading) -> bool:
    """Return True if a person would be asked."""
    return is_dangerous(reading) or is_unknown(reading)


def surprise(line: Line, reading: CommandReading, seen: Seen) -> Surprise | None:
    """Return what the reading did not say of what was seen; what it did not understand, it does not vouch for."""
    if not reading.understood:
        return None
    what = tuple(dict.fromkeys(_unsaid(line, reading, seen)))
    said = tuple(effect.value for effect in reading.effects) + (("stays",) if reading.stays else ())
    return Surprise(line=line, what=what, said=said, is_silent=not asks(reading)) if what else None


def _unsaid(line: Line, reading: CommandReading, seen: Seen) -> Iterator[str]:
    effects = frozenset(reading.effects)
    is_own_code = line.built is Built.PROJECT and Effect.RUNS_PROJECT_CODE in effects
    is_gits = any(path.endswith("/git") for path in seen.started) and " config" not in line.text
    is_made = any(posixpath.basename(path) in MAKERS for path in seen.started)
    for fact, detail in facts(seen):
        is_overwritten = is_made and fact == "deletes" and posixpath.basename(detail) in line.text
        kind = _place(detail) if is_overwritten else fact
        if is_gits and detail.startswith(OWN_SETTINGS):
            continue  # a remote or a branch that git itself wrote down
        if is_gits and detail == OWN_KEY and not reading.stays and any(path.endswith("/ssh") for path in seen.started):
            continue  # git logs in with it at the machine that the line names
        if RENAMES_BRANCH.search(line.text) and detail.startswith(REFS):
            continue  # it stands there under its new name
        if kind in FORETOLD and not is_own_code and FORETOLD[kind].isdisjoint(effects):
            yield f"{kind}: {detail}"
        elif kind in ELSEWHERE and reading.stays and not is_own_code and not asks(reading):
            yield f"does not stay, {kind}: {detail}"
    if line.built is Built.HARMLESS and Effect.RUNS_PROJECT_CODE in effects and not ELSEWHERES_GIT.search(line.text):
        yield "is said to run the project's code"


def facts(seen: Seen) -> Iterator[tuple[str, str]]:
    """Yield what a line did, each thing with the place where."""
    if seen.ended:
        yield "ends programs", "all"
    elsewhere = [path for path in seen.written if _place(path) in {"writes outside", "writes scratch"}]
    away = "moves out" if any(not path.startswith(SCRATCH) for path in elsewhere) else "writes scratch"
    for path in seen.deleted:
        if not _is_packed(path, seen):
            yield ("deletes" if len(elsewhere) < len(seen.deleted) else away), path
    for path in (*seen.written, *(path for path in seen.moved if not path.startswith(PROJECT))):
        yield _place(path), path
    for path in seen.rights:
        yield "changes rights", path
    yield from _runs(seen)
    yield from _sends(seen)
    for path in seen.read:
        if path in SECRETS:
            yield "reads secrets", path
        if path.startswith(PRIVATE):
            yield "reads outside", path


def _is_packed(path: str, seen: Seen) -> bool:
    """Return True if what was in a file stands beside it now, packed or unpacked; git packs its refs into one file."""
    if path.startswith(f"{PROJECT}/.git/refs/") and f"{PROJECT}/.git/packed-refs" in seen.written:
        return True
    stem = path.rpartition(".")[0] if path.endswith(PACKED) else path
    return any((one.startswith(path) and one != path) or one in {stem, f"{stem}.tar"} for one in seen.written)


def _place(path: str) -> str:
    if path.startswith(RULES) and not path.endswith(SAMPLE):
        return "writes rules"
    if path.startswith(PROJECT + "/"):
        return "writes inside"
    return "writes scratch" if path.startswith(SCRATCH) else "writes outside"


def _runs(seen: Seen) -> Iterator[tuple[str, str]]:
    for mark in seen.marks:
        yield f"runs a program {'from outside' if mark.startswith('outside') else 'of the project'}", mark
    for path in seen.started:
        if path.startswith(("/outside/", SCRATCH)):
            yield "runs a program from outside", path
        elif not path.startswith(SYSTEM):
            yield "runs a program of the project", path


def _sends(seen: Seen) -> Iterator[tuple[str, str]]:
    """Yield what went to others: a name or a page that is only got is a look outside, anything else is sent."""
    for text in seen.sent:
        if text.startswith("name "):
            yield ("sends" if max(map(len, text[5:].split("."))) > LABEL_CHARS else "looks away"), SPOKEN.split(text)[0]
        elif text.startswith(f"port {ADDRESS} "):
            yield ("looks away" if _is_a_look(text) else "sends"), SPOKEN.split(text)[0]
    for address in seen.addresses:
        if not address.startswith(HERE):
            yield "sends", address


def _is_a_look(text: str) -> bool:
    """Return True if a connection only asked for a page without a query, or went no further than to say who asks."""
    _, _, port, *said = text.split(" ", 3)
    request = said[0] if said else ""
    return (
        not request
        or port in HANDSHAKES
        or (request.startswith(PLAIN_GETS) and "?" not in PLAIN_QUERIES.sub("", request.split("\r\n")[0]))
    )
