"""Reading the settings file: every mistake in one go, and an unknown key answered with the nearest valid one."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from enum import EnumType
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

import msgspec

from hub.contract.errors import UserError
from hub.domain.policy import WOKEN
from hub.kit.files import read_regular
from hub.kit.private_address import unsafe
from hub.kit.surface import SurfaceSpec
from hub.kit.text import counted, cut
from hub.sense.drive_files import named_file
from hub.settings.schema import FIRST_TWIN, TWINS_MAX, DriveSettings, Settings, default_channels, with_surfaces

Surfaces = Sequence[SurfaceSpec[Any]]
SetUp = dict[str, dict[str, Any]]
SET_UP = "set-up.json"
"""Beside the person's own file, which Pulse never writes: what its commands set up, by table. Theirs is stronger."""
SET_UP_KEYS = {"api": ("public_url", "own_certificate", "port"), "codex": ("attach", "wait_s", "home")}
"""What `pulse phone` and `pulse connect codex` write there; a surface's spec says what its set-up does."""
SET_UP_NAMED_KEYS = {"agents": ("kind", "argv", "environment"), "channels": ("specialty", "affinities", "agent")}
"""What `pulse agent setup` writes there, in a table of each name."""
STARTED = ("command", "acp")
"""The kinds of agents that are programs."""
FILE_BYTES_MAX = 1_048_576
SHOWN_CHARS_MAX = 60
PROGRAM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]*").fullmatch
NO_PROGRAM = "{name!r} is not a program name; write it as `ps -e` shows it: letters, digits and _ . @ + - only"
NOT_SET_UP = "`{place}` is set up by no command; take it out, or move it to config.toml if you want it"
UNKNOWN_FILE = "{name!r} does not say what is in it; write it like `goals:/path/to/it`"
WORDS = {
    "Expected": "must be",
    ", got ": ", not ",
    "`float`": "a number",
    "`int`": "a whole number",
    "`bool`": "true or false",
    "`str`": "text",
    "`array`": "a list",
    "`object`": "a table",
    "`date`": "a date",
    "`datetime`": "a date",
    "`time`": "a time",
    "|": " or ",
}
"""msgspec's words, and those of a person."""


class SettingsError(UserError):
    """The settings file has mistakes; Pulse did not start. Each line says where and what to write instead."""

    code = "bad-settings"

    def __init__(self, path: Path, mistakes: tuple[str, ...]) -> None:
        """Name the file and all mistakes in it."""
        self.mistakes = mistakes
        lines = "\n".join(f"  - {mistake}" for mistake in mistakes)
        super().__init__(
            f"{path} has {counted(len(mistakes), 'mistake')}:\n{lines}",
            fix="Fix the file, then run `pulse config check`.",
        )


def read_settings(path: Path, surfaces: Surfaces) -> Settings:
    """Read the settings, with a table for each of the surfaces; a missing file means all defaults.

    Raises:
        SettingsError: unreadable, not TOML, or with unknown keys or wrong values; all of them are named.
    """
    text, set_up = _text(path), _set_up(path.with_name(SET_UP), surfaces)
    return parse_settings("" if text is None else text, path, surfaces, set_up)


def parse_settings(text: str, path: Path, surfaces: Surfaces = (), set_up: SetUp | None = None) -> Settings:
    """Read settings from TOML text; `path` is only named in errors. Where it is silent, what was `set_up` holds."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML; a number of thousands of digits; brackets without end
        raise SettingsError(path, (f"not valid TOML: {error}",)) from error
    for table, values in (set_up or {}).items():
        written = data.setdefault(table, {})
        if isinstance(written, dict):
            data[table] = {**values, **written}
    kind = with_surfaces(surfaces)
    mistakes = tuple(_mistakes(data, kind, ""))
    if mistakes:
        raise SettingsError(path, mistakes)
    settings = msgspec.convert(data, kind)
    mistakes = (*_contradictions(settings), *_of_surfaces(settings, surfaces))
    if mistakes:
        raise SettingsError(path, mistakes)
    defaults = Settings()
    return msgspec.structs.replace(
        settings,
        channels={**default_channels(), **settings.channels},
        agents={**defaults.agents, **settings.agents},
    )


def require_set_up(set_up: SetUp, path: Path, surfaces: Surfaces) -> None:
    """Refuse what no command sets up: any other setting is the person's to write, where they look for it.

    Raises:
        SettingsError: such a key is among it; all of them are named.
    """
    known = {**SET_UP_KEYS, **{spec.table: spec.set_up_keys for spec in surfaces}}
    places = [
        (f"{table}.{key}", key in known.get(table, ()))
        for table in set_up.keys() - SET_UP_NAMED_KEYS
        for key in set_up[table]
    ]
    for table, keys in SET_UP_NAMED_KEYS.items():
        for name, values in set_up.get(table, {}).items():
            inner = values if isinstance(values, dict) else {}
            places += [(f"{table}.{name}.{key}", key in keys) for key in inner]
    mistakes = tuple(NOT_SET_UP.format(place=place) for place, is_known in sorted(places) if not is_known)
    if mistakes:
        raise SettingsError(path, mistakes)


def _set_up(path: Path, surfaces: Surfaces) -> SetUp:
    """Return what commands such as `pulse phone` set up, by table."""
    text = _text(path)
    try:
        found = {} if text is None else msgspec.json.decode(text, type=SetUp)
    except msgspec.DecodeError as error:
        raise SettingsError(path, (f"cannot be read: {error}; delete it and set up again",)) from error
    require_set_up(found, path, surfaces)
    return found


def _text(path: Path) -> str | None:
    try:
        raw, _ = read_regular(path, FILE_BYTES_MAX + 1)
        if len(raw) > FILE_BYTES_MAX:
            raise SettingsError(path, (f"larger than {FILE_BYTES_MAX} bytes",))
        return raw.decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(path, (f"cannot be read: {error}",)) from error


def _mistakes(data: dict[str, Any], kind: type[msgspec.Struct], where: str) -> list[str]:
    fields = {one.name: one for one in msgspec.structs.fields(kind)}
    found = []
    for key, value in data.items():
        place = f"{where}{key}"
        if key not in fields:
            found.append(f"unknown key `{place}`{_nearest(key, fields)}")
        else:
            found += _wrong(value, fields[key].type, place)
    return found


def _wrong(value: object, kind: Any, place: str) -> list[str]:  # noqa: ANN401  any annotation of the schema
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _mistakes(value, kind, f"{place}.") if isinstance(value, dict) else [f"`{place}` must be a table"]
    named: tuple[Any, ...] = getattr(kind, "__args__", ())
    if getattr(kind, "__origin__", None) is dict and isinstance(value, dict):
        return [mistake for name, inner in value.items() for mistake in _named(name, inner, named, place)]
    return _unfit(value, kind, place)


def _named(name: str, value: object, kinds: tuple[Any, ...], place: str) -> list[str]:
    return _unfit(name, kinds[0], f"{place}.{name}") or _wrong(value, kinds[1], f"{place}.{name}")


def _unfit(value: object, kind: Any, place: str) -> list[str]:  # noqa: ANN401  any annotation of the schema
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        shown = cut(repr(value), SHOWN_CHARS_MAX)
        return [f"`{place}`: {_plainly(str(error), kind)} (found {shown})"]
    return []


def _plainly(said: str, kind: Any) -> str:  # noqa: ANN401  any annotation of the schema
    """Say in plain words what msgspec says of a value."""
    if "matching regex" in said:
        return "may hold letters, digits, _ and - only"
    if said.startswith("Invalid enum value"):
        return f"must be one of {', '.join(_choices(kind))}"
    for theirs, ours in WORDS.items():
        said = said.replace(theirs, ours)
    return said.partition(" - at")[0]


def _choices(kind: Any) -> tuple[str, ...]:  # noqa: ANN401  any annotation of the schema
    return tuple(map(str, kind if isinstance(kind, EnumType) else get_args(kind)))


def _nearest(key: str, fields: dict[str, Any]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  only for a mistake

    close = get_close_matches(key, fields, n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else f"; known here: {', '.join(sorted(fields))}"


def _contradictions(settings: Settings) -> list[str]:
    agents = {**Settings().agents, **settings.agents}
    found = [
        f"`channels.{name}.agent`: there is no agent `{channel.agent}`; known: {', '.join(sorted(agents))}"
        for name, channel in settings.channels.items()
        if channel.agent not in agents
    ]
    found += [
        f"`agents.{name}.argv` is empty" for name, a in settings.agents.items() if a.kind in STARTED and not a.argv
    ]
    found += [
        f"`agents.{name}.url` is empty" for name, a in settings.agents.items() if a.kind == "openclaw" and not a.url
    ]
    woken = settings.drives.agent
    if woken and woken not in agents:
        found.append(f"`drives.agent`: there is no agent `{woken}`; known: {', '.join(sorted(agents))}")
    elif woken and agents[woken].kind not in WOKEN:
        found.append(f"`drives.agent`: `{woken}` cannot be woken by a message; its `kind` must be {' or '.join(WOKEN)}")
    if settings.person.zone and not _is_zone(settings.person.zone):
        found.append(f"`person.zone`: there is no time zone {settings.person.zone!r}; write one like `Europe/Berlin`")
    poll = settings.crosspoll
    if not poll.show_threshold <= poll.suggest_threshold <= poll.auto_execute_threshold:
        found.append("`crosspoll`: thresholds must not fall: show <= suggest <= auto_execute")
    found += _of_twins(settings)
    found += _of_drives(settings.drives)
    found += _of_caldav(settings)
    return found


def _of_caldav(settings: Settings) -> list[str]:
    account = settings.sensors.caldav
    if not account.url:
        others = account.user or account.password_file or account.calendars or account.hosts
        return ["`sensors.caldav.url` is empty"] if others else []
    trouble = unsafe(account.url)
    found = [f"`sensors.caldav.url`: {trouble.rstrip('.')}"] if trouble else []
    if not account.user:
        found.append("`sensors.caldav.user` is empty")
    if not (account.password_env or account.password_file):
        found.append("`sensors.caldav`: name the password's variable in `password_env`, or its file in `password_file`")
    return found


def _of_drives(drives: DriveSettings) -> Iterator[str]:
    yield from (f"`drives.files`: {UNKNOWN_FILE.format(name=one)}" for one in drives.files if not named_file(one))
    yield from (f"`drives.processes`: {NO_PROGRAM.format(name=one)}" for one in drives.processes if not PROGRAM(one))


def _of_twins(settings: Settings) -> list[str]:
    twin = settings.twin
    is_half = bool(twin.url) != bool(twin.model)
    found = []
    if twin.enabled and (is_half or not (twin.url or settings.twins)):
        found.append("`twin`: enabled, but `url` or `model` is empty")
    halves = (name for name, one in settings.twins.items() if not (one.url and one.model))
    found += [f"`twins.{name}`: `url` or `model` is empty" for name in halves if twin.enabled]
    if len(settings.twins) > TWINS_MAX:
        found.append(f"`twins`: more than {TWINS_MAX}")
    if FIRST_TWIN in settings.twins and twin.url:
        found.append(f"`twins.{FIRST_TWIN}`: the first of the models is called that; give this one another name")
    known = {*settings.twins, *((FIRST_TWIN,) if twin.url else ())}
    if (checker := settings.world.checker) and checker not in known:
        models = ", ".join(sorted(known)) or "none"
        found.append(f"`world.checker`: there is no model `{checker}`; known: {models}")
    return found


def _of_surfaces(settings: Settings, surfaces: Surfaces) -> Iterator[str]:
    """Say what does not fit in the tables of surfaces that say anything."""
    for spec in surfaces:
        config = spec.of(settings)
        if config != spec.config():
            yield from spec.lines(config)


def _is_zone(name: str) -> bool:
    try:
        return bool(ZoneInfo(name).key)
    except (KeyError, ValueError, OSError):
        return False
