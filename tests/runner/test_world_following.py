"""Between its beginning and its end the keeper looks by itself: when told, and again when something was in the way."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.app.world_log import KeptWorldLog
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.requests import Refused
from hub.domain.world import AgentLine
from hub.domain.world_requests import SayWorld
from hub.runner import world_keeper
from hub.settings.schema import WorldSettings
from tests.io.world.lines import echo
from tests.runner.running_hub import House, living

WAIT_S = 30.0


async def until(condition: Callable[[], bool]) -> None:
    """Wait until that is so."""
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110  nobody tells of a file or a state
            await asyncio.sleep(0.01)


def knows(house: House, session: str) -> Callable[[], bool]:
    """Ask whether a session is known."""
    return lambda: session in house.hub.state().world.sessions


def well(kept: KeptWorldLog) -> bool:
    return kept.keeper.health().status == "ok"


async def say(house: House, words: str, session: str = "wire") -> None:
    """Have the hub write a line of its own: that a session began."""
    line = AgentLine(status=AgentStatus.START, session=session, text=LogText(words))
    reply = await house.hub.submit(SayWorld(line=line, client="cli_1"))
    assert not isinstance(reply, Refused), reply


def a_log(house: House, folder: Path, name: str = "") -> KeptWorldLog:
    wanted = WorldSettings(log=name)
    kept = KeptWorldLog.of(wanted, folder, store=house.store, clock=house.clock, user="me")
    assert kept is not None
    house.world = kept.keeper
    return kept


async def test_lines_are_taken_in_as_they_come_and_ours_are_written(tmp_path: Path) -> None:
    house = House()
    kept = a_log(house, tmp_path)
    assert kept.path == tmp_path / "world.log"
    echo(kept.path, "[agent:start][before] it began\n")
    async with living(house):
        kept.begin(house.hub)
        await until(knows(house, "before"))
        echo(kept.path, "[agent:start][later] it came\n")
        await until(knows(house, "later"))
        await say(house, "over the wire")
        await until(lambda: b"over the wire" in kept.path.read_bytes())
        assert [part.status for part in house.hub.health() if part.name == "world"] == ["ok"]
        await kept.close()


async def test_what_is_in_the_way_is_said_and_it_goes_on_when_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_keeper, "RETRY", replace(world_keeper.RETRY, base_s=0.01, cap_s=0.01))
    house = House()
    kept = a_log(house, tmp_path, str(tmp_path / "log"))
    (tmp_path / "log").mkdir()
    async with living(house):
        kept.begin(house.hub)
        await until(lambda: not well(kept))
        assert "it must be a regular file" in kept.keeper.health().detail
        (tmp_path / "log").rmdir()
        echo(tmp_path / "log", "[agent:start][abc] now\n")
        await until(knows(house, "abc"))
        await until(lambda: well(kept))
        await kept.close()


async def test_a_file_system_that_does_not_tell_is_looked_at_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_keeper, "LOOK_S", 0.01)
    house = House()
    kept = a_log(house, tmp_path)
    async with living(house):
        kept.keeper.meet(house.hub.take_in, house.hub.submit)
        kept.keeper.begin(lambda: "Its changes are noticed only each minute (x).")
        await until(lambda: not well(kept))
        echo(kept.path, "[agent:start][abc] unheard\n")
        await until(knows(house, "abc"))
        await kept.close()


async def test_what_is_switched_off_makes_and_reads_nothing(tmp_path: Path) -> None:
    house = House()
    kept = KeptWorldLog.of(WorldSettings(enabled=False), tmp_path, store=house.store, clock=house.clock, user="me")
    async with living(house):
        assert [part for part in house.hub.health() if part.name == "world"] == []
    assert (kept, list(tmp_path.iterdir())) == (None, [])  # noqa: ASYNC240  an empty folder


async def test_whoever_waits_until_the_log_was_read_finds_every_line_that_was_there(tmp_path: Path) -> None:
    house = House()
    kept = a_log(house, tmp_path)
    async with living(house):
        kept.begin(house.hub)
        for number in range(20):
            echo(kept.path, f"[agent:start][s{number}] it began\n")
            await asyncio.gather(kept.keeper.caught_up(), kept.keeper.caught_up())
            assert f"s{number}" in house.hub.state().world.sessions
        await kept.close()


async def test_nobody_is_told_that_the_log_was_read_while_something_is_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_keeper, "RETRY", replace(world_keeper.RETRY, base_s=0.01, cap_s=0.01))
    house = House()
    kept = a_log(house, tmp_path, str(tmp_path / "log"))
    (tmp_path / "log").mkdir()
    async with living(house):
        kept.begin(house.hub)
        await until(lambda: not well(kept))
        waiting = asyncio.create_task(kept.keeper.caught_up())
        await house.settle()
        assert not waiting.done()
        (tmp_path / "log").rmdir()
        echo(tmp_path / "log", "[agent:start][abc] now\n")
        await waiting
        assert "abc" in house.hub.state().world.sessions
        await kept.close()


async def test_looks_lie_apart_unless_somebody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_keeper, "APART_S", 3_600.0)
    house = House()
    kept = a_log(house, tmp_path)
    async with living(house):
        kept.begin(house.hub)
        await kept.keeper.caught_up()
        echo(kept.path, "[agent:start][first] it began\n")
        kept.keeper.changed()
        await house.settle()
        assert "first" not in house.hub.state().world.sessions
        await kept.keeper.caught_up()
        assert "first" in house.hub.state().world.sessions
        await kept.close()


async def test_our_own_lines_wait_once_some_were_written_unless_somebody_waits_for_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_keeper, "WRITES_APART_S", 3_600.0)
    house = House()
    kept = a_log(house, tmp_path)
    async with living(house):
        kept.begin(house.hub)
        await kept.keeper.caught_up()
        await say(house, "the first is written at once")
        await until(lambda: b"the first" in kept.path.read_bytes())
        await say(house, "the second waits", "wire2")
        echo(kept.path, "[agent:start][other] what others write is read all the same\n")
        await until(knows(house, "other"))
        assert b"the second" not in kept.path.read_bytes()
        await kept.keeper.caught_up()
        assert b"the second" in kept.path.read_bytes()
        await kept.close()


async def test_our_own_lines_that_wait_are_written_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_keeper, "WRITES_APART_S", 0.05)
    house = House()
    kept = a_log(house, tmp_path)
    async with living(house):
        kept.begin(house.hub)
        await kept.keeper.caught_up()
        for number in range(20):
            await say(house, f"line {number:02}", f"wire{number}")
        await until(lambda: b"line 19" in kept.path.read_bytes())
        assert [number for number in range(20) if f"line {number:02}".encode() not in kept.path.read_bytes()] == []
        await kept.close()


async def test_it_listens_before_it_looks_for_the_first_time(tmp_path: Path) -> None:
    house = House()
    kept = a_log(house, tmp_path)
    echo(kept.path, "[agent:start][before] it began\n")
    known_at: list[bool] = []

    def arm() -> str:
        known_at.append("before" in house.hub.state().world.sessions)
        return ""

    async with living(house):
        kept.keeper.meet(house.hub.take_in, house.hub.submit)
        kept.keeper.begin(arm)
        await kept.keeper.caught_up()
        assert (known_at[0], known_at[-1]) == (False, True)
        await kept.close()
