"""The audit of mutations: whatever single thing is changed in it, it is found, and where."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.drives import AuditBreak
from hub.domain.drives import Drives
from hub.domain.mutations import Mutation, MutationRecord
from hub.may import linked, remembered, verify

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
COUNT = 6


def record(number: int) -> MutationRecord:
    return MutationRecord(
        id=f"m{number}",
        at=NOW + timedelta(minutes=number),
        by="opencode",
        mutation=Mutation(kind="adjust_weight", drive="curiosity", value=0.6 + number / 10, reason=f"reason {number}"),
        status="applied",
        before=0.5 + number / 10,
        after=0.6 + number / 10,
    )


def chain(count: int = COUNT) -> tuple[tuple[MutationRecord, ...], Drives]:
    drives, made = Drives(), list[MutationRecord]()
    for number in range(count):
        made.append(linked(record(number), drives.audit_hash))
        drives = remembered(drives, made[-1])
    return tuple(made), drives


RECORDS, REMEMBERED = chain()


def checked(records: tuple[MutationRecord, ...]) -> AuditBreak | None:
    return verify(records, head=REMEMBERED.audit_hash, count=REMEMBERED.audit_count)


def test_what_was_not_touched_holds() -> None:
    assert checked(RECORDS) is None
    assert verify((), head="", count=0) is None
    assert RECORDS[0].previous == ""
    assert len(RECORDS[0].hash) == 64


def test_a_number_is_the_same_however_it_was_written() -> None:
    whole = linked(replace(record(1), before=5, after=6), "")
    assert whole == linked(replace(record(1), before=5.0, after=6.0), "")
    assert verify((whole,)) is None


CHANGES = st.sampled_from(
    [
        {"id": "other"},
        {"at": NOW - timedelta(days=1)},
        {"by": "somebody"},
        {"mutation": Mutation(kind="adjust_rate", value=0.1)},
        {"mutation": replace(record(0).mutation, reason="another reason")},
        {"mutation": replace(record(0).mutation, value=9.0)},
        {"status": "refused"},
        {"before": None},
        {"after": 3.0},
        {"asked_value": 1.0},
        {"note": "never said"},
        {"undoes": "m0"},
        {"previous": "0" * 64},
        {"hash": "0" * 64},
        {"hash": ""},
    ]
)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.integers(0, COUNT - 1), CHANGES)
def test_any_changed_field_is_found_where_it_is(place: int, change: dict[str, object]) -> None:
    changed = replace(RECORDS[place], **change)
    found = checked((*RECORDS[:place], changed, *RECORDS[place + 1 :]))
    assert found is not None
    assert (found.index, found.kind) == (place, "changed")


@pytest.mark.slow
@given(st.integers(0, COUNT - 1), CHANGES)
def test_a_change_whose_own_hash_was_made_anew_is_found_too(place: int, change: dict[str, object]) -> None:
    forged = linked(replace(RECORDS[place], **change), RECORDS[place].previous)
    found = checked((*RECORDS[:place], forged, *RECORDS[place + 1 :]))
    assert (found is None) == (forged == RECORDS[place])


@pytest.mark.slow
@given(st.integers(0, COUNT - 1))
def test_a_removed_record_is_found(place: int) -> None:
    found = checked(RECORDS[:place] + RECORDS[place + 1 :])
    assert found is not None
    kind = "beginning" if place == 0 else "end" if place == COUNT - 1 else "out-of-line"
    assert (found.index, found.kind) == (place, kind)


@pytest.mark.slow
@given(st.integers(0, COUNT), st.integers(0, COUNT - 1))
def test_an_inserted_record_is_found(place: int, which: int) -> None:
    found = checked((*RECORDS[:place], RECORDS[which], *RECORDS[place:]))
    assert found is not None
    stranger = linked(record(99), RECORDS[place - 1].hash if place else "")
    assert checked((*RECORDS[:place], stranger, *RECORDS[place:])) is not None


@pytest.mark.slow
@given(st.permutations(range(COUNT)))
def test_any_other_order_is_found(order: list[int]) -> None:
    found = checked(tuple(RECORDS[place] for place in order))
    assert (found is None) == (order == sorted(order))


@pytest.mark.slow
@given(st.integers(0, COUNT), st.integers(0, COUNT))
def test_what_was_cut_off_is_found_at_both_ends(front: int, end: int) -> None:
    found = checked(RECORDS[front : COUNT - end])
    assert (found is None) == (front == 0 and end == 0)


def test_a_cut_end_is_seen_only_by_who_remembers_it() -> None:
    assert verify(RECORDS[:-1]) is None
    cut = verify(RECORDS[:-1], count=COUNT)
    assert cut is not None
    assert cut.kind == "end"


def test_a_chain_that_was_written_anew_is_found_by_its_last_hash() -> None:
    forged, previous = list[MutationRecord](), ""
    for one in RECORDS:
        forged.append(linked(replace(one, by="somebody"), previous))
        previous = forged[-1].hash
    assert verify(forged) is None
    found = checked(tuple(forged))
    assert found is not None
    assert found.kind == "rewritten"


@pytest.mark.parametrize("says", ["ä«\n\u202e", '"}\\', "x" * 500])
def test_any_words_are_held_as_they_are(says: str) -> None:
    one = linked(replace(record(1), note=says), "")
    assert verify((one,)) is None
    assert verify((replace(one, note=says + " "),)) is not None
