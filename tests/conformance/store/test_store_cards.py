"""Cards: stored, moved by compare-and-set, found again."""

import asyncio
from datetime import timedelta, timezone

import pytest
from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.words import Source, Status
from hub.domain.storage import (
    AddCard,
    CardById,
    CardsByIds,
    CardsSince,
    Committed,
    CountOpen,
    CountOpenAsks,
    DueCards,
    HeldCards,
    Lost,
    MoveCard,
    NextDue,
    OpenCards,
    Query,
    RecentCards,
)
from hub.domain.suggestion import Card
from hub.io.store.errors import BrokenChangeError
from hub.io.store.limits import SEARCH_CHARS_MAX, SEARCHED_ROWS_MAX
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import ANNA, BERT, NOON, after, card, moved, proposal


async def ids(store: Store, query: Query[tuple[Card, ...]]) -> list[str]:
    return [found.id for found in await store.read(query)]


async def test_a_card_comes_back_as_it_was(store: Store, write: Sure) -> None:
    await write(AddCard(card=card(snoozed=60)))
    assert await store.read(CardById(user=ANNA, card_id="c1")) == card(snoozed=60)


async def test_an_unknown_card_is_none(store: Store) -> None:
    assert await store.read(CardById(user=ANNA, card_id="c1")) is None


async def test_nobody_sees_the_cards_of_another(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    assert await store.read(CardById(user=BERT, card_id="c1")) is None
    assert await store.read(CardsByIds(user=BERT, ids=("c1",))) == {}
    assert await store.read(CountOpen(user=BERT)) == 0
    assert await store.read(RecentCards(user=BERT, limit=9)) == ()


async def test_an_id_is_used_once(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    assert await store.commit([(AddCard(card=card(user=BERT)),)]) == (Lost(what="add-card c1"),)


async def test_a_card_moves_from_what_was_expected(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    move = moved(card(), Status.CONFIRMED)
    await write(move)
    assert await store.read(CardById(user=ANNA, card_id="c1")) == move.card


async def test_a_lost_move_carries_the_card_that_won(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    winner = moved(card(), Status.CONFIRMED)
    await write(winner)
    outcome = await store.commit([(moved(card(), Status.REJECTED),)])
    assert outcome == (Lost(what="move-card c1", card=winner.card),)


async def test_the_status_is_compared_beside_the_version(store: Store, write: Sure) -> None:
    await write(AddCard(card=card(status=Status.CONFIRMED)))
    assert await store.commit([(moved(card(), Status.REJECTED),)]) == (
        Lost(what="move-card c1", card=card(status=Status.CONFIRMED)),
    )


async def test_moving_an_unknown_or_foreign_card_is_lost(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    unknown, foreign = moved(card("c9"), Status.REJECTED), moved(card(user=BERT), Status.REJECTED)
    assert await store.commit([(unknown,), (foreign,)]) == (Lost(what="move-card c9"), Lost(what="move-card c1"))


async def test_one_of_many_answers_wins(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    answers = [moved(card(), status) for status in (Status.CONFIRMED, Status.REJECTED) * 16]
    outcomes = await asyncio.gather(*(store.commit([(answer,)]) for answer in answers))
    assert sum(outcome == (Committed(),) for outcome in outcomes) == 1


async def test_a_version_must_follow_the_expected_one(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    skip = MoveCard(card=card(version=3), expect_version=1, expect_status=Status.PENDING)
    with pytest.raises(BrokenChangeError):
        await store.commit([(skip,)])


async def test_a_confidence_is_a_share(store: Store) -> None:
    wild = card()
    broken = Card(
        id="c1",
        user=ANNA,
        version=1,
        status=Status.PENDING,
        proposal=proposal(confidence=1.5),
        prompt=wild.prompt,
        card_hash="h",
        created_at=NOON,
        expires_at=NOON,
        trigger="manual",
    )
    with pytest.raises(BrokenChangeError):
        await store.commit([(AddCard(card=broken),)])


async def test_several_cards_at_once(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a")), AddCard(card=card("b")))
    assert await store.read(CardsByIds(user=ANNA, ids=("b", "x", "a"))) == {"a": card("a"), "b": card("b")}


async def test_open_cards_newest_first(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a", created=1)), AddCard(card=card("b", created=2)), AddCard(card=card("c")))
    await write(moved(card("b", created=2), Status.REJECTED))
    assert await ids(store, OpenCards(user=ANNA, limit=9, now=NOON)) == ["a", "c"]
    assert await ids(store, OpenCards(user=ANNA, limit=1, now=NOON)) == ["a"]
    assert await store.read(CountOpen(user=ANNA)) == 2


async def test_held_cards_oldest_first_while_they_are_open(store: Store, write: Sure) -> None:
    def waits(id_: str, created: float) -> Card:
        return replace(card(id_, created=created), held=Held(until="digest", since=NOON))

    await write(AddCard(card=waits("a", 2)), AddCard(card=waits("b", 1)), AddCard(card=card("c")))
    assert await ids(store, HeldCards(user=ANNA, limit=9)) == ["b", "a"]
    assert await ids(store, HeldCards(user=ANNA, limit=1)) == ["b"]
    assert await ids(store, HeldCards(user=BERT, limit=9)) == []
    await write(moved(replace(waits("a", 2), held=None), Status.PENDING), moved(waits("b", 1), Status.REJECTED))
    assert await ids(store, HeldCards(user=ANNA, limit=9)) == []


async def test_open_questions_are_counted_by_whose_they_are(store: Store, write: Sure) -> None:
    def asked(id_: str, whose: str, snoozed: float | None = None) -> Card:
        made = card(id_, snoozed=snoozed)
        return replace(made, proposal=replace(made.proposal, source=Source.ASK, signature=whose))

    await write(*(AddCard(card=asked(id_, whose)) for id_, whose in (("a", "one"), ("b", "two"), ("c", "one"))))
    await write(AddCard(card=card("d")), AddCard(card=asked("e", "one", snoozed=60)))
    await write(moved(asked("c", "one"), Status.REJECTED))
    assert await store.read(CountOpenAsks(user=ANNA)) == {"one": 2, "two": 1}
    assert await store.read(CountOpenAsks(user=BERT)) == {}


async def test_a_negative_limit_finds_nothing(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    assert await ids(store, RecentCards(user=ANNA, limit=-1)) == []


async def test_open_cards_of_a_channel(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a")), AddCard(card=card("b", channel="chronicle-hub")))
    assert await ids(store, OpenCards(user=ANNA, limit=9, now=NOON, channel="chronicle-hub")) == ["b"]


async def test_snoozed_cards_hide_until_their_time(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a", snoozed=60)))
    assert await ids(store, OpenCards(user=ANNA, limit=9, now=after(59.999999))) == []
    assert await ids(store, OpenCards(user=ANNA, limit=9, now=after(60))) == ["a"]
    assert await ids(store, OpenCards(user=ANNA, limit=9, now=NOON, snoozed=True)) == ["a"]
    assert await store.read(CountOpen(user=ANNA)) == 1


async def test_cards_fall_due_when_they_expire_or_wake_up(store: Store, write: Sure) -> None:
    await write(
        AddCard(card=card("late", expires=90)),
        AddCard(card=card("awake", expires=3_600, snoozed=30)),
        AddCard(card=card("soon", expires=20)),
        AddCard(card=card("done", expires=10, status=Status.REJECTED)),
    )
    assert await store.read(NextDue(user=ANNA)) == after(20)
    assert await ids(store, DueCards(user=ANNA, now=after(19.999999), limit=9)) == []
    assert await ids(store, DueCards(user=ANNA, now=after(30), limit=9)) == ["soon", "awake"]
    assert await ids(store, DueCards(user=ANNA, now=after(99), limit=2)) == ["soon", "awake"]


async def test_a_snooze_longer_than_the_card_lives_does_not_keep_it(store: Store, write: Sure) -> None:
    await write(AddCard(card=card(expires=10, snoozed=100)))
    assert await store.read(NextDue(user=ANNA)) == after(10)


async def test_a_settled_card_is_never_due_and_an_undone_one_is_again(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    rejected = moved(card(), Status.REJECTED)
    await write(rejected)
    assert await store.read(NextDue(user=ANNA)) is None
    await write(moved(rejected.card, Status.PENDING, snoozed=7))
    assert await store.read(NextDue(user=ANNA)) == after(7)


async def test_recent_cards_by_page(store: Store, write: Sure) -> None:
    await write(*(AddCard(card=card(f"c{n}", created=n)) for n in range(5)))
    assert await ids(store, RecentCards(user=ANNA, limit=2)) == ["c4", "c3"]
    assert await ids(store, RecentCards(user=ANNA, limit=2, before=after(3))) == ["c2", "c1"]


async def test_cards_of_one_moment_have_an_order(store: Store, write: Sure) -> None:
    await write(*(AddCard(card=card(id_)) for id_ in "bca"))
    assert await ids(store, RecentCards(user=ANNA, limit=9)) == ["c", "b", "a"]
    assert await ids(store, CardsSince(user=ANNA, since=NOON, limit=9)) == ["a", "b", "c"]


async def test_recent_cards_of_a_status(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a")), AddCard(card=card("b", status=Status.EXECUTED)))
    assert await ids(store, RecentCards(user=ANNA, limit=9, status=Status.EXECUTED)) == ["b"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("tests", ["a"]),
        ("TESTS", ["a"]),
        ("100%", ["b"]),
        ("100_", []),
        ("_", ["c"]),
        ("!", ["c"]),
        ("Grüße", ["d"]),
        ("nothing", []),
    ],
)
async def test_a_search_is_a_plain_substring(store: Store, write: Sure, search: str, found: list[str]) -> None:
    prompts = {"a": "Run the tests", "b": "Reach 100% of it", "c": "Rename a_b!", "d": "Viele Grüße"}
    await write(*(AddCard(card=card(id_, prompt=prompt)) for id_, prompt in prompts.items()))
    assert await ids(store, RecentCards(user=ANNA, limit=9, search=search)) == found


async def test_a_search_finds_no_secret_that_is_not_shown(store: Store, write: Sure) -> None:
    """Whoever may only read could otherwise ask letter by letter what is masked."""
    await write(AddCard(card=card(prompt="Deploy with password=hx7Kq9Zt2w to prod")))
    for search, found in (("hx7K", []), ("password=h", []), ("Deploy with password=", ["c1"]), ("to prod", ["c1"])):
        assert await ids(store, RecentCards(user=ANNA, limit=9, search=search)) == found


async def test_a_search_within_a_status(store: Store, write: Sure) -> None:
    await write(AddCard(card=card("a")), AddCard(card=card("b", status=Status.EXECUTED)))
    assert await ids(store, RecentCards(user=ANNA, limit=9, search="test", status=Status.EXECUTED)) == ["b"]


async def test_a_search_looks_through_the_newest_cards_only(store: Store, write: Sure) -> None:
    needles = (AddCard(card=card(id_, created=at, prompt="needle")) for id_, at in (("old", 0), ("new", 1)))
    hay = (AddCard(card=card(f"h{n}", created=n, prompt="hay")) for n in range(2, SEARCHED_ROWS_MAX + 1))
    await write(*needles, *hay)
    assert await ids(store, RecentCards(user=ANNA, limit=9, search="needle")) == ["new"]
    assert await ids(store, RecentCards(user=ANNA, limit=9, search="needle", before=after(1))) == ["old"]


async def test_only_the_first_letters_of_a_long_search_count(store: Store, write: Sure) -> None:
    text = "x" * SEARCH_CHARS_MAX
    await write(AddCard(card=card(prompt=text)))
    assert await ids(store, RecentCards(user=ANNA, limit=9, search=text + "y")) == ["c1"]


async def test_cards_since_include_the_moment_itself(store: Store, write: Sure) -> None:
    await write(*(AddCard(card=card(f"c{n}", created=n)) for n in range(4)))
    assert await ids(store, CardsSince(user=ANNA, since=after(1), limit=2)) == ["c1", "c2"]


@pytest.mark.parametrize("zone_hours", [-11, 0, 5.5])
async def test_times_are_compared_as_moments_in_any_zone(store: Store, write: Sure, zone_hours: float) -> None:
    await write(AddCard(card=card(expires=60)))
    local = after(60).astimezone(timezone(timedelta(hours=zone_hours)))
    assert await ids(store, DueCards(user=ANNA, now=local, limit=9)) == ["c1"]
    assert await ids(store, DueCards(user=ANNA, now=local - timedelta(microseconds=1), limit=9)) == []
