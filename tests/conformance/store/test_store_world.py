"""The sessions of the world log, the lines that wait for it, and how far it was read."""

from msgspec.structs import replace

from hub.contract.world import AgentStatus, LineFault
from hub.domain.provenance import LogText
from hub.domain.world import AgentLine, SessionProcess, Unparsed, WorldEvent, WorldSession
from hub.domain.world_lines import digest_of
from hub.domain.world_log_state import AddWorldLine, DropWorldLines, LoggedOut, PutSession, PutWorldPlace, WorldIntake
from hub.domain.world_queries import (
    KnownOwnLines,
    OwnLinesAmong,
    WorldLinesOut,
    WorldPlace,
    WorldPlaceOf,
    WorldSessions,
    WorldSessionsBetween,
    WorldSessionsByIds,
)
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import ANNA, BERT, NOON, after

ALL = tuple(AgentStatus)


def session(
    id_: str, status: AgentStatus = AgentStatus.ACTIVE, *, started: float = 0, heard: float = 0
) -> WorldSession:
    started_at, heard_at = after(started), after(max(started, heard))
    return WorldSession(id=id_, status=status, started_at=started_at, moved_at=heard_at, heard_at=heard_at)


def out(id_: str) -> LoggedOut:
    line = AgentLine(status=AgentStatus.RETRY, session="abc", at=after(0.25), text=LogText(f"again | {id_}\n"))
    return LoggedOut(id=id_, line=line)


FULL = replace(
    session("full", AgentStatus.FAILED, started=1, heard=5.125),
    task=LogText("Book 'Tokyo' | need: %"),
    need=LogText("number"),
    said=LogText("Grüße"),
    asks=LogText("captcha"),
    tries=2,
    retries=7,
    odd_at=after(99),
    answer=LogText("XKCD"),
    answered_at=after(3),
    process=SessionProcess(pid=1, started=2),
    proven=True,
    refused=3,
    refused_status=AgentStatus.VERIFIED,
    owner="cli_1",
    agent="coder",
    folder="/srv/project",
    checked_by="model",
    left_at=after(4),
)


async def test_a_session_comes_back_whole_and_replaced(store: Store, write: Sure) -> None:
    await write(PutSession(user=ANNA, session=session("full")), PutSession(user=BERT, session=session("full")))
    await write(PutSession(user=ANNA, session=FULL))
    assert await store.read(WorldSessionsByIds(user=ANNA, ids=("full",))) == {"full": FULL}
    assert await store.read(WorldSessionsByIds(user=BERT, ids=("full",))) == {"full": session("full")}
    assert await store.read(WorldSessions(user=ANNA, statuses=ALL, limit=9)) == (FULL,)


async def test_of_many_ids_those_that_are_there_are_told(store: Store, write: Sure) -> None:
    await write(*(PutSession(user=ANNA, session=session(f"s{number}")) for number in range(3)))
    ids = ("s2", "s0", "s0", "']--", *(f"x{number}" for number in range(40_000)))
    assert await store.read(WorldSessionsByIds(user=ANNA, ids=ids)) == {"s0": session("s0"), "s2": session("s2")}
    assert await store.read(WorldSessionsByIds(user=ANNA, ids=())) == {}


async def test_sessions_in_a_status_come_those_heard_of_last_first(store: Store, write: Sure) -> None:
    one, two, three = (session(f"s{number}", heard=number) for number in range(3))
    done, failed = session("v", AgentStatus.VERIFIED, heard=1.5), session("f", AgentStatus.FAILED, heard=1)
    for each in (two, done, one, failed, three):
        await write(PutSession(user=ANNA, session=each))
    active = (AgentStatus.ACTIVE,)
    assert await store.read(WorldSessions(user=ANNA, statuses=active, limit=9)) == (three, two, one)
    assert await store.read(WorldSessions(user=ANNA, statuses=ALL, limit=9)) == (three, done, two, failed, one)
    assert await store.read(WorldSessions(user=ANNA, statuses=(*active, *active), limit=2)) == (three, two)
    assert await store.read(WorldSessions(user=ANNA, statuses=(AgentStatus.FINISH,), limit=9)) == ()
    assert await store.read(WorldSessions(user=ANNA, statuses=(), limit=9)) == ()
    assert await store.read(WorldSessions(user=ANNA, statuses=ALL, limit=-1)) == ()
    page = WorldSessions(user=ANNA, statuses=ALL, limit=9, before=(two.heard_at, two.id))
    assert await store.read(page) == (failed, one)
    assert await store.read(replace(page, limit=1)) == (failed,)
    assert await store.read(replace(page, before=(one.heard_at, one.id))) == ()
    assert await store.read(WorldSessions(user=BERT, statuses=ALL, limit=9)) == ()


async def test_a_session_lives_until_it_was_verified(store: Store, write: Sure) -> None:
    before = session("before", AgentStatus.VERIFIED, heard=9.5)
    into = session("into", AgentStatus.VERIFIED, started=1, heard=10)
    within = session("within", AgentStatus.VERIFIED, started=11, heard=12)
    over = session("over", AgentStatus.VERIFIED, started=2, heard=99)
    waits = session("waits", AgentStatus.FAILED, started=3, heard=4)
    later = session("later", started=20)
    for each in (later, over, within, waits, into, before):
        await write(PutSession(user=ANNA, session=each))
    span = WorldSessionsBetween(user=ANNA, start=after(10), end=after(20), limit=9)
    assert await store.read(span) == (into, over, waits, within)
    assert await store.read(replace(span, limit=2)) == (into, over)
    assert await store.read(replace(span, limit=-1)) == ()
    assert await store.read(replace(span, user=BERT)) == ()


async def test_lines_wait_in_their_order_until_they_were_seen(store: Store, write: Sure) -> None:
    await write(*(AddWorldLine(user=ANNA, out=out(f"l{number}")) for number in (3, 1, 2)))
    await write(AddWorldLine(user=ANNA, out=out("l0")), AddWorldLine(user=BERT, out=out("l1")))
    await write(AddWorldLine(user=ANNA, out=out("l1")))
    lines = WorldLinesOut(user=ANNA, limit=9)
    assert await store.read(lines) == (out("l3"), out("l1"), out("l2"), out("l0"))
    await write(DropWorldLines(user=ANNA, ids=("l1", "unknown", "l0")), AddWorldLine(user=ANNA, out=out("l4")))
    assert await store.read(lines) == (out("l3"), out("l2"), out("l4"))
    assert await store.read(WorldLinesOut(user=ANNA, limit=1)) == (out("l3"),)
    assert await store.read(WorldLinesOut(user=ANNA, limit=-1)) == ()
    assert await store.read(WorldLinesOut(user=BERT, limit=9)) == (out("l1"),)


async def test_a_fact_waits_as_well(store: Store, write: Sure) -> None:
    fact = LoggedOut(id="e", line=WorldEvent(source="user", identifier=LogText("abc"), text=LogText("XKCD42")))
    await write(AddWorldLine(user=ANNA, out=fact))
    assert await store.read(WorldLinesOut(user=ANNA, limit=9)) == (fact,)


async def test_how_far_the_log_was_read_is_kept(store: Store, write: Sure) -> None:
    assert await store.read(WorldPlaceOf(user=ANNA)) == WorldPlace()
    junk = Unparsed(fault=LineFault.NO_ENTRY, size_bytes=3, text=LogText("\x00\\?"))
    intake = WorldIntake(lines=9, unparsed_lines=1, unknown_lines=2, forgotten=3, gaps=4, unparsed=(junk,))
    await write(PutWorldPlace(user=ANNA, cursor=b"\x00{}\xff", intake=WorldIntake()))
    await write(PutWorldPlace(user=ANNA, cursor=b"\xfe", intake=intake))
    assert await store.read(WorldPlaceOf(user=ANNA)) == WorldPlace(cursor=b"\xfe", intake=intake)
    assert await store.read(WorldPlaceOf(user=BERT)) == WorldPlace()


async def test_the_hubs_own_lines_are_known_by_digest_also_once_they_were_seen(store: Store, write: Sure) -> None:
    first = AgentLine(at=NOON, status=AgentStatus.START, session="a", text=LogText("x"))
    second = replace(first, at=after(5), status=AgentStatus.ACTIVE)
    none = await store.read(OwnLinesAmong(user=ANNA, digests=(digest_of(first),)))
    assert none == KnownOwnLines()
    for number, line in enumerate((first, second)):
        await write(AddWorldLine(user=ANNA, out=LoggedOut(id=f"own{number}", line=line)))
    await write(DropWorldLines(user=ANNA, ids=("own0", "own1")))
    forged = replace(second, text=LogText("y"))
    digests = tuple(map(digest_of, (first, forged, second)))
    found = await store.read(OwnLinesAmong(user=ANNA, digests=digests))
    assert found == KnownOwnLines(since=NOON, digests=frozenset({digests[0], digests[2]}))
    assert await store.read(OwnLinesAmong(user=BERT, digests=digests)) == KnownOwnLines()
