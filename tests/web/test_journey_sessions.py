"""An agent that Pulse did not start: three `echo` lines, stuck, rescued from a phone by a typed answer, verified.

The agent is a shell script that knows the path of a text file and nothing else of Pulse. The hub and the page are real.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.web.live_hub import LiveHub
from tests.web.signing_in import open_view, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
EACH_S, TIMES_MAX, END_S_MAX = 0.1, 600, 90
SCRIPT = r"""
log="$1"; ticket="$2"
echo "[agent:start][abc123] Book Tokyo flight | need: file: $ticket contains JAL" >> "$log"
echo "[agent:active][abc123] searching flights" >> "$log"
echo "[agent:failed][abc123] captcha required | need: solve captcha" >> "$log"
for _ in $(seq 900); do
  grep -q '\[agent:retry\]\[abc123\]' "$log" && break
  sleep 0.1
done
answer=$(sed -n 's/.*\[event:user\]\[abc123\] //p' "$log" | tail -n 1)
echo "[agent:active][abc123] typed the captcha" >> "$log"
echo "JAL, with the captcha $answer" > "$ticket"
echo "[agent:finish][abc123] Booked JAL, confirmation #XYZ789" >> "$log"
"""
MARKS = (
    "[agent:start][abc123]",
    "[agent:active][abc123]",
    "[agent:failed][abc123]",
    "[event:user][abc123]",
    "[agent:retry][abc123]",
    "[agent:finish][abc123]",
    "[agent:verified][abc123]",
)
"""Who has read what is left out."""
ANSWER = "captcha text: XKCD42"


async def session(hub: LiveHub) -> dict[str, Any] | None:
    """Return the session as the hub has it."""
    sessions: list[dict[str, Any]] = (await hub.call("GET", "/api/v1/world/sessions"))["sessions"]
    return next((one for one in sessions if one["id"] == "abc123"), None)


async def until_it_is(hub: LiveHub, status: str) -> dict[str, Any]:
    for _ in range(TIMES_MAX):
        found = await session(hub)
        if found is not None and found["status"] == status:
            return found
        await asyncio.sleep(EACH_S)
    raise AssertionError((status, found, hub.log()))


async def marks_in(log: Path, until: str) -> list[str]:
    """Return the marks in the log once one is there: the hub knows how a session is before it has written so."""
    for _ in range(TIMES_MAX):
        lines = (await asyncio.to_thread(log.read_text)).splitlines()
        found = [mark for line in lines for mark in MARKS if mark in line]
        if until in found:
            return found
        await asyncio.sleep(EACH_S)
    raise AssertionError(lines)


async def test_a_script_that_is_stuck_is_rescued_from_a_phone(phone: Page, hub: LiveHub, tmp_path: Path) -> None:
    log, ticket = hub.home / "world.log", tmp_path / "ticket.txt"
    await sign_in(phone, hub)
    agent = await asyncio.create_subprocess_exec("/bin/sh", "-c", SCRIPT, "agent", str(log), str(ticket))
    stuck = await until_it_is(hub, "failed")
    assert (stuck["asks"], stuck["proven"]) == ("solve captcha", False)
    await open_view(phone, "sessions")
    await phone.get_by_role("group", name="What does it need to know?").get_by_role("textbox").fill(ANSWER)
    await phone.get_by_role("button", name="Answer").click()
    done = await until_it_is(hub, "verified")
    assert await asyncio.wait_for(agent.wait(), END_S_MAX) == 0
    assert done["checkedBy"] == "proof"
    assert ANSWER in ticket.read_text()
    marks = await marks_in(log, until=MARKS[-1])
    assert marks == [*MARKS[:5], MARKS[1], *MARKS[5:]]
    await expect(phone.get_by_role("group", name="What does it need to know?")).to_have_count(0)
