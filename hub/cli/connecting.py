"""Reading and changing an agent's own settings, and the small program that its hooks start."""

import contextlib
import json
import os
import shutil
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from hub.cli.hook_program import is_as_written, program_text
from hub.cli.plugin_file import (
    SettingsUnreadableError,
    is_of_this_pulse,
    plugin_text,
    program_in_plugin,
    wait_in_plugin,
)
from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.contract.phrasing import Phrasing
from hub.domain.cut_off import NOT_DISCONNECTED
from hub.domain.provenance import Wording, as_said, say
from hub.io.agents.hooks.connections import PLUGIN, AgentConnection
from hub.io.agents.hooks.wiring import (
    FOLDER,
    WAIT_S_DEFAULT,
    HookWish,
    Json,
    PlacedHooks,
    altered,
    is_switched_off,
    placed,
    program_name,
    put_in,
    rule_put_in,
    rule_taken_out,
    taken_out,
)
from hub.io.home.agents_connected import AgentsConnected, HookTerms
from hub.io.home.folder import Home, HomeError
from hub.io.home.private_files import make_room, private_folder
from hub.kit.files import read_regular, replace_file
from hub.kit.jsonc import object_in

SETTINGS_BYTES_MAX = 4_194_304
PROGRAM_MODE = 0o700
KEPT = ".before-pulse"
INDENT_DEFAULT = 2


class SettingsChangedError(WorldError):
    """The agent's settings changed in the meantime, so nothing was written. Run the command again."""

    code = "agent-settings-changed"


class SettingsChange(Value):
    """What would stand in a file of settings, and what stands there; empty where there is no file.

    `is_whole`: the file is ours alone, and goes as a whole; `is_exact`: it becomes what it was before, to the byte.
    `has_ours`: Pulse is in it already, so the copy of what was there before it stays. `terms` are those by which the
    agent is connected everywhere, None where it is not, or for one project alone. `project` is the folder of the
    project whose file it is. `homes` are the folders of every Pulse that is in it, which need not be this one:
    the caller of `pulse` says where its folder is.
    """

    path: Path
    before: str
    after: str
    removes: bool = False
    closed: bool = False
    terms: HookTerms | None = None
    is_whole: bool = False
    is_exact: bool = False
    has_ours: bool = False
    project: Path | None = None
    homes: frozenset[Path] = frozenset()


class AgentFound(Value, rename="camel"):
    """How one agent is connected by one of its files of settings, and what stands in the way, as sentences.

    `was_connected`: it is not, though it was and nobody disconnected it. `is_half`: what is wrong may be that a file is
    just being written, for it is missing, empty or unreadable.
    """

    agent: str
    title: str
    file: str
    state: str
    closed: bool = False
    wait_s: int = 0
    was_connected: bool = False
    is_half: bool = False
    notes: tuple[str, ...] = ()
    notes_worded: tuple[Phrasing | None, ...] = ()


def addition(which: AgentConnection, wish: HookWish, *, project: bool) -> SettingsChange:
    """Return what connecting would change.

    Raises:
        SettingsUnreadableError: the settings are not what the agent could read either.
    """
    path, root = place_of(which, project=project), Path.cwd() if project else None
    before, document = _read(path, which, root)
    homes = _homes(document, which)
    terms = HookTerms(wait_s=wish.wait_s, closed=wish.fail == "closed") if is_persons(which, path) else None
    if which.plugin:
        after = plugin_text(which, wish)
        return SettingsChange(path=path, before=before, after=after, terms=terms, project=root, homes=homes)
    settings = put_in(document, which.entries(wish), which.agent, which.extra)
    settings = rule_put_in(settings, which.own_tools) if wish.own_tools else settings
    text = before if settings == document else _written(settings, before)
    has_ours = bool(placed(document, which.agent).events)
    return SettingsChange(
        path=path,
        before=before,
        after=text,
        closed=wish.fail == "closed",
        terms=terms,
        has_ours=has_ours,
        project=root,
        homes=homes,
    )


def removal(which: AgentConnection, *, project: bool) -> SettingsChange:
    """Return what taking it back would change; raises as `addition` does."""
    path, root = place_of(which, project=project), Path.cwd() if project else None
    before, document = _read(path, which, root)
    homes = _homes(document, which)
    if which.plugin:
        return SettingsChange(
            path=path, before=before, after="", removes=True, is_whole=True, project=root, homes=homes
        )
    after = rule_taken_out(taken_out(document, which.agent), which.own_tools)
    if after == document:
        return SettingsChange(path=path, before=before, after=before, removes=True, project=root)
    original = _original(path)
    known: Json = json.loads(original) if original.strip() else {}
    is_alike = after in (known, {**which.extra, **known})
    return SettingsChange(
        path=path,
        before=before,
        after=original if is_alike else _written(after, before),
        removes=True,
        is_whole=is_alike and not original,
        is_exact=is_alike,
        project=root,
        homes=homes,
    )


def _homes(document: Json, which: AgentConnection) -> frozenset[Path]:
    """Return the folder of every Pulse whose program the agent starts."""
    programs = (one for one in placed(document, which.agent).programs if "\0" not in one)
    return frozenset(Path(os.path.realpath(Path(one).parents[1])) for one in programs)


def _original(path: Path) -> str:
    """Return what stood in a file before Pulse was put in; empty where there was no file, or nobody can tell."""
    copy = _copy_of(path)
    try:
        text = _text(copy)
        json.loads(text or "{}")
    except (SettingsUnreadableError, ValueError, RecursionError):
        return ""
    return text


def _copy_of(path: Path) -> Path:
    real = path.resolve()
    return real.with_name(real.name + KEPT)


def hooks_in(text: str, which: AgentConnection) -> int:
    """Return how many of the agent's events start a program of ours, by a file of settings that was read before."""
    if which.plugin:
        return int(bool(text))
    return len(placed(json.loads(text), which.agent).events) if text.strip() else 0


def write(change: SettingsChange) -> str:
    """SettingsChange the file in one step; return where what was there is kept, empty if nothing was.

    Raises:
        SettingsChangedError: it is not what was shown any more.
        SettingsUnreadableError: it cannot be written.
    """
    _refuse_link(change.path, change.project)
    path = change.path.resolve()  # a link into somebody's dotfiles stays a link
    if _text(path) != change.before:
        raise SettingsChangedError(f"{change.path} has changed in the meantime.", fix="Run the command again.")
    try:
        copy = _copy_of(path)
        if change.is_whole:
            path.unlink(missing_ok=True)
            return ""
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = ""
        mode = None
        if change.before:
            mode = stat.S_IMODE(path.stat().st_mode)
            if not (change.is_exact or change.has_ours):
                replace_file(copy, change.before.encode())
                kept = str(copy)
        replace_file(path, change.after.encode())
        if mode is not None:
            path.chmod(mode)
        if change.is_exact or not (change.before or change.has_ours):
            copy.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsUnreadableError(
            f"{change.path} cannot be written: {error.strerror or error}.", fix="Check that you can write there."
        ) from error
    return kept


def place_of(which: AgentConnection, *, project: bool) -> Path:
    """Return the file of settings that is meant."""
    if project:
        return Path.cwd() / which.project
    moved = os.environ.get(which.folder_variable, "") if which.folder_variable else ""
    return Path(moved) / (which.below or Path(which.user).name) if moved else Path.home() / which.user


def is_persons(which: AgentConnection, path: Path) -> bool:
    """Return True if this is the file by which an agent is connected everywhere, and not for one project."""
    return os.path.realpath(path) == os.path.realpath(place_of(which, project=False))


def program_of(home: Path, which: AgentConnection) -> Path:
    """Return the program that the agent's hooks start."""
    return home / FOLDER / program_name(which.agent)


def keep_program(home: Path, which: AgentConnection) -> None:
    """Write that program, as it must be for this installation. It stays when an agent is taken back: others use it.

    Raises:
        OSError: it cannot be written.
    """
    path = program_of(home, which)
    Home(home).prepare()
    private_folder(path.parent)
    replace_file(path, program_text(home, which).encode())
    path.chmod(PROGRAM_MODE)


def put_program_back(home: Path, which: AgentConnection) -> bool:
    """Write that program again where it is missing or changed; return True if so, and it could be written."""
    path = program_of(home, which)
    if os.access(path, os.X_OK) and _is_as_written(home, which):
        return False
    try:
        make_room(path)
        keep_program(home, which)
    except (OSError, HomeError):  # it stays as it is, and a look at the agent's settings tells what is wrong
        return False
    return True


def connected_since(home: Path, which: AgentConnection) -> datetime | None:
    """Return when Pulse was put into the agent's settings: the moment of what was written then and not since."""
    settings = place_of(which, project=False)
    for path in (settings,) if which.plugin else (_copy_of(settings), program_of(home, which)):
        with contextlib.suppress(OSError):
            return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return None


def look(
    home: Path,
    which: AgentConnection,
    projects: Sequence[Path] | None = None,
    connected: AgentsConnected | None = None,
) -> list[AgentFound]:
    """Say how an agent is connected: by its user's settings, and by the project's of this folder if there are any.

    `projects` are the folders whose own settings may switch its hooks off; None is this one. `connected` is what is
    known of connected agents; None is what the file says of them.
    """
    user, own = place_of(which, project=False), place_of(which, project=True)
    switches = switches_of(which, [Path.cwd()] if projects is None else projects)
    known = AgentsConnected(home) if connected is None else connected
    found = [_with_memory(known, _found(home, which, user, switches, terms=known.terms(which.agent)))]
    if own.exists() and not is_persons(which, own):
        found.append(_found(home, which, own, switches, root=Path.cwd()))
    return found


def _with_memory(known: AgentsConnected, found: AgentFound) -> AgentFound:
    """Say of an agent that is not connected whether it was, and nobody disconnected it."""
    if found.state != "not connected" or found.agent not in known.agents:
        return found
    return replace(
        found,
        was_connected=True,
        notes=(NOT_DISCONNECTED.text, *found.notes),
        notes_worded=(NOT_DISCONNECTED.wording, *found.notes_worded),
    )


def switches_of(which: AgentConnection, projects: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files that may switch an agent's hooks off beside those that hold them, whether they exist or not."""
    own = place_of(which, project=False)
    below = Path(which.below) if which.below else Path(own.name)
    folders = [own.parents[len(below.parts) - 1], *(one / Path(which.project).parent for one in projects)]
    return tuple(dict.fromkeys(folder / name for folder in folders for name in which.beside))


def cut_off_by_bug(which: AgentConnection, terms: Sequence[HookTerms]) -> Wording:
    """Return what is told of an agent at whose settings the look broke: nobody knows whether it asks."""
    return say(
        "Pulse cannot make sense of {file}, so it may not ask. To connect it again: {command}",
        file=str(place_of(which, project=False)),
        command=connect_again(which, terms),
    )


def cut_off_by(which: AgentConnection, found: AgentFound, terms: Sequence[HookTerms]) -> Wording:
    """Return why an agent that was connected by these terms does not ask as it did, with what repairs that."""
    if found.state == "not connected":
        return say(
            "Nothing in {file} starts Pulse anymore. To connect it again: {command}",
            file=found.file,
            command=connect_again(which, terms),
        )
    first = as_said(found.notes[0], found.notes_worded[0] if found.notes_worded else None)
    if found.state == "unreadable":
        return say("{why} To connect it again: {command}", why=first, command=connect_again(which, terms))
    return first


def _found(
    home: Path,
    which: AgentConnection,
    path: Path,
    switches: Sequence[Path],
    *,
    root: Path | None = None,
    terms: Sequence[HookTerms] = (),
) -> AgentFound:
    found = AgentFound(agent=which.agent, title=which.title, file=str(path), state="")
    try:
        text, document = _read(path, which, root)
    except SettingsUnreadableError as error:
        return replace(found, state="unreadable", is_half=True, notes=(error.detail,))
    there = placed(document, which.agent)
    wrong = [*_wrong(home, which, there, text, document, terms=terms), *_off(which, there, path, document, switches)]
    unread = [] if wrong or not there.events else list(_unreadable(one for one in switches if one != path))
    notes = [*wrong, *unread, *_notes(which, there)]
    return replace(
        found,
        state=_state(home, which, there, is_well=not (wrong or unread)),
        closed=there.closed,
        wait_s=there.wait_s if there.events else 0,
        is_half=bool(unread) or not text.strip(),
        notes=tuple(note.text for note in notes),
        notes_worded=tuple(note.wording for note in notes),
    )


def _state(home: Path, which: AgentConnection, there: PlacedHooks, *, is_well: bool) -> str:
    if not there.events:
        return "not connected"
    if there.programs != (str(program_of(home, which)),):
        return "another Pulse"
    return "connected" if is_well else "incomplete"


def _wrong(
    home: Path,
    which: AgentConnection,
    there: PlacedHooks,
    text: str,
    document: Json,
    *,
    terms: Sequence[HookTerms],
) -> Iterator[Wording]:
    """Yield what of ours in an agent's settings has to be repaired."""
    if not there.events:
        return
    again = connect_again(which, terms)
    missing = set(which.entries(HookWish(program=""))) - set(there.events)
    if missing:
        names = ", ".join(sorted(missing))
        yield say("It is incomplete (missing: {names}). To repair it: {command}", names=names, command=again)
    changed = _altered(which, there, document, terms)
    if changed:
        yield say(
            "Its hooks are not as this version of Pulse writes them ({names}). To repair it: {command}",
            names=", ".join(sorted(changed)),
            command=again,
        )
    if which.plugin and not is_of_this_pulse(text, which):
        yield say("It was added by another version of Pulse. To update it: {command}", command=again)
    if there.programs != (str(program_of(home, which)),):
        other = ", ".join(there.programs)
        yield say("It asks another Pulse, through {other}. To connect it: {command}", other=other, command=again)
    elif not os.access(there.programs[0], os.X_OK):
        gone = there.programs[0]
        yield say("Its program {program} is missing. To repair it: {command}", program=gone, command=again)
    elif not _is_as_written(home, which):
        own = there.programs[0]
        yield say(
            "Its program {program} is not as Pulse writes it. To repair it: {command}", program=own, command=again
        )


def _altered(which: AgentConnection, there: PlacedHooks, document: Json, terms: Sequence[HookTerms]) -> tuple[str, ...]:
    """Return what of ours is other than Pulse writes it for what the person connected the agent with."""
    if which.plugin:
        return (PLUGIN,) if terms and there.wait_s not in {one.wait_s for one in terms} else ()
    wishes = [HookWish(program="", fail="closed" if one.closed else "open", wait_s=one.wait_s) for one in terms]
    return altered(document, which.agent, which.entries, wishes)


def _is_as_written(home: Path, which: AgentConnection) -> bool:
    try:
        return is_as_written(program_of(home, which), home, which)
    except OSError:
        return False


def connect_again(which: AgentConnection, terms: Sequence[HookTerms]) -> str:
    """Return what connects an agent again, as its person did last."""
    last = terms[-1] if terms else HookTerms(wait_s=WAIT_S_DEFAULT)
    wait = f" --wait {_length(last.wait_s)}" if last.wait_s != WAIT_S_DEFAULT else ""
    return f"{which.command}{wait}{' --closed' if last.closed else ''}"


def _length(seconds: int) -> str:
    """Return a length of time as `--wait` takes it."""
    size, unit = next((size, unit) for size, unit in ((3_600, "h"), (60, "m"), (1, "s")) if seconds % size == 0)
    return f"{seconds // size}{unit}"


def _notes(which: AgentConnection, there: PlacedHooks) -> Iterator[Wording]:
    """Yield what else is to be known of it."""
    if not there.events and not shutil.which(which.program):
        yield say("`{program}` is not on your PATH.", program=which.program)
    if there.closed:
        yield say("While Pulse is not running, it is refused.")


def _off(
    which: AgentConnection, there: PlacedHooks, path: Path, document: Json, switches: Sequence[Path]
) -> Iterator[Wording]:
    """Yield the first file that switches an agent's hooks off, if there is one."""
    read = ((path, document), *((one, _settings_in(one) or {}) for one in switches if one != path))
    off = next((one for one, settings in read if is_switched_off(settings, which.agent)), None)
    if there.events and off is not None:
        yield say(
            "Its hooks are switched off in {file}, so it does not ask Pulse. To repair it: remove that setting.",
            file=str(off),
        )


def _unreadable(switches: Iterable[Path]) -> Iterator[Wording]:
    """Yield the first file that Pulse cannot read, and that may switch an agent's hooks off, if there is one."""
    for path in switches:
        if _settings_in(path) is None:
            found = str(path)
            yield say("{file} cannot be read, so it may switch its hooks off. To repair it: correct it.", file=found)
            return


def _settings_in(path: Path) -> Mapping[str, object] | None:
    """Return what a file of settings says, with comments in it or not; None where it cannot be read."""
    try:
        text = _text(path)
        return tomllib.loads(text) if path.suffix == ".toml" else object_in(text)
    except (SettingsUnreadableError, ValueError, RecursionError):
        return None


def _read(path: Path, which: AgentConnection, root: Path | None) -> tuple[str, Json]:
    _refuse_link(path, root)
    text = _text(path)
    if not text.strip():
        return text, {}
    if which.plugin:
        waits = f"--wait={wait_in_plugin(text) or 0}"
        return text, {"hooks": {PLUGIN: [program_in_plugin(path, text, which), waits]}}
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SettingsUnreadableError(
            f"{path} is not JSON: {error}.", fix="Fix it or move it away, then run the command again."
        ) from error
    if not isinstance(document, dict) or not isinstance(document.get("hooks", {}), dict):
        raise SettingsUnreadableError(f"{path} is not a settings file.", fix="`hooks` must be an object.")
    return text, document


def _refuse_constant(name: str) -> object:
    """Refuse what Python takes for a number and an agent for a mistake, so that it reads nothing of the file."""
    raise ValueError(f"{name} is not JSON")


def _refuse_link(path: Path, root: Path | None) -> None:
    """Refuse a file of a project that a link leads to: whoever wrote the repository chose where to.

    Raises:
        SettingsUnreadableError: it, or a folder of it, is a link.
    """
    below = [] if root is None else [path, *path.parents[: len(path.relative_to(root).parts) - 1]]
    link = next((one for one in below if one.is_symlink()), None)
    if link is not None:
        raise SettingsUnreadableError(
            f"{link} is a link, so it is not this project's own file.",
            fix="Remove the link, or connect for all projects by leaving out --project.",
        )


def _text(path: Path) -> str:
    try:
        raw, _ = read_regular(path, SETTINGS_BYTES_MAX + 1)
        if len(raw) > SETTINGS_BYTES_MAX:
            raise SettingsUnreadableError(f"{path} is too large.", fix="A settings file has a few kilobytes.")
        return raw.decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsUnreadableError(f"{path} cannot be read: {error}.", fix="Check what it is.") from error


def _written(document: Json, before: str) -> str:
    """Return settings as text, indented as they were."""
    if not document and not before:
        return ""
    return json.dumps(document, indent=indent_of(before), ensure_ascii=False) + "\n"


def indent_of(text: str) -> int | str:
    """Return by what the lines of settings are indented, or would be if Pulse wrote them."""
    second = text.splitlines()[1] if text.count("\n") > 1 else ""
    return second[: len(second) - len(second.lstrip())] or INDENT_DEFAULT
