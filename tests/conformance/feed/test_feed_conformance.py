"""What every feed keeps to: the hub's own, and the one that the API is tested with."""

from typing import Protocol

import pytest

from hub.contract.events import AnyEvent, Paused, Resumed
from hub.ports import Feed, Numbered
from hub.runner.feed import KEPT_EVENTS_MAX, LiveFeed
from tests.fakes.feed import FakeFeed


class TellingFeed(Feed, Protocol):
    """A feed with the loop's side of it."""

    def tell(self, event: AnyEvent) -> None: ...


@pytest.fixture(params=[LiveFeed, FakeFeed])
def feed(request: pytest.FixtureRequest) -> TellingFeed:
    made: TellingFeed = request.param()
    return made


def test_events_are_numbered_from_one(feed: TellingFeed) -> None:
    heard: list[Numbered] = []
    assert feed.seq == 0
    feed.add(heard.append)
    feed.tell(Paused(reason="lunch"))
    feed.tell(Resumed())
    assert heard == [Numbered(seq=1, event=Paused(reason="lunch")), Numbered(seq=2, event=Resumed())]
    assert feed.seq == 2


def test_every_listener_hears_until_it_leaves(feed: TellingFeed) -> None:
    first: list[Numbered] = []
    second: list[Numbered] = []
    feed.add(first.append)
    feed.add(second.append)
    feed.tell(Resumed())
    feed.remove(first.append)
    feed.tell(Resumed())
    assert (len(first), len(second)) == (1, 2)


def test_a_listener_may_leave_while_it_hears(feed: TellingFeed) -> None:
    heard: list[int] = []

    def once(numbered: Numbered) -> None:
        heard.append(numbered.seq)
        feed.remove(once)

    feed.add(once)
    feed.add(lambda numbered: heard.append(-numbered.seq))
    feed.tell(Resumed())
    feed.tell(Resumed())
    assert sorted(heard) == [-2, -1, 1]


def test_what_came_after_is_given_again(feed: TellingFeed) -> None:
    for _ in range(5):
        feed.tell(Resumed())
    assert [numbered.seq for numbered in feed.since(2) or ()] == [3, 4, 5]
    assert feed.since(5) == ()
    assert len(feed.since(0) or ()) == 5


def test_nothing_happened_yet(feed: TellingFeed) -> None:
    assert feed.since(0) == ()


def test_the_future_and_what_is_forgotten_are_none(feed: TellingFeed) -> None:
    assert feed.since(1) is None
    for _ in range(KEPT_EVENTS_MAX + 10):
        feed.tell(Resumed())
    assert feed.since(9) is None
    assert len(feed.since(10) or ()) == KEPT_EVENTS_MAX
    assert feed.since(feed.seq + 1) is None
