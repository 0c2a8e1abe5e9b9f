"""One day of the world log over HTTP: from the file and from what the store knows, in the person's time zone."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, say
from hub.domain.world import AgentLine, WorldSession
from hub.domain.world_lines import read_line
from hub.domain.world_log_state import AddWorldLine, LoggedOut, PutSession
from hub.io.world.place import world_files
from hub.kit.phrasebook import sentence_code
from tests.fakes.hub_api import NOON
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api, Behind, problem, running

DAY = "/api/v1/world/day"
SUNDAY = f"{DAY}?day=2026-03-01"
SECRET = f"ghp_{'a1B2' * 9}"
HOUR = timedelta(hours=1)
SESSION = WorldSession(
    id="abc123",
    status=AgentStatus.VERIFIED,
    started_at=NOON - 3 * HOUR,
    moved_at=NOON - HOUR,
    heard_at=NOON - HOUR,
    task=LogText("Book \u202eTokyo"),
    need=LogText("confirmation number"),
    checked_by="proof",
)
LINES = f"""\
[2026-03-01T09:00:00Z][agent:start][abc123] Book \u202eTokyo | need: confirmation number
[2026-03-01T09:30:00Z][agent:active][abc123] searching
[2026-03-01T09:31:00Z][event:chrome][kayak.com] found 15 flights, token {SECRET}
[2026-03-01T10:30:00Z][agent:finish][abc123] booked
[2026-03-01T11:00:00Z][agent:verified][abc123] it is there
[2026-03-01T15:30:00Z][agent:start][late] Sleep
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "world.log"
    path.write_text(LINES)
    return path


@pytest_asyncio.fixture
async def api(log: Path) -> AsyncIterator[Api]:
    async with running(Behind(world=world_files(log.parent, log.name))) as made:
        made.behind.clock.moment = NOON + 24 * HOUR
        yield made


async def test_a_day_is_told_from_the_file_and_the_store(api: Api) -> None:
    other = replace(SESSION, id="of-another")
    await api.behind.write(PutSession(user=USER, session=SESSION), PutSession(user="bob", session=other))
    found = (await api.http.get(SUNDAY)).json()
    assert (found["day"], found["zone"], found["lines"]) == ("2026-03-01", "UTC", 6)
    lane, late = found["lanes"]
    assert (late["session"], late["pauses"][-1]["isOpen"]) == ("late", False)
    assert (lane["session"], lane["checkedBy"], lane["workedS"], lane["checkedS"]) == ("abc123", "proof", 5_400, 1_800)
    assert [span["status"] for span in lane["spans"]] == ["start", "active", "finish", "verified"]
    assert [pause["kind"] for pause in lane["pauses"]] == ["silence", "silence", "check"]


async def test_a_lane_of_a_card_has_its_title_as_a_code_while_the_log_says_just_that(api: Api, log: Path) -> None:
    task = say("Find out why CI{of} fails, and fix it", of="")
    session = replace(SESSION, task=LogText(task.text), task_worded=task.worded)
    await api.behind.write(PutSession(user=USER, session=session))
    lane = (await api.http.get(SUNDAY)).json()["lanes"][0]
    assert (lane["session"], lane["taskWorded"]) == ("abc123", None)
    await asyncio.to_thread(log.write_text, LINES.replace("Book \u202eTokyo", task.text))
    lane = (await api.http.get(SUNDAY)).json()["lanes"][0]
    assert (lane["task"], lane["taskWorded"]["code"]) == (
        task.text,
        sentence_code("Find out why CI{of} fails, and fix it"),
    )


async def test_a_forged_line_is_shown_as_that(api: Api, log: Path) -> None:
    """The store knows which lines the hub has said; what else speaks for a session of a client's is not its word."""
    true = [one for one in map(read_line, LINES.encode().splitlines()) if isinstance(one, AgentLine)]
    said = (AddWorldLine(user=USER, out=LoggedOut(id=f"l{at}", line=one)) for at, one in enumerate(true))
    await api.behind.write(PutSession(user=USER, session=replace(SESSION, owner="client_a")), *said)
    forged = "[2026-03-01T09:40:00Z][agent:failed][abc123] broke everything\n"
    text = LINES.replace("[2026-03-01T10:30", f"{forged}[2026-03-01T10:30")
    await asyncio.to_thread(log.write_text, text)
    lane, _ = (await api.http.get(SUNDAY)).json()["lanes"]
    assert [span["status"] for span in lane["spans"]] == ["start", "active", "finish", "verified"]
    assert [(one["refused"], one["forged"]) for one in lane["events"]] == [("failed", True)]


async def test_its_words_are_safe_to_show(api: Api) -> None:
    text = (await api.http.get(SUNDAY)).text
    assert "\u202e" not in text
    assert SECRET not in text
    assert "found 15 flights" in text


async def test_a_day_is_one_where_the_person_is(api: Api) -> None:
    api.behind.hub_api.rules = replace(api.behind.hub_api.rules, zone="Asia/Tokyo")
    sunday = (await api.http.get(SUNDAY)).json()
    assert (sunday["since"], sunday["until"]) == ("2026-02-28T15:00:00Z", "2026-03-01T15:00:00Z")
    monday = (await api.http.get(DAY)).json()
    assert [lane["session"] for lane in monday["lanes"]] == ["late"]
    assert monday["day"] == "2026-03-02"


async def test_a_search_leaves_out_the_rest(api: Api) -> None:
    found = (await api.http.get(DAY, params={"day": "2026-03-01", "search": " KAYAK "})).json()
    assert (found["lanes"], [one["identifier"] for one in found["events"]]) == ([], ["kayak.com"])


@pytest.mark.parametrize("query", ["day=today", "day=2026-13-01", "search=" + "x" * 201, "days=1"])
async def test_nonsense_is_refused(api: Api, query: str) -> None:
    assert problem(await api.http.get(f"{DAY}?{query}")).code == "invalid-query"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
async def test_the_ends_of_the_calendar_are_empty_days(api: Api, day: str) -> None:
    assert (await api.http.get(f"{DAY}?day={day}")).json()["lanes"] == []


async def test_who_may_not_read_is_told_nothing(api: Api) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "asks", "scopes": ["ask"]})).json()
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as http:
        assert (await http.get(DAY)).status_code == 403
    async with plain_client(api.address) as http:
        assert (await http.get(DAY)).status_code == 401


async def test_without_a_log_what_the_store_knows_is_told() -> None:
    async with running() as api:
        await api.behind.write(PutSession(user=USER, session=SESSION))
        [lane] = (await api.http.get(DAY)).json()["lanes"]
        assert [span["status"] for span in lane["spans"]] == ["finish", "verified"]


async def test_a_log_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    log = tmp_path / "world.log"
    log.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text(LINES)
    async with running(Behind(world=world_files(log.parent, log.name))) as api:
        assert (await api.http.get(DAY)).json()["lanes"] == []
