"""The keeper of the world log: each line counts once, what Pulse says is written once, whatever happens in between."""

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from hub.contract.world import AgentStatus, LineFault
from hub.domain.provenance import LogText, untrusted
from hub.domain.requests import Refused, Reply
from hub.domain.storage import Committed
from hub.domain.world import AgentLine, WorldEvent, WorldLine, WorldSession
from hub.domain.world_log_state import AddWorldLine, LoggedOut
from hub.domain.world_requests import RespondToSession, SayWorld, WorldSaid
from hub.io.world.errors import WorldLogError, WorldLogFullError
from hub.io.world.files import archives_of
from hub.loop import world
from hub.loop.events import WorldRead
from hub.runner.world_keeper import NotTakenInError
from hub.sense import session_after
from tests.fakes.store import MemoryStore
from tests.io.world.lines import echo
from tests.io.world.test_world_writing import room_for
from tests.runner.kept_log import Fate, KeptLog, KilledError, keeping

TRACE = (
    "[agent:start][abc] Book a flight | need: confirmation number",
    "[agent:active][abc] searching",
    "[agent:failed][abc] captcha | need: solve captcha",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "world.log"


def script(path: Path, *lines: str) -> None:
    """What a shell script with some `echo` lines does."""
    for line in lines:
        echo(path, f"{line}\n")


def modes(*paths: Path) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in paths]


def content(path: Path) -> bytes:
    return path.read_bytes()


def written_anew(path: Path, lines: int = 0) -> None:
    """Cut the log to its first lines."""
    path.parent.mkdir(exist_ok=True)
    kept = path.read_bytes().splitlines(keepends=True)[:lines] if lines else []
    path.write_bytes(b"".join(kept))


def moved(path: Path, to: Path) -> None:
    path.replace(to)


def linked(path: Path, to: Path) -> None:
    path.unlink()
    path.symlink_to(to)


async def rescued(kept: KeptLog) -> None:
    """Answer the session that failed."""
    assert isinstance(
        await kept.house.hub.submit(RespondToSession(session="abc", text="XKCD42", in_person=True)), WorldSaid
    )


async def test_the_log_is_made_for_its_owner_alone(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        assert modes(path, path.parent) == [0o600, 0o700]
        assert kept.keeper.health().status == "ok"


async def test_lines_by_echo_are_taken_in_and_an_answer_is_written_out_once(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE)
        await kept.look()
        assert kept.status("abc") is AgentStatus.FAILED
        assert kept.intake.lines == len(TRACE)
        await rescued(kept)
        await kept.look()
        assert [type(line).__name__ for line in kept.lines()[3:]] == ["WorldEvent", "AgentLine"]
        assert kept.status("abc") is AgentStatus.RETRY
        assert (kept.intake.lines, kept.session("abc").refused, await kept.waiting()) == (3, 0, ())
        script(path, "[agent:active][abc] goes on")
        await kept.look()
        assert (kept.status("abc"), kept.intake.lines, len(kept.lines())) == (AgentStatus.ACTIVE, 4, 6)


async def test_the_same_words_by_somebody_else_are_somebody_elses(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        line = AgentLine(status=AgentStatus.START, session="wire", text=LogText("x"))
        await kept.house.hub.submit(SayWorld(line=line, client="cli_1"))
        await kept.look()
        script(path, *content(path).decode().splitlines())  # a copy of what Pulse wrote
        await kept.look()
        assert (kept.intake.lines, kept.session("wire").refused, len(kept.lines())) == (1, 1, 2)


async def scenario(kept: KeptLog, path: Path) -> None:
    """A rescue with others writing in between; killed wherever fate has it."""
    if not content(path):
        script(path, *TRACE)
    await kept.look()
    if kept.status("abc") is AgentStatus.FAILED:
        await rescued(kept)
    await kept.look()


@pytest.mark.parametrize("after", [False, True])
async def test_killed_at_any_point_nothing_is_lost_or_doubled(path: Path, after: bool) -> None:  # noqa: FBT001  a case
    kills = 0
    for kill_at in range(1, 100):
        written_anew(path)
        store = MemoryStore()
        fate = Fate(kill_at, after=after)
        try:
            async with keeping(path, store, fate=fate) as kept:
                await scenario(kept, path)
        except KilledError:
            kills += 1
        async with keeping(path, store) as kept:
            await scenario(kept, path)
            said = [untrusted(line.text) for line in kept.lines() if isinstance(line, WorldEvent)]
            retries = [line for line in kept.lines() if isinstance(line, AgentLine) and line.status == "retry"]
            assert (said, len(retries), len(kept.lines())) == (["XKCD42"], 1, 5), kill_at
            assert (kept.intake.lines, kept.intake.gaps, await kept.waiting()) == (3, 0, ()), kill_at
            assert (kept.session("abc").refused, kept.status("abc")) == (0, AgentStatus.RETRY), kill_at
        if fate.happened < kill_at:
            break
    assert kills > 10
    assert kills == kill_at - 1


async def test_what_the_loop_took_although_nobody_heard_of_it_is_not_taken_again(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        under_way: list[asyncio.Task[Reply]] = []

        async def impatient(read: WorldRead) -> Reply:
            under_way.append(asyncio.ensure_future(kept.house.hub.take_in(read)))
            await asyncio.sleep(0)  # it is in the inbox by now
            raise TimeoutError

        kept.keeper.meet(impatient, kept.house.hub.submit)
        script(path, *TRACE)
        with pytest.raises(TimeoutError):
            await kept.look()
        kept.keeper.meet(kept.take_in, kept.house.hub.submit)
        await kept.look()
        assert (kept.intake.lines, kept.status("abc")) == (3, AgentStatus.FAILED)
        assert len(under_way) == 1
        await asyncio.wait(under_way)


async def test_while_the_store_refuses_nothing_is_taken_and_then_all(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE)
        kept.store.refuse()
        with pytest.raises(NotTakenInError) as refused:
            await kept.look()
        assert isinstance(refused.value.refused, Refused)
        assert kept.intake.lines == 0
        kept.store.accept()
        await kept.look()
        assert (kept.intake.lines, kept.session("abc").refused) == (3, 0)


async def test_what_the_loop_could_not_take_is_told_and_handed_in_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE)
        with monkeypatch.context() as broken:
            broken.setattr(world, "PutWorldPlace", lambda **_fields: 1 / 0)
            with pytest.raises(NotTakenInError, match="division by zero"):
                await kept.look()
        await kept.look()
        assert (kept.intake.lines, kept.status("abc")) == (3, AgentStatus.FAILED)


async def test_a_line_that_breaks_the_loop_is_counted_and_keeps_no_other_from_being_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE, *("[event:bash][x] y",) * 4, "[agent:retry][abc] goes on")

        def breaks(session: WorldSession | None, line: WorldLine, *rest: object, **more: bool) -> WorldSession | None:
            assert session is None or getattr(line, "status", "") is not AgentStatus.ACTIVE, "a bug"
            return session_after(session, line, *rest, **more)  # type: ignore[arg-type]  # as they came

        monkeypatch.setattr("hub.loop.world.session_after", breaks)
        await kept.look()
        assert (kept.intake.lines, kept.intake.unparsed_lines) == (8, 1)
        (left_out,) = kept.intake.unparsed
        assert (left_out.fault, left_out.text) == (LineFault.NOT_TAKEN, LogText(TRACE[1]))
        assert (kept.status("abc"), kept.session("abc").refused) == (AgentStatus.RETRY, 0)
        assert "a bug" in " ".join(part.detail for part in kept.house.hub.health())
        await kept.look()
        assert kept.intake.lines == 8


async def test_a_log_that_grew_is_put_aside_and_nothing_of_it_is_lost(path: Path) -> None:
    async with keeping(path, rotate_bytes=100) as kept:
        await kept.look()
        for line in TRACE:
            script(path, line)
            await kept.look()
        await rescued(kept)
        await kept.look()
        assert len(archives_of(path)) > 1
        assert (kept.intake.lines, kept.intake.gaps, len(kept.lines()), await kept.waiting()) == (3, 0, 5, ())


async def test_a_full_disk_is_said_and_what_waited_is_written_when_there_is_room(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE)
        await kept.look()
        await rescued(kept)
        with room_for(len(content(path)) + 10), pytest.raises(WorldLogFullError):
            await kept.look()
        assert len(await kept.waiting()) == 2
        await kept.look()
        assert (len(kept.lines()), await kept.waiting(), kept.intake.lines) == (5, (), 3)


async def test_a_log_that_was_emptied_with_lines_of_ours_is_told_and_they_wait_no_longer(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE)
        await kept.look()
        await rescued(kept)
        append = kept.keeper._file.append  # noqa: SLF001  the moment between two calls

        def emptied(lines: tuple[LoggedOut, ...]) -> tuple[str, ...]:
            done = append(lines)
            written_anew(path)
            return done

        kept.keeper._file.append = emptied  # type: ignore[assignment,method-assign]  # noqa: SLF001
        await kept.look()
        assert (await kept.waiting(), kept.intake.gaps, kept.intake.lines) == ((), 1, 3)
        health = kept.keeper.health()
        assert health.status == "degraded"
        assert "disappeared before they were read" in health.detail
        await kept.house.clock.let_pass(timedelta(minutes=11))
        assert kept.keeper.health().status == "ok"


async def test_a_log_that_is_moved_away_is_said_once_and_goes_on_when_it_comes_back(path: Path, tmp_path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE[:2])
        await kept.look()
        moved(path, tmp_path / "elsewhere")
        await kept.look()
        await kept.look()
        assert kept.intake.gaps == 1
        assert "moved out of its folder" in kept.keeper.health().detail
        assert content(path) == b""
        moved(tmp_path / "elsewhere", path)
        script(path, TRACE[2])
        await kept.look()
        assert (kept.status("abc"), kept.intake.lines, kept.intake.gaps) == (AgentStatus.FAILED, 3, 1)


async def test_another_log_in_its_place_is_taken_in_and_said(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE[:2])
        await kept.look()
        other = path.with_name("other")
        script(other, "[agent:start][new] else")
        moved(other, path)
        await kept.look()
        assert (kept.status("new"), kept.intake.lines, kept.intake.gaps) == (AgentStatus.START, 3, 1)
        assert "Another log replaced it" in kept.keeper.health().detail


async def test_a_log_that_was_cut_gives_only_what_is_later(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        timed = [f"[2026-01-09T10:00:0{number}Z]{line}" for number, line in enumerate(TRACE)]
        heading = f"# {'the log of the house ' * 20}"
        script(path, heading, *timed[:2], "[2026-01-09T10:00:01Z][event:file][x] filler")
        await kept.look()
        written_anew(path, 3)
        script(path, timed[2])
        await kept.look()
        assert (kept.status("abc"), kept.intake.lines, kept.intake.gaps) == (AgentStatus.FAILED, 5, 1)


async def test_a_link_in_its_place_is_refused_until_it_is_gone(path: Path, tmp_path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        linked(path, tmp_path / "elsewhere")
        with pytest.raises(WorldLogError, match="cannot be used"):
            await kept.look()
        moved(path, tmp_path / "link")
        script(path, *TRACE)
        await kept.look()
        assert kept.status("abc") is AgentStatus.FAILED


async def test_junk_is_counted_kept_and_keeps_nothing_else_from_being_read(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        with path.open("ab") as file:
            file.write(b"x" * 10_000_000 + b"\n" + bytes(range(256)) * 4 + b"\n")
        script(path, TRACE[0])
        await kept.look()
        assert kept.status("abc") is AgentStatus.START
        faults = [(one.fault, one.size_bytes) for one in kept.intake.unparsed]
        assert faults[0] == (LineFault.TOO_LONG, 10_000_000)
        assert kept.intake.unparsed_lines == len(faults) > 2
        assert kept.intake.lines == len(faults) + 1


async def test_a_half_line_is_ended_when_nobody_goes_on_with_it(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        echo(path, TRACE[0][:20])
        await kept.look()
        await kept.house.clock.let_pass(timedelta(seconds=40))
        echo(path, TRACE[0][20:])
        await kept.look()
        await kept.house.clock.let_pass(timedelta(seconds=40))
        await kept.look()
        assert kept.intake.lines == 0
        await kept.house.clock.let_pass(timedelta(seconds=10))
        await kept.look()
        await kept.look()
        assert (kept.status("abc"), kept.intake.lines) == (AgentStatus.START, 1)


async def test_a_line_that_none_can_say_keeps_no_other_from_being_written(path: Path) -> None:
    async with keeping(path) as kept:
        lines = [
            WorldEvent(source="No source", identifier=LogText("x")),
            WorldEvent(source="api", identifier=LogText("y")),
        ]
        outs = [LoggedOut(id=f"l{number}", line=line) for number, line in enumerate(lines)]
        changes = tuple(AddWorldLine(user="me", out=out) for out in outs)
        assert await kept.store.commit([changes]) == (Committed(),)
        await kept.look()
        assert (await kept.waiting(), len(kept.lines())) == ((), 1)
        assert "please report" in kept.keeper.health().detail


async def test_a_copy_in_its_place_changes_nothing(path: Path) -> None:
    async with keeping(path) as kept:
        await kept.look()
        script(path, *TRACE[:2])
        await kept.look()
        shutil.copy(path, path.with_name("copy"))
        moved(path.with_name("copy"), path)
        script(path, TRACE[2])
        await kept.look()
        assert (kept.intake.lines, kept.intake.gaps, kept.status("abc")) == (3, 0, AgentStatus.FAILED)
