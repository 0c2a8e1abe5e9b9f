"""Training pairs: kept once per choice, taken back by either side, counted, paged and marked as exported."""

from hub.domain.lessons import AddPair, DropPairs, MarkExported
from hub.domain.reports import CountPairs, PairCount, PairsAfter
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import ANNA, BERT, after, pair


async def ids(store: Store, *, user: str = ANNA, number: int = 0, limit: int = 9) -> list[tuple[str, str]]:
    stored = await store.read(PairsAfter(user=user, after=number, limit=limit))
    return [(one.pair.chosen_id, one.pair.rejected_id) for one in stored]


async def test_a_pair_comes_back_as_it_was(store: Store, write: Sure) -> None:
    await write(AddPair(pair=pair(weight=0.3)))
    (stored,) = await store.read(PairsAfter(user=ANNA, after=0, limit=9))
    assert (stored.pair, stored.exported_at) == (pair(weight=0.3), None)
    assert await ids(store, user=BERT) == []


async def test_a_choice_is_in_one_pair(store: Store, write: Sure) -> None:
    await write(AddPair(pair=pair("a", "b")), AddPair(pair=pair("c", "b")), AddPair(pair=pair("a", "d")))
    await write(AddPair(pair=pair("a", "x", user=BERT)))
    assert await ids(store) == [("c", "b"), ("a", "d")]


async def test_either_side_takes_its_pairs_along(store: Store, write: Sure) -> None:
    await write(*(AddPair(pair=pair(one, two)) for one, two in (("a", "b"), ("b", "c"), ("d", "e"))))
    await write(DropPairs(user=BERT, card_id="d"), DropPairs(user=ANNA, card_id="b"))
    assert await ids(store) == [("d", "e")]


async def test_pages_follow_each_other(store: Store, write: Sure) -> None:
    await write(*(AddPair(pair=pair(f"a{number}")) for number in range(5)))
    first = await store.read(PairsAfter(user=ANNA, after=0, limit=3))
    assert [one[0] for one in await ids(store, number=first[-1].number)] == ["a3", "a4"]


async def test_an_export_marks_once(store: Store, write: Sure) -> None:
    await write(*(AddPair(pair=pair(f"a{number}", at=number)) for number in range(3)))
    stored = await store.read(PairsAfter(user=ANNA, after=0, limit=9))
    await write(MarkExported(user=ANNA, through=stored[1].number, at=after(60)))
    await write(MarkExported(user=ANNA, through=stored[1].number, at=after(90)))
    marked = await store.read(PairsAfter(user=ANNA, after=0, limit=9))
    assert [one.exported_at for one in marked] == [after(60), after(60), None]
    assert await store.read(CountPairs(user=ANNA)) == PairCount(total=3, new=1, last=3, new_since=after(2))
    assert await store.read(CountPairs(user=BERT)) == PairCount(total=0, new=0)
