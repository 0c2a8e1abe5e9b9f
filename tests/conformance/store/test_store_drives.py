"""Wakes and the audit of mutations: a history that is told to its end, and one that is only added to."""

from msgspec.structs import replace

from hub.domain.drives import AddDriveSample, DriveLine, DriveSample, DropOldWakes, PutWake, Wake
from hub.domain.mutations import AddMutation, Mutation, MutationRecord
from hub.domain.reports import DriveMutations, DriveSamples, MutationsFrom, MutationsThere, WakeById, Wakes, WakesThere
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import ANNA, BERT, after

FIRST = Wake(id="w1", at=after(1), rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
SECOND = replace(FIRST, id="w2", at=after(2), rule="alert", drive="system")


def record(number: int) -> MutationRecord:
    mutation = Mutation(kind="adjust_weight", drive="goals", value=1.5, reason="more of this")
    return MutationRecord(id=f"m{number}", at=after(number), by="agent", mutation=mutation, status="applied")


def sample(number: int) -> DriveSample:
    line = DriveLine(name="goals", pressure=0.5 * number, grows_per_min=0.01, weight=1.0)
    return DriveSample(at=after(number), lines=(line,))


async def test_wakes_come_back_the_latest_first_with_what_became_of_them(store: Store, write: Sure) -> None:
    await write(PutWake(user=ANNA, wake=FIRST), PutWake(user=ANNA, wake=SECOND))
    await write(PutWake(user=BERT, wake=FIRST))
    ended = replace(FIRST, ended="card", card_id="c1", ended_at=after(3))
    await write(PutWake(user=ANNA, wake=ended))
    assert await store.read(Wakes(user=ANNA, limit=9)) == (SECOND, ended)
    assert await store.read(Wakes(user=ANNA, limit=1)) == (SECOND,)
    assert await store.read(Wakes(user=ANNA, limit=9, since=after(2))) == (SECOND,)
    assert await store.read(WakeById(user=ANNA, wake_id="w1")) == ended
    assert await store.read(WakeById(user=BERT, wake_id="w1")) == FIRST
    assert await store.read(WakeById(user=BERT, wake_id="w2")) is None


async def test_of_the_wakes_the_latest_are_kept_by_their_time_each_persons_own(store: Store, write: Sure) -> None:
    wakes = [replace(FIRST, id=f"w{number}", at=after(number % 3)) for number in range(6)]
    for wake in wakes:
        await write(PutWake(user=ANNA, wake=wake), PutWake(user=BERT, wake=wake))
    await write(DropOldWakes(user=ANNA, kept=3))
    assert [one.id for one in await store.read(Wakes(user=ANNA, limit=9))] == ["w5", "w2", "w4"]
    await write(DropOldWakes(user=ANNA, kept=3))
    await write(DropOldWakes(user=BERT, kept=9))
    assert [one.id for one in await store.read(Wakes(user=ANNA, limit=9))] == ["w5", "w2", "w4"]
    assert [one.id for one in await store.read(Wakes(user=BERT, limit=9))] == ["w5", "w2", "w4", "w1", "w3", "w0"]
    await write(DropOldWakes(user=ANNA, kept=0))
    assert await store.read(Wakes(user=ANNA, limit=9)) == ()


async def test_mutations_come_back_in_their_order(store: Store, write: Sure) -> None:
    for number in range(3):
        await write(AddMutation(user=ANNA, record=record(number)), AddMutation(user=BERT, record=record(number + 9)))
    assert await store.read(DriveMutations(user=ANNA, limit=9)) == (record(0), record(1), record(2))
    assert await store.read(DriveMutations(user=ANNA, limit=1, first=1)) == (record(1),)
    assert await store.read(DriveMutations(user=ANNA, limit=9, first=3)) == ()
    assert await store.read(DriveMutations(user=BERT, limit=1)) == (record(9),)
    assert await store.read(MutationsFrom(user=ANNA, record_id="m1", limit=9)) == (record(1), record(2))
    assert await store.read(MutationsFrom(user=ANNA, record_id="m1", limit=1)) == (record(1),)
    assert await store.read(MutationsFrom(user=ANNA, record_id="m9", limit=9)) == ()


async def test_of_many_ids_those_that_are_there_are_told(store: Store, write: Sure) -> None:
    await write(PutWake(user=ANNA, wake=FIRST), PutWake(user=BERT, wake=SECOND))
    await write(AddMutation(user=ANNA, record=record(1)), AddMutation(user=BERT, record=record(2)))
    ids = ("w1", "w2", "m1", "m2", "']--", *(f"x{number}" for number in range(40_000)))
    assert await store.read(WakesThere(user=ANNA, ids=ids)) == ("w1",)
    assert await store.read(MutationsThere(user=ANNA, ids=ids)) == ("m1",)
    assert await store.read(MutationsThere(user=BERT, ids=())) == ()


async def test_samples_come_back_the_latest_first_with_the_one_before_the_time(store: Store, write: Sure) -> None:
    for number in (1, 2, 3, 4):
        await write(AddDriveSample(user=ANNA, sample=sample(number)))
    await write(AddDriveSample(user=BERT, sample=sample(9)))
    found = await store.read(DriveSamples(user=ANNA, limit=9, since=after(3)))
    assert found == (sample(4), sample(3), sample(2))
    assert await store.read(DriveSamples(user=ANNA, limit=2, since=after(0))) == (sample(4), sample(3))
    assert await store.read(DriveSamples(user=ANNA, limit=9, since=after(99))) == (sample(4),)
    assert await store.read(DriveSamples(user=ANNA, limit=-1, since=after(0))) == ()
    assert await store.read(DriveSamples(user=BERT, limit=9, since=after(0))) == (sample(9),)
