import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.bounded import BoundedMap, BoundedSet, last_of

MOST = 4
keys = st.integers(0, 9)


@pytest.mark.slow
@given(written=st.lists(keys))
def test_a_map_keeps_what_was_written_last(written: list[int]) -> None:
    kept: BoundedMap[int, int] = BoundedMap(MOST)
    for turn, key in enumerate(written):
        kept[key] = turn
        assert len(kept) <= MOST
    latest = {key: turn for turn, key in enumerate(written)}
    assert list(kept.items()) == sorted(latest.items(), key=lambda entry: entry[1])[-MOST:]


@pytest.mark.slow
@given(written=st.lists(keys, max_size=30))
def test_every_way_to_write_is_bounded(written: list[int]) -> None:
    kept = BoundedMap(MOST, ((key, key) for key in written))
    kept.update({key + 10: key for key in written})
    kept.setdefault(99, 99)
    kept |= {key + 20: key for key in written}
    assert len(kept) <= MOST


def test_what_is_too_old_is_forgotten_up_to_what_is_not() -> None:
    kept = BoundedMap(MOST, [("a", 1), ("b", 2), ("c", 3), ("d", 1)])
    kept.forget_while(lambda at: at < 3)
    assert list(kept) == ["c", "d"]
    kept.forget_while(lambda at: at < 9)
    kept.forget_while(lambda at: at < 9)
    assert not kept


@pytest.mark.slow
@given(added=st.lists(keys))
def test_a_set_says_what_is_new_and_forgets_what_came_first(added: list[int]) -> None:
    kept: BoundedSet[int] = BoundedSet(MOST)
    expected: list[int] = []
    for key in added:
        assert kept.add(key) is (key not in expected)
        expected = expected if key in expected else [*expected, key][-MOST:]
        assert (list(kept), len(kept)) == (expected, len(expected))
        assert key in kept


def test_a_member_can_be_taken_out() -> None:
    kept = BoundedSet(MOST, "abc")
    kept.discard("b")
    kept.discard("z")
    assert list(kept) == ["a", "c"]


def test_a_map_says_what_it_forgot() -> None:
    kept: BoundedMap[str, int] = BoundedMap(2, (("a", 1), ("b", 2)))
    assert kept.put("a", 3) == []
    assert kept.put("c", 4) == [("b", 2)]
    assert dict(kept) == {"a": 3, "c": 4}


def test_the_last_entries_of_a_mapping_are_a_new_one() -> None:
    entries = {"a": 1, "b": 2, "c": 3}
    assert last_of(entries, 2) == {"b": 2, "c": 3}
    assert last_of(entries, 5) == entries
    assert list(entries) == ["a", "b", "c"]
