"""Files of goals, questions, feelings and hypotheses that a person or their agents keep as JSON (DRIVES 2).

A fifth kind is a text in plain words, of which only the lines count that name a deadline (deadline_lines.py).

Others write them, for purposes of their own, so the schema (docs/drives.md) is narrow in what counts and wide in what
may stand beside it: an item needs words, everything else has a default, and an item that makes no sense is named while
the others count. A file that is not JSON, or has no list of items, is left out and named: it may be half-written.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time, tzinfo
from pathlib import PurePath
from typing import Any, get_args

from hub.contract.base import Value
from hub.domain.provenance import NoteText
from hub.domain.situation import DriveFileKind, DriveItem
from hub.kit.text import one_line
from hub.sense.deadline_lines import deadlines_in

FILE_BYTES_MAX = 256 * 1024
ITEMS_MAX = 200
"""Of a file, so many items press; the first that stand open."""
LOOKED_AT_MAX = 5_000
"""So many of its items are read, over or not."""
TEXT_CHARS_MAX = 300
WRONG_MAX = 5
"""So many items of a file are named."""
STRONG_ABOVE = 0.7
"""A feeling presses above this intensity (0 to 1)."""
KINDS: tuple[DriveFileKind, ...] = get_args(DriveFileKind)
NAMES: Mapping[str, DriveFileKind] = {
    "goals.json": "goals",
    "curiosity.json": "curiosity",
    "emotional-landscape.json": "emotions",
    "hypotheses.json": "hypotheses",
}
HEADING = re.compile(r"^#{1,6}\s+(.{1,300})$", re.MULTILINE)
LISTS: Mapping[DriveFileKind, tuple[str, ...]] = {
    "goals": ("goals",),
    "curiosity": ("questions", "open_questions"),
    "emotions": ("emotions", "feelings"),
    "hypotheses": ("hypotheses", "experiments"),
}
"""Under which names the items of each kind stand, where the file is an object."""
UNDER = ""
"""Holds what an item stands under, for one without words of its own."""
WORDS = ("title", "name", "text", "goal", "question", "hypothesis", "emotion", "description", UNDER)
STATES = ("status", "state")
OPEN = frozenset(
    {"", "inactive", "open", "todo", "new", "pending", "planned", "queued", "not_started", "paused", "blocked"}
    | {"unanswered", "unresolved", "untested", "proposed"}
)
"""The states in which an item presses; by any other word somebody is at it, or it is over."""
ENDED_BY = ("outcome", "result", "answer", "done", "completed", "answered", "resolved", "tested")
"""Fields that end an item as soon as something stands in them."""
CHANGED = ("updated_at", "updated", "created_at")
DUE = ("due", "due_at", "deadline")
PRIORITIES: Mapping[object, float] = {"p0": 1.0, "p1": 0.75, "p2": 0.5, "p3": 0.25}
WEIGHT_USUAL = 0.5
YEARS = range(1970, 2100)
"""Of no other year does anybody mean a date."""
END_OF_DAY = time(23, 59)
DAY_CHARS = len("2026-03-01")

Fields = Mapping[str, Any]
Listed = tuple[str, object]
"""An item, after the name that it stands under, if it does."""


class DriveFile(Value):
    """What is open in one file, and the items that are no use, with why."""

    items: tuple[DriveItem, ...] = ()
    wrong: tuple[str, ...] = ()


def named_file(setting: str) -> tuple[DriveFileKind, str] | None:
    """Return the kind and the path that a setting names: by its name, or as "goals:/path"; None if neither says one."""
    prefix, _, path = setting.partition(":")
    said = next((kind for kind in KINDS if kind == prefix and path), None)
    if said is not None:
        return said, path
    known = NAMES.get(PurePath(setting).name)
    return None if known is None else (known, setting)


def drive_file(raw: bytes, kind: DriveFileKind, path: str, zone: tzinfo, written_at: datetime) -> DriveFile | str:
    """Read a file; a `str` is why nothing of it can be used.

    Args:
        raw: the whole file.
        kind: what its items are.
        path: where it is, as each item is to say.
        zone: the person's time zone, for times that say none.
        written_at: when it was last written.
    """
    if kind == "deadlines":
        return _of_text(raw, path, written_at.astimezone(zone))
    try:
        found = json.loads(raw.decode("utf-8-sig"), parse_constant=lambda _name: None)
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except (ValueError, RecursionError):  # not JSON; a number of thousands of digits; brackets without end
        return "it is not JSON; perhaps it is still being written"
    listed = _listed(found, kind)
    if listed is None:
        names = " or ".join(f'"{name}"' for name in LISTS[kind])
        return f"it is neither a list nor an object with a list {names}"
    return _read(listed, kind, path, zone)


def _of_text(raw: bytes, path: str, written_at: datetime) -> DriveFile | str:
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "it is not UTF-8 text"
    heading = HEADING.search(content)
    title = one_line(heading[1] if heading else PurePath(path).stem, TEXT_CHARS_MAX)
    found: dict[str, DriveItem] = {}
    for due in deadlines_in(content, written_at):
        words = one_line(due.what, TEXT_CHARS_MAX) or title
        item = DriveItem(
            kind="deadlines", path=path, id=NoteText(words), text=NoteText(words), weight=WEIGHT_USUAL, due_at=due.at
        )
        found.setdefault(f"{words} {due.at:%Y-%m-%d}", item)
    return DriveFile(items=tuple(found.values()))


def _listed(found: object, kind: DriveFileKind) -> list[Listed] | None:
    """Return the items; None where there is no list. One feeling may stand without: an object with an intensity."""
    if isinstance(found, list):
        return list(_of(found))
    if not isinstance(found, dict):
        return None
    lists = [found[name] for name in LISTS[kind] if isinstance(found.get(name), list | dict)]
    if not lists:
        return [("feeling", found)] if kind == "emotions" and "intensity" in found else None
    return [item for one in lists for item in _of(one)]


def _of(listed: list[object] | dict[str, object]) -> Iterable[Listed]:
    """Return the items of a list, or of an object with an item under each name."""
    return (("", one) for one in listed) if isinstance(listed, list) else listed.items()


def _fields(name: str, one: object) -> Fields | None:
    """Return an item's fields: a bare text is its words, a bare number an intensity; None for what is no item."""
    own = {"id": name, UNDER: name} if name else {}
    match one:
        case dict():
            return {**own, **one}
        case str():
            return {**own, "title": one}
        case bool():
            return None
        case int() | float():
            return {**own, "intensity": one}
        case _:
            return None


def _read(listed: list[Listed], kind: DriveFileKind, path: str, zone: tzinfo) -> DriveFile:
    found, wrong = dict[NoteText, DriveItem](), list[str]()
    for number, named in enumerate(listed[:LOOKED_AT_MAX], start=1):
        fields = _fields(*named)
        words = "" if fields is None else one_line(_text(fields, WORDS), TEXT_CHARS_MAX)
        if fields is None or not words:
            wrong.append(f"item {number} says nothing")
        elif kind == "emotions" and _share(fields.get("intensity")) is None:
            wrong.append(f"item {number} has no intensity from 0 to 1")
        elif _presses(fields, kind):
            item = _item(fields, words, kind, path, zone)
            found.setdefault(item.id, item)
    more = (f"and {len(wrong) - WRONG_MAX} more",) if len(wrong) > WRONG_MAX else ()
    return DriveFile(
        items=tuple(found.values())[:ITEMS_MAX],
        wrong=(*wrong[:WRONG_MAX], *more, *_left_out(len(found), len(listed))),
    )


def _left_out(open_count: int, count: int) -> Iterator[str]:
    if open_count > ITEMS_MAX:
        yield f"only the first {ITEMS_MAX} of {open_count} open items count"
    if count > LOOKED_AT_MAX:
        yield f"only the first {LOOKED_AT_MAX} of {count} items are read"


def _presses(fields: Fields, kind: DriveFileKind) -> bool:
    """Return True if an item stands open; what is being worked on does not, nor does a weak feeling."""
    if kind == "emotions" and (_share(fields.get("intensity")) or 0.0) <= STRONG_ABOVE:
        return False
    return _is_open(_text(fields, STATES)) and not any(_ends(fields.get(name)) for name in ENDED_BY)


def _ends(value: object) -> bool:
    return not _is_open(value) if isinstance(value, str) else bool(value)


def _is_open(state: str) -> bool:
    return state.strip().casefold().replace("-", "_").replace(" ", "_") in OPEN


def _item(fields: Fields, words: str, kind: DriveFileKind, path: str, zone: tzinfo) -> DriveItem:
    own = fields.get("id")
    said = str(own) if isinstance(own, str | int) and own != "" else words
    return DriveItem(
        kind=kind,
        path=path,
        id=NoteText(one_line(said, TEXT_CHARS_MAX)),
        text=NoteText(words),
        weight=_weight(fields, kind),
        due_at=_moment(fields, DUE, zone, END_OF_DAY),
        updated_at=_moment(fields, CHANGED, zone, time.min),
    )


def _weight(fields: Fields, kind: DriveFileKind) -> float:
    """Return how much an item matters, 0 to 1: a feeling by its intensity, others by their priority."""
    said = fields.get("intensity" if kind == "emotions" else "priority")
    if isinstance(said, str):
        return PRIORITIES.get(said.strip().casefold(), WEIGHT_USUAL)
    if isinstance(said, int) and kind != "emotions":
        return PRIORITIES.get(f"p{said}", WEIGHT_USUAL)
    share = _share(said)
    return WEIGHT_USUAL if share is None else share


def _share(value: object) -> float | None:
    """Return a number from 0 to 1; None for anything else, also what is infinite or true."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _moment(fields: Fields, names: tuple[str, ...], zone: tzinfo, of_day: time) -> datetime | None:
    """Return the first of these that is a date or time of ISO 8601; a date alone is meant at that time of the day."""
    for name in names:
        said = _text(fields, (name,)).strip()
        try:
            is_day = len(said) <= DAY_CHARS
            moment = datetime.combine(date.fromisoformat(said), of_day) if is_day else datetime.fromisoformat(said)
        except ValueError:
            continue
        if moment.year in YEARS:
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return None


def _text(fields: Fields, names: tuple[str, ...]) -> str:
    return next((found for name in names if isinstance(found := fields.get(name), str) and found), "")
