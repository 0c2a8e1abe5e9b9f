"""What an agent says with half a character in it, on a live page: the card shows what its shell would be given."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.async_api import Locator, Page, expect

from hub.cli.hook_program import CLIENT
from tests.web.live_hub import LiveHub
from tests.web.pages import front
from tests.web.signing_in import sign_in

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow, pytest.mark.needs_chromium]
WAIT_S = 60
HALF = "\ud83d"
COMMAND = f"rm -rf src # {HALF}"
QUESTION = {"question": "Which?", "header": "h", "options": [{"label": "A", "description": f"x{HALF} y"}]}


@contextmanager
def asking(hub: LiveHub, tool: str, given: dict[str, object]) -> Iterator[subprocess.Popen[bytes]]:
    """Have Claude's hook ask the person, and wait."""
    said = {"session_id": "s1", "cwd": str(hub.repository), "permission_mode": "default"}
    said |= {"hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": given}  # type: ignore[dict-item]  # as Claude nests it
    words = (sys.executable, "-IS", str(CLIENT), "claude-code", str(hub.home), f"--within={WAIT_S}")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as hook:
        assert hook.stdin is not None
        hook.stdin.write(json.dumps(said).encode())
        hook.stdin.close()
        hook.stdin = None
        try:
            yield hook
        finally:
            hook.terminate()


async def shown(page: Page, text: str) -> Locator:
    """Have the card of the agent that waits brought to the front; return it."""
    note = page.locator(".note", has_text="Claude is waiting for your answer.")
    await note.get_by_role("button", name="Show").click()
    return front(page).filter(has_text=text)


async def test_a_command_is_shown_whole_with_what_it_would_do_and_runs_by_a_yes(hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, hub)
    with asking(hub, "Bash", {"command": COMMAND}) as hook:
        card = await shown(desktop, "rm -rf src")
        await expect(card.locator("pre.asked")).to_have_text("rm -rf src # \ufffd")
        await expect(card.locator("pre.asked mark")).to_have_text("rm -rf src")
        await expect(card.locator(".effects")).to_contain_text("deletes something")
        listed = json.loads(hub.pulse("cards", "--json").stdout)["predictions"]
        (asked,) = [one["permission"] for one in listed if one["permission"] is not None]
        assert (asked["text"], asked["effects"]) == ("rm -rf src # \ufffd", ["deletes"])
        await card.locator('[data-verb="approve"]').click()
        assert b'"behavior":"allow"' in hook.communicate(timeout=WAIT_S)[0]


async def test_a_question_is_put_to_the_person(hub: LiveHub, desktop: Page) -> None:
    await sign_in(desktop, hub)
    with asking(hub, "AskUserQuestion", {"questions": [QUESTION]}):
        await expect(await shown(desktop, "Which?")).to_contain_text("x\ufffd y")
