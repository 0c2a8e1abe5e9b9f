"""Places: strangers make room for each other in order, and never for long; who is known keeps a place."""

import asyncio
from collections.abc import Callable

import pytest

from hub.io.server.places import (
    JUDGED_S,
    KEEP_ALIVE_S,
    STRANGER_QUIET_S,
    UNSIGNED_MAX,
    UNSIGNED_S,
    ConnectionPlace,
    Places,
    places_within,
)

TOTAL = 40
SHARE = 10


class Timer:
    """What the loop is to do, and when."""

    def __init__(self, at_s: float, do: Callable[[], None]) -> None:
        self.at_s = at_s
        self.do = do

    def cancel(self) -> None:
        self.do = lambda: None


class TurnedLoop(asyncio.SelectorEventLoop):
    """A loop whose time is turned by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.at_s = 100.0
        self.timers: list[Timer] = []
        self.soon: list[Callable[[], None]] = []

    def time(self) -> float:
        return self.at_s

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:  # type: ignore[override]  # all that is used
        self.timers.append(Timer(when, callback))
        return self.timers[-1]

    def call_soon(self, callback: Callable[[], None]) -> None:  # type: ignore[override]  # all that is used
        self.soon.append(callback)

    def turn(self, seconds: float) -> None:
        end_s = self.at_s + seconds
        while due := [timer for timer in self.timers if timer.at_s <= end_s]:
            first = min(due, key=lambda timer: timer.at_s)
            self.timers.remove(first)
            self.at_s = max(self.at_s, first.at_s)
            first.do()
        self.at_s = end_s


class Door:
    """Places, and who was dropped."""

    def __init__(self, total: int = TOTAL) -> None:
        self.loop = TurnedLoop()
        self.places = Places(total, self.loop)
        self.dropped: list[str] = []

    def enter(self, name: str) -> ConnectionPlace:
        return self.places.enter(lambda: self.dropped.append(name))


@pytest.fixture
def door() -> Door:
    made = Door()
    made.loop.close()
    return made


def test_the_stranger_that_was_quiet_longest_makes_room_and_never_the_newcomer(door: Door) -> None:
    for number in range(SHARE + 3):
        door.enter(f"s{number}")
        door.loop.turn(0.1)
    assert door.dropped == ["s0", "s1", "s2"]
    assert door.places.strangers == SHARE


def test_a_newcomer_stays_also_when_all_others_are_being_answered(door: Door) -> None:
    for number in range(SHARE):
        door.enter(f"s{number}").answer()
        door.loop.turn(0.1)
    door.enter("new")
    assert door.dropped == ["s0"]


def test_who_is_known_is_not_touched_by_strangers(door: Door) -> None:
    known = door.enter("me")
    known.vouch("me")
    known.quiet()
    for number in range(10 * SHARE):
        door.enter(f"s{number}")
    assert "me" not in door.dropped
    assert door.places.strangers == SHARE


def test_one_client_holds_at_most_half_of_the_places(door: Door) -> None:
    places = [door.enter(str(number)) for number in range(TOTAL)]
    for place in places[-SHARE:]:
        place.vouch("greedy")
    for _ in range(3):
        for _ in range(SHARE):
            door.enter("more").vouch("greedy")
    assert len(door.places.known) == door.places.known_max // 2
    other = door.enter("other")
    other.vouch("other")
    assert other.client == "other"


@pytest.mark.parametrize(
    ("prepare", "limit_s"),
    [
        (lambda _: None, STRANGER_QUIET_S),
        (lambda place: place.become_socket(), UNSIGNED_S),
        (lambda place: (place.vouch("me"), place.answer(), place.quiet()), KEEP_ALIVE_S),
    ],
)
def test_deadlines(door: Door, prepare: Callable[[ConnectionPlace], object], limit_s: float) -> None:
    prepare(door.enter("one"))
    door.loop.turn(limit_s - 0.1)
    assert door.dropped == []
    door.loop.turn(0.2)
    assert door.dropped == ["one"]
    assert door.places.strangers == 0


def test_a_request_begins_the_deadline_anew_and_nobody_is_dropped_while_answered(door: Door) -> None:
    place = door.enter("one")
    door.loop.turn(STRANGER_QUIET_S - 1)
    place.answer()
    door.loop.turn(STRANGER_QUIET_S)
    place.quiet()
    door.loop.turn(STRANGER_QUIET_S - 1)
    assert door.dropped == []


def test_a_signed_in_socket_stays(door: Door) -> None:
    place = door.enter("one")
    place.become_socket()
    place.vouch("me")
    door.loop.turn(10 * KEEP_ALIVE_S)
    assert door.dropped == []


def test_nobody_makes_room_while_it_is_found_out_who_they_are(door: Door) -> None:
    request, socket = door.enter("request"), door.enter("socket")
    request.judge()
    request.answer()
    socket.become_socket()
    socket.judge()
    for number in range(10 * SHARE):
        door.enter(f"s{number}")
    assert not {"request", "socket"} & set(door.dropped)
    assert door.places.strangers == SHARE
    request.vouch("me")
    socket.turn_down()
    door.loop.turn(0.1)
    for number in range(10 * SHARE):
        door.enter(f"t{number}")
    assert "socket" in door.dropped
    assert "request" not in door.dropped


def test_to_be_judged_is_no_place_to_stay(door: Door) -> None:
    for number in range(SHARE // 2 + 1):
        door.enter(str(number)).judge()
    assert door.dropped == ["0"], "so many are judged at once"
    door.loop.turn(JUDGED_S + 0.1)
    assert door.places.strangers == 0


def test_only_so_many_sockets_are_unsigned() -> None:
    door = Door(total=10 * UNSIGNED_MAX)
    for number in range(UNSIGNED_MAX + 2):
        door.enter(str(number)).become_socket()
    assert door.dropped == ["0", "1"]
    door.loop.close()


def test_without_anybody_there_is_no_timer(door: Door) -> None:
    assert door.loop.timers == []
    door.enter("one").leave()
    door.loop.turn(STRANGER_QUIET_S)
    assert door.loop.timers == []
    assert door.dropped == []


def test_strangers_requests_begin_one_in_a_turn_and_those_that_left_not_at_all(door: Door) -> None:
    begun: list[int] = []
    places = [door.enter(str(number)) for number in range(3)]
    for number, place in enumerate(places):
        door.places.in_turn(place, lambda number=number: begun.append(number))  # type: ignore[misc]  # a bound default
    places[1].leave()
    door.loop.soon.pop(0)()
    assert begun == [0]
    door.loop.soon.pop(0)()
    assert begun == [0, 2]
    assert door.loop.soon == []


@pytest.mark.parametrize(("files", "most"), [(256, 128), (1_024, 820), (20_000, 16_384), (1_000_000, 16_384)])
def test_connections_leave_files_for_the_rest(files: int, most: int) -> None:
    assert 0 < places_within(files) <= most < files
