"""Shares of waiting: each client has its own, several that are one client have theirs and a bound together."""

from contextlib import ExitStack

import pytest

from hub.contract.errors import BusyError
from hub.io.http.errors import NotSignedInError
from hub.io.live.waiting import WAITING_MAX_PER_CLIENT, WAITING_MAX_TOGETHER, Waiting
from tests.fakes.feed import FakeFeed

AGENTS = "local_agent"


def wait(waiting: Waiting, held: ExitStack, agent: str, count: int) -> None:
    for number in range(count):
        held.enter_context(waiting.for_card(f"{agent} {number}", agent, AGENTS))


def test_one_agent_that_waits_too_much_keeps_no_other_from_waiting() -> None:
    waiting = Waiting(FakeFeed())
    with ExitStack() as held:
        wait(waiting, held, "one", WAITING_MAX_PER_CLIENT)
        with pytest.raises(BusyError):
            wait(waiting, held, "one", 1)
        wait(waiting, held, "two", WAITING_MAX_PER_CLIENT)
    wait(waiting, held, "one", 1)
    held.close()
    assert len(waiting) == 0


def test_all_agents_together_leave_room_for_everybody_else() -> None:
    waiting = Waiting(FakeFeed())
    with ExitStack() as held:
        for number in range(WAITING_MAX_TOGETHER // WAITING_MAX_PER_CLIENT):
            wait(waiting, held, f"agent {number}", WAITING_MAX_PER_CLIENT)
        with pytest.raises(BusyError):
            wait(waiting, held, "one more", 1)
        held.enter_context(waiting.for_card("a card", "a token"))
        held.enter_context(waiting.for_card("a card"))
        assert len(waiting) == WAITING_MAX_TOGETHER + 2
    assert len(waiting) == 0
    assert not waiting.waits_for("a card")


def test_who_is_shut_out_while_waiting_is_woken_and_told_nothing() -> None:
    waiting = Waiting(FakeFeed())
    with waiting.for_card("a card", "another token") as others:
        with pytest.raises(NotSignedInError), waiting.for_card("a card", "a token") as woken:
            waiting.sign_out("a token")
        assert (woken.is_set(), others.is_set()) == (True, False)
    assert len(waiting) == 0
