"""Connections: strangers make room for each other in order, and never for long; who is known keeps a place."""

import asyncio
from collections.abc import Callable

import pytest

from hub.io.server.connection_limiter import (
    JUDGED_S,
    KEEP_ALIVE_S,
    STRANGER_QUIET_S,
    UNSIGNED_MAX,
    UNSIGNED_S,
    ConnectionLimiter,
    ConnectionSlot,
    slots_within,
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


class Limited:
    """A limiter, and who was dropped."""

    def __init__(self, total: int = TOTAL) -> None:
        self.loop = TurnedLoop()
        self.limiter = ConnectionLimiter(total, self.loop)
        self.dropped: list[str] = []

    def enter(self, name: str) -> ConnectionSlot:
        return self.limiter.enter(lambda: self.dropped.append(name))


@pytest.fixture
def limited() -> Limited:
    made = Limited()
    made.loop.close()
    return made


def test_the_stranger_that_was_quiet_longest_makes_room_and_never_the_newcomer(limited: Limited) -> None:
    for number in range(SHARE + 3):
        limited.enter(f"s{number}")
        limited.loop.turn(0.1)
    assert limited.dropped == ["s0", "s1", "s2"]
    assert limited.limiter.strangers == SHARE


def test_a_newcomer_stays_also_when_all_others_are_being_answered(limited: Limited) -> None:
    for number in range(SHARE):
        limited.enter(f"s{number}").answer()
        limited.loop.turn(0.1)
    limited.enter("new")
    assert limited.dropped == ["s0"]


def test_who_is_known_is_not_touched_by_strangers(limited: Limited) -> None:
    known = limited.enter("me")
    known.vouch("me")
    known.quiet()
    for number in range(10 * SHARE):
        limited.enter(f"s{number}")
    assert "me" not in limited.dropped
    assert limited.limiter.strangers == SHARE


def test_one_client_holds_at_most_half_of_the_places(limited: Limited) -> None:
    limiter = [limited.enter(str(number)) for number in range(TOTAL)]
    for slot in limiter[-SHARE:]:
        slot.vouch("greedy")
    for _ in range(3):
        for _ in range(SHARE):
            limited.enter("more").vouch("greedy")
    assert len(limited.limiter.known) == limited.limiter.known_max // 2
    other = limited.enter("other")
    other.vouch("other")
    assert other.client == "other"


@pytest.mark.parametrize(
    ("prepare", "limit_s"),
    [
        (lambda _: None, STRANGER_QUIET_S),
        (lambda slot: slot.become_socket(), UNSIGNED_S),
        (lambda slot: (slot.vouch("me"), slot.answer(), slot.quiet()), KEEP_ALIVE_S),
    ],
)
def test_deadlines(limited: Limited, prepare: Callable[[ConnectionSlot], object], limit_s: float) -> None:
    prepare(limited.enter("one"))
    limited.loop.turn(limit_s - 0.1)
    assert limited.dropped == []
    limited.loop.turn(0.2)
    assert limited.dropped == ["one"]
    assert limited.limiter.strangers == 0


def test_a_request_begins_the_deadline_anew_and_nobody_is_dropped_while_answered(limited: Limited) -> None:
    slot = limited.enter("one")
    limited.loop.turn(STRANGER_QUIET_S - 1)
    slot.answer()
    limited.loop.turn(STRANGER_QUIET_S)
    slot.quiet()
    limited.loop.turn(STRANGER_QUIET_S - 1)
    assert limited.dropped == []


def test_a_signed_in_socket_stays(limited: Limited) -> None:
    slot = limited.enter("one")
    slot.become_socket()
    slot.vouch("me")
    limited.loop.turn(10 * KEEP_ALIVE_S)
    assert limited.dropped == []


def test_nobody_makes_room_while_it_is_found_out_who_they_are(limited: Limited) -> None:
    request, socket = limited.enter("request"), limited.enter("socket")
    request.judge()
    request.answer()
    socket.become_socket()
    socket.judge()
    for number in range(10 * SHARE):
        limited.enter(f"s{number}")
    assert not {"request", "socket"} & set(limited.dropped)
    assert limited.limiter.strangers == SHARE
    request.vouch("me")
    socket.turn_down()
    limited.loop.turn(0.1)
    for number in range(10 * SHARE):
        limited.enter(f"t{number}")
    assert "socket" in limited.dropped
    assert "request" not in limited.dropped


def test_to_be_judged_is_no_place_to_stay(limited: Limited) -> None:
    for number in range(SHARE // 2 + 1):
        limited.enter(str(number)).judge()
    assert limited.dropped == ["0"], "so many are judged at once"
    limited.loop.turn(JUDGED_S + 0.1)
    assert limited.limiter.strangers == 0


def test_only_so_many_sockets_are_unsigned() -> None:
    limited = Limited(total=10 * UNSIGNED_MAX)
    for number in range(UNSIGNED_MAX + 2):
        limited.enter(str(number)).become_socket()
    assert limited.dropped == ["0", "1"]
    limited.loop.close()


def test_without_anybody_there_is_no_timer(limited: Limited) -> None:
    assert limited.loop.timers == []
    limited.enter("one").leave()
    limited.loop.turn(STRANGER_QUIET_S)
    assert limited.loop.timers == []
    assert limited.dropped == []


def test_strangers_requests_begin_one_in_a_turn_and_those_that_left_not_at_all(limited: Limited) -> None:
    begun: list[int] = []
    limiter = [limited.enter(str(number)) for number in range(3)]
    for number, slot in enumerate(limiter):
        limited.limiter.in_turn(slot, lambda number=number: begun.append(number))  # type: ignore[misc]  # a bound default
    limiter[1].leave()
    limited.loop.soon.pop(0)()
    assert begun == [0]
    limited.loop.soon.pop(0)()
    assert begun == [0, 2]
    assert limited.loop.soon == []


@pytest.mark.parametrize(("files", "most"), [(256, 128), (1_024, 820), (20_000, 16_384), (1_000_000, 16_384)])
def test_connections_leave_files_for_the_rest(files: int, most: int) -> None:
    assert 0 < slots_within(files) <= most < files
