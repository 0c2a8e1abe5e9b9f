"""What the drives remembered elsewhere, taken on: what presses is replaced, what is only added to is added to once."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.domain.drive_requests import DrivesTaken, ImportDrives
from hub.domain.drives import DriveRules, Drives, Tuning, Wake
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.reports import DriveMutations, Wakes
from hub.domain.requests import HandInMutations, Refused
from hub.may import linked, verify
from hub.when.drives import pressure_at
from hub.when.drives.heard import KEYS_MAX
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, NOON, a_world
from tests.loop.test_drives import of_needs
from tests.rooms.when.drives.drives_at_hand import drive, want

WAKE = Wake(id="wake_1", at=NOON - HOUR, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
ASKED = Mutation(kind="adjust_weight", drive="curiosity", value=1.5, reason="I want to explore more")
RECORD = MutationRecord(id="mut_a", at=NOON - HOUR, by="claw", mutation=ASKED, status="applied", before=0.6, after=1.5)
SECOND = replace(RECORD, id="mut_b", note="Clamped.")
GOALS = replace(drive("goals", want(), pressure=3.0, weight=1.5), at=NOON - MINUTE)
THERE = Drives(
    drives=(GOALS,),
    tuning=Tuning(threshold=9.0),
    audit_hash="theirs",
    audit_count=7,
    away_since=NOON,
    away_tries=3,
    away_at=NOON,
)


def chain(*records: MutationRecord, after: str = "") -> tuple[MutationRecord, ...]:
    made: list[MutationRecord] = []
    for one in records:
        made.append(linked(one, made[-1].hash if made else after))
    return tuple(made)


async def take(
    world: World,
    drives: Drives | None = None,
    wakes: tuple[Wake, ...] = (),
    records: tuple[MutationRecord, ...] = (),
) -> DrivesTaken:
    reply = await world.ask(ImportDrives(is_person=True, drives=drives, wakes=wakes, records=records))
    assert isinstance(reply, DrivesTaken), reply
    return reply


async def audit(world: World) -> tuple[MutationRecord, ...]:
    """Return the audit, which holds."""
    found = await world.store.read(DriveMutations(user=world.state.user, limit=999))
    drives = world.state.mind.drives
    assert verify(found, head=drives.audit_hash, count=drives.audit_count) is None
    return found


async def lower(world: World) -> None:
    """Have a change of its own in the audit."""
    asked = Mutation(kind="adjust_weight", drive="curiosity", value=0.3)
    await world.ask(HandInMutations(mutations=(asked,), by="you", is_person=True))


async def test_what_presses_goes_on_where_it_was() -> None:
    world = await a_world(of_needs())
    await take(world, drives=THERE, wakes=(WAKE,), records=chain(RECORD, SECOND))
    drives, rules = world.state.mind.drives, DriveRules()
    goals = drives.named("goals")
    assert goals is not None
    assert pressure_at(goals, rules, NOON + HOUR) == pressure_at(GOALS, rules, NOON + HOUR)
    assert drives.named("system") is not None  # what the settings know is there, too
    assert drives.tuning == THERE.tuning
    assert (drives.away_since, drives.away_tries, drives.away_at) == (None, 0, None)
    assert await world.store.read(Wakes(user=world.state.user, limit=9)) == (WAKE,)
    assert await audit(world) == chain(RECORD, SECOND)


async def test_twice_is_once() -> None:
    world = await a_world(of_needs())
    assert await take(world, THERE, (WAKE,), chain(RECORD, SECOND)) == DrivesTaken(wakes=1, records=2)
    before = world.state.mind.drives
    assert await take(world, THERE, (WAKE,), chain(RECORD, SECOND)) == DrivesTaken()
    assert world.state.mind.drives == before
    assert len(await audit(world)) == 2


async def test_a_chain_that_comes_in_pieces_stays_one() -> None:
    world = await a_world(of_needs())
    first, second = chain(RECORD, SECOND)
    await take(world, records=(first,))
    assert await take(world, records=(second,)) == DrivesTaken(records=1)
    assert await audit(world) == (first, second)


@pytest.mark.parametrize(
    "records",
    [
        (RECORD, SECOND),
        (chain(RECORD)[0], replace(chain(RECORD, SECOND)[1], by="you")),
        chain(RECORD, SECOND)[::-1],
        chain(RECORD, SECOND, after="elsewhere"),
    ],
    ids=["without hashes", "changed", "moved", "beginning cut off"],
)
async def test_what_is_no_chain_is_linked_anew_and_marked(records: tuple[MutationRecord, ...]) -> None:
    world = await a_world(of_needs())
    assert await take(world, records=records) == DrivesTaken(records=2, linked_anew=2)
    assert all(one.note.endswith("Imported.") for one in await audit(world))


async def test_an_audit_that_is_there_goes_on_and_none_of_it_is_lost() -> None:
    world = await a_world(of_needs())
    await lower(world)
    (own,) = await audit(world)
    assert await take(world, drives=THERE, records=chain(RECORD)) == DrivesTaken(records=1, linked_anew=1)
    kept, came = await audit(world)
    assert kept == own
    assert (came.id, came.by, came.at, came.previous, came.note) == ("mut_a", "claw", RECORD.at, own.hash, "Imported.")


async def test_nothing_that_is_there_is_written_over() -> None:
    world = await a_world(of_needs())
    await take(world, wakes=(WAKE,), records=chain(RECORD))
    forged = replace(WAKE, ended="success", note="All is well")
    assert await take(world, wakes=(forged,), records=(replace(RECORD, by="you"),)) == DrivesTaken()
    assert await world.store.read(Wakes(user=world.state.user, limit=9)) == (WAKE,)


async def test_an_agent_imports_nothing() -> None:
    world = await a_world(of_needs())
    before = world.state.mind
    reply = await world.ask(ImportDrives(is_person=False, drives=THERE, wakes=(WAKE,), records=chain(RECORD)))
    assert isinstance(reply, Refused)
    assert (reply.code, reply.status) == ("import-of-your-own", 403)
    assert world.state.mind == before
    assert await audit(world) == ()


async def test_no_limit_is_got_around_and_all_stays_bounded() -> None:
    world = await a_world(of_needs())
    own = tuple(NOON - timedelta(seconds=number) for number in range(9))
    mind = world.state.mind
    world.state = replace(world.state, mind=replace(mind, drives=replace(mind.drives, woke_at=own, mutated_at=own)))
    heard = tuple(f"feedback/one/k{number}" for number in range(3 * KEYS_MAX))
    await take(world, drives=replace(THERE, heard=heard, woke_at=(NOON - 2 * HOUR, NOON + HOUR)))
    drives = world.state.mind.drives
    assert set(drives.woke_at) == set(drives.mutated_at) == set(own)
    assert drives.heard == heard[-KEYS_MAX:]


async def test_an_id_that_could_be_no_address_is_left_out_and_counted() -> None:
    world = await a_world(of_needs())
    odd = (replace(WAKE, id="../x"), replace(WAKE, id=""), replace(WAKE, id="a\u202eb"))
    assert await take(world, wakes=odd, records=(replace(RECORD, id="x" * 500),)) == DrivesTaken(left_out=4)
    assert await audit(world) == ()
