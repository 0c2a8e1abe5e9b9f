"""Files of goals, questions, feelings and hypotheses: what counts in them, whatever else they hold."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.domain.situation import DriveFileKind, DriveItem
from hub.sense.drive_files import (
    FILE_BYTES_MAX,
    ITEMS_MAX,
    KINDS,
    LOOKED_AT_MAX,
    TEXT_CHARS_MAX,
    WEIGHT_USUAL,
    WRONG_MAX,
    DriveFile,
    drive_file,
    named_file,
)

BERLIN = ZoneInfo("Europe/Berlin")
WRITTEN = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
"""A Tuesday."""


def read(content: object, kind: DriveFileKind = "goals") -> DriveFile:
    found = drive_file(json.dumps(content).encode(), kind, "/files/x.json", BERLIN, WRITTEN)
    assert isinstance(found, DriveFile), found
    return found


def texts(content: object, kind: DriveFileKind = "goals") -> list[str]:
    return [untrusted(item.text) for item in read(content, kind).items]


def only(content: object, kind: DriveFileKind = "goals") -> DriveItem:
    (item,) = read(content, kind).items
    return item


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("goals", {"goals": [{"title": "Ship it", "status": "inactive"}]}),
        ("goals", [{"name": "Ship it"}]),
        ("goals", ["Ship it"]),
        ("goals", {"goals": {"g1": {"text": "Ship it"}, "g2": {"title": "Built", "status": "done"}}}),
        ("curiosity", {"open_questions": ["Ship it"], "answered": ["Why?"]}),
        ("curiosity", {"questions": [{"question": "Ship it"}, {"question": "How?", "answer": "By hand"}]}),
        (
            "hypotheses",
            {"hypotheses": [{"hypothesis": "Ship it", "outcome": None}, {"name": "b", "outcome": "refuted"}]},
        ),
        ("hypotheses", [{"hypothesis": "Ship it", "outcome": "untested"}, {"title": "c", "tested": True}]),
        ("emotions", {"emotions": {"Ship it": 0.8, "calm": 0.7}}),
        ("emotions", {"feelings": [{"emotion": "Ship it", "intensity": 0.71}, {"name": "joy", "intensity": 0.2}]}),
        ("emotions", {"intensity": 0.9, "emotion": "Ship it"}),
    ],
)
def test_what_stands_open_is_read_in_every_shape(kind: DriveFileKind, content: object) -> None:
    assert texts(content, kind) == ["Ship it"]
    assert read(content, kind).wrong == ()


def test_one_feeling_may_stand_without_a_list_or_a_name() -> None:
    assert texts({"intensity": 0.9, "updated_at": "2026-03-01"}, "emotions") == ["feeling"]


@pytest.mark.parametrize("state", ["active", "in progress", "done", "Completed", "abandoned", "in_progress"])
def test_what_somebody_is_at_or_is_over_does_not_press(state: str) -> None:
    assert texts([{"title": "a", "status": state}, {"title": "b", "state": state}]) == []


@pytest.mark.parametrize("state", ["inactive", "Not Started", "not-started", "TODO", " open ", ""])
def test_what_nobody_has_begun_presses(state: str) -> None:
    assert texts([{"title": "a", "status": state}]) == ["a"]


@pytest.mark.parametrize(
    ("priority", "weight"),
    [
        *[("P0", 1.0), ("p1", 0.75), (2, 0.5), (3, 0.25), (0.9, 0.9), (0.0, 0.0)],
        *[(7, WEIGHT_USUAL), (-1, WEIGHT_USUAL), (10**400, WEIGHT_USUAL), (1e300, WEIGHT_USUAL)],
        *[(None, WEIGHT_USUAL), (True, WEIGHT_USUAL), ("urgent", WEIGHT_USUAL), ([], WEIGHT_USUAL)],
    ],
)
def test_a_priority_is_a_name_or_a_share(priority: object, weight: float) -> None:
    assert only([{"title": "a", "priority": priority}]).weight == weight


def test_a_feeling_weighs_its_intensity_and_without_one_it_is_named() -> None:
    found = read({"emotions": [{"name": "a", "intensity": 0.95}, {"name": "b", "intensity": 8}, "c"]}, "emotions")
    assert [item.weight for item in found.items] == [0.95]
    assert found.wrong == ("item 2 has no intensity from 0 to 1", "item 3 has no intensity from 0 to 1")


def test_an_item_is_the_same_by_its_id_or_else_by_its_words_and_counts_once() -> None:
    found = read([{"id": 7, "title": "a"}, {"id": 7, "title": "b"}, {"title": "c"}, "c"])
    assert [(untrusted(item.id), untrusted(item.text)) for item in found.items] == [("7", "a"), ("c", "c")]


@pytest.mark.parametrize(
    ("due", "at"),
    [
        ("2026-03-01", datetime(2026, 3, 1, 23, 59, tzinfo=BERLIN)),
        ("2026-03-01T10:00", datetime(2026, 3, 1, 10, 0, tzinfo=BERLIN)),
        ("2026-03-01T10:00:00Z", datetime(2026, 3, 1, 10, 0, tzinfo=UTC)),
        *[(odd, None) for odd in ("soon", "", 17, None, "9999-12-31T23:59:59", "0001-01-01")],
    ],
)
def test_a_time_without_a_zone_is_the_persons_and_a_day_ends_at_its_end(due: object, at: datetime | None) -> None:
    assert only([{"title": "a", "due": due}]).due_at == at


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b'{"goals": [{"title": "Lau', "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[" * 200_000, "not JSON"),
        (b"9" * 5_000, "not JSON"),
        (b"{}", 'an object with a list "goals"'),
        (b'{"goals": 3}', 'an object with a list "goals"'),
        (b"null", "neither a list"),
    ],
)
def test_what_is_no_file_of_items_says_why(raw: bytes, why: str) -> None:
    found = drive_file(raw, "goals", "x", BERLIN, WRITTEN)
    assert isinstance(found, str)
    assert why in found


def test_numbers_that_are_none_count_as_left_out() -> None:
    raw = b'[{"title": "a", "priority": NaN}, {"title": "b", "priority": Infinity}, {"title": "c", "priority": 1e999}]'
    found = drive_file(raw, "goals", "x", BERLIN, WRITTEN)
    assert isinstance(found, DriveFile)
    assert [item.weight for item in found.items] == [WEIGHT_USUAL] * 3


def test_a_byte_order_mark_is_no_mistake() -> None:
    assert isinstance(drive_file(b'\xef\xbb\xbf["a"]', "goals", "x", BERLIN, WRITTEN), DriveFile)


def test_everything_is_bounded_and_what_is_left_out_is_said() -> None:
    found = read(["x" * 5_000 + str(number) for number in range(10)])
    assert max(len(untrusted(item.text)) for item in found.items) <= TEXT_CHARS_MAX
    many = read([f"goal {number}" for number in range(300)])
    assert (len(many.items), many.wrong) == (ITEMS_MAX, ("only the first 200 of 300 open items count",))
    history = [{"title": f"over {number}", "status": "done"} for number in range(LOOKED_AT_MAX - 1)]
    assert texts([*history, "open"]) == ["open"]
    assert read([*history, "open", "more"]).wrong == ("only the first 5000 of 5001 items are read",)
    empty: list[Any] = [None, [], True, {}, {"title": "\u200b"}, {"title": 3}, {"title": ""}, {"x": "y"}]
    assert read(empty).wrong[0] == "item 1 says nothing"
    assert (len(read(empty).wrong), read(empty).wrong[-1]) == (WRONG_MAX + 1, "and 3 more")


def test_a_file_is_known_by_its_name_or_as_it_is_said() -> None:
    assert named_file("~/a/emotional-landscape.json") == ("emotions", "~/a/emotional-landscape.json")
    assert named_file("goals:/files/mine.json") == ("goals", "/files/mine.json")
    assert named_file("curiosity:goals.json") == ("curiosity", "goals.json")
    for unknown in ("/files/mine.json", "goals:", "notes:/x.json", ""):
        assert named_file(unknown) is None


@given(st.binary(max_size=400), st.sampled_from(KINDS))
def test_bytes_of_any_kind_are_read_or_refused(raw: bytes, kind: DriveFileKind) -> None:
    assert isinstance(drive_file(raw, kind, "x", UTC, WRITTEN), DriveFile | str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["goals", "title", "status", "priority", "due", "intensity", "id", "emotions", "x"]), inner
        )
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(JSON, st.sampled_from(KINDS))
def test_json_of_any_shape_is_read_or_refused(content: object, kind: DriveFileKind) -> None:
    found = drive_file(json.dumps(content).encode(), kind, "x", BERLIN, WRITTEN)
    if isinstance(found, DriveFile):
        assert all(0 <= item.weight <= 1 and untrusted(item.text) for item in found.items)


def test_a_file_of_the_largest_size_stays_bounded() -> None:
    raw = b"[" + b"1," * (FILE_BYTES_MAX // 2 - 2) + b"1]"
    found = drive_file(raw, "goals", "x", BERLIN, WRITTEN)
    assert isinstance(found, DriveFile)
    assert found.items == ()
    assert len(found.wrong) == WRONG_MAX + 2
