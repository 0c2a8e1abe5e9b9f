"""Keys of what was taken: each counts once, and no sender makes room by what another handed in."""

from hypothesis import given
from hypothesis import strategies as st

from hub.when.drives import heard_with
from hub.when.drives.heard import KEYS_MAX, SENDERS_MAX

KEYS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 60)), max_size=200)


def key(sender: str, number: object) -> str:
    return f"feedback/{sender}/{number}"


def test_a_sender_of_thousands_makes_room_by_its_own() -> None:
    heard = heard_with((), key("quiet", 1))
    for number in range(5_000):
        heard = heard_with(heard, key("loud", number))
    assert key("quiet", 1) in heard
    assert heard[-1] == key("loud", 4_999)
    assert len(heard) == KEYS_MAX + 1


def test_reports_and_changes_of_one_client_have_room_of_their_own() -> None:
    changes = tuple(f"mutations/one/{number}" for number in range(99))
    assert key("one", 1) in heard_with((key("one", 1),), *changes)


def test_all_senders_together_are_bounded() -> None:
    heard: tuple[str, ...] = ()
    for number in range(3 * SENDERS_MAX):
        heard = heard_with(heard, *(key(f"c{number}", each) for each in range(99)))
    assert len(heard) == SENDERS_MAX * KEYS_MAX


@given(KEYS)
def test_the_latest_of_each_sender_stay_each_once_in_their_order(taken: list[tuple[str, int]]) -> None:
    heard: tuple[str, ...] = ()
    for sender, number in taken:
        heard = heard_with(heard, key(sender, number))
    for sender in "abc":
        own = [key(sender, number) for name, number in taken if name == sender]
        latest = list(dict.fromkeys(reversed(own)))[:KEYS_MAX]
        assert [one for one in heard if one.startswith(key(sender, ""))] == latest[::-1]
