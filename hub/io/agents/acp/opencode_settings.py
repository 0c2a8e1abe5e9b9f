"""OpenCode's settings, from where it looks for them: the person's own, and those that a repository brings along."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from hub.contract.base import Value
from hub.io.agents.acp.opencode_rules import FROM_FILE, may_loosen, permission_text, rules_in
from hub.io.sensors.bounded import head
from hub.kit.jsonc import object_in
from hub.kit.loose_json import LooseJson
from hub.kit.text import one_line

FILE_BYTES_MAX = 1024 * 1024
RULES_MAX = 2_000
AGENT_BYTES_MAX = 64 * 1024
AGENTS_MAX = 200
SHOWN_CHARS_MAX = 300
PERMISSION = "OPENCODE_PERMISSION"
NO_PROJECT = "OPENCODE_DISABLE_PROJECT_CONFIG"
MANAGED = Path("/etc/opencode")
"""Where an administrator's settings are."""
NAMES = ("opencode.json", "opencode.jsonc")
AGENT_FOLDERS = ("agent", "agents", "mode", "modes")
TELLING = ("permission", "tools", "\\", FROM_FILE, "{env:")
"""What may give one of OpenCode's own agents a permission, or hide that it does."""
UNREADABLE = (
    "OpenCode's settings in {} cannot be read ({}), so Pulse asks about what they might deny. Fix or remove the file."
)
LOOSE = "This project's OpenCode settings ({}) may let OpenCode act without asking, so this run goes without them."
TOO_MANY = "Your OpenCode settings have too many rules to be handed on, so whole tools are denied. Shorten the rules."
_VARIABLE = re.compile(r"\{env:([^}]+)\}")


class MadeToAsk(Value):
    """What a run is given so that its agent asks, and what the person is to know about that."""

    environment: Mapping[str, str]
    notes: tuple[str, ...] = ()


class _Read(Value):
    """Settings that were read; `loose` is where a repository's may let OpenCode act unasked."""

    documents: tuple[LooseJson, ...] = ()
    notes: tuple[str, ...] = ()
    loose: str = ""


def opencode_made_to_ask(folder: Path, environ: Mapping[str, str], managed: Path = MANAGED) -> MadeToAsk:
    """Return what makes OpenCode ask in a folder and keeps denied what is.

    Args:
        folder: the workspace.
        environ: what the run itself sees; OpenCode finds the person's settings by it.
        managed: where an administrator's settings are.
    """
    own = tuple(_own_files(environ, managed))
    mine = _read(own, environ)
    content = environ.get("OPENCODE_CONFIG_CONTENT", "")
    said = _parsed(content, "OPENCODE_CONFIG_CONTENT", environ) if content else _Read()
    theirs = _Read() if _is_on(environ, NO_PROJECT) else _project(folder, own, environ)
    text, is_coarse = permission_text((*mine.documents, *said.documents), theirs.documents, alone=bool(theirs.loose))
    notes = (*mine.notes, *said.notes, *theirs.notes, *([TOO_MANY] if is_coarse else ()))
    without = {NO_PROJECT: "1"} if theirs.loose else {}
    return MadeToAsk(environment={PERMISSION: text, **without}, notes=notes)


def _own_files(environ: Mapping[str, str], managed: Path) -> Iterator[Path]:
    home = Path(environ.get("HOME") or Path.home())
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
    yield config / "config.json"
    yield from (config / name for name in NAMES)
    if environ.get("OPENCODE_CONFIG"):
        yield Path(environ["OPENCODE_CONFIG"])
    folders = (home / ".opencode", *map(Path, filter(None, (environ.get("OPENCODE_CONFIG_DIR"),))), managed)
    yield from (one / name for one in folders for name in NAMES)


def _project(folder: Path, own: tuple[Path, ...], environ: Mapping[str, str]) -> _Read:
    """Read what is in the workspace and above it, up to its repository."""
    levels = _levels(folder)
    found = [level / name for level in levels for name in NAMES]
    dotted = [level / ".opencode" for level in levels if level / ".opencode" / NAMES[0] not in own]
    read = _read((*found, *(one / name for one in dotted for name in NAMES)), environ, project=True)
    loose = read.loose or next((str(one) for one in dotted if _has_loose_agents(one)), "")
    note = (LOOSE.format(one_line(loose, SHOWN_CHARS_MAX)),) if loose else ()
    return _Read(documents=read.documents, notes=(*read.notes, *note), loose=loose)


def _levels(folder: Path) -> list[Path]:
    """Return the folders from the repository's own, or from the root where there is none, down to the workspace."""
    upward = [folder, *folder.parents]
    end = next((place for place, one in enumerate(upward) if (one / ".git").exists()), len(upward) - 1)
    return upward[end::-1]


def _read(files: tuple[Path, ...], environ: Mapping[str, str], *, project: bool = False) -> _Read:
    documents: list[LooseJson] = []
    notes: list[str] = []
    loose = ""
    for file in files:
        one = _one_file(file, environ)
        documents += one.documents
        notes += one.notes
        if project and not loose and (one.notes or any(map(may_loosen, one.documents))):
            loose = str(file)
    return _Read(documents=tuple(documents), notes=tuple(notes), loose=loose)


def _one_file(file: Path, environ: Mapping[str, str]) -> _Read:
    try:
        raw = head(file, FILE_BYTES_MAX + 1)
    except (FileNotFoundError, NotADirectoryError):
        return _Read()
    except OSError as error:
        return _unreadable(str(file), error.strerror or str(error))
    if len(raw) > FILE_BYTES_MAX:
        return _unreadable(str(file), "it is larger than 1 MiB")
    return _parsed(raw.decode("utf-8", "replace"), str(file), environ)


def _parsed(text: str, where: str, environ: Mapping[str, str]) -> _Read:
    filled = _VARIABLE.sub(lambda found: environ.get(found[1], ""), text)
    try:
        found = object_in(filled)
    except ValueError as error:
        return _unreadable(where, str(error))
    if rules_in(found) > RULES_MAX:
        return _unreadable(where, f"it has more than {RULES_MAX} rules")
    return _Read(documents=(found,))


def _unreadable(where: str, why: str) -> _Read:
    return _Read(notes=(one_line(UNREADABLE.format(where, why), SHOWN_CHARS_MAX),))


def _has_loose_agents(dotted: Path) -> bool:
    """Whether a folder of a repository's brings agents of OpenCode's with permissions of their own, or too many."""
    files = []
    for kind in AGENT_FOLDERS:
        for place, folders, names in os.walk(dotted / kind):
            if any((Path(place) / one).is_symlink() for one in folders):
                return True
            files += [Path(place) / name for name in names if name.endswith(".md")]
            if len(files) > AGENTS_MAX:
                return True
    return any(map(_is_loose_agent, files))


def _is_loose_agent(file: Path) -> bool:
    """Whether the head of an agent's file may give it a permission; one that cannot be read may."""
    try:
        text = head(file, AGENT_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return True
    first, _, rest = text.partition("\n")
    if not first.startswith("---"):
        return False
    said, end, _ = rest.partition("\n---")
    return first.strip() != "---" or not end or any(word in said for word in TELLING)


def _is_on(environ: Mapping[str, str], name: str) -> bool:
    return environ.get(name, "").lower() in {"1", "true"}
