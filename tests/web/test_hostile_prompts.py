"""Text that was written to deceive or to run: shown as it is, nothing executed, nothing lost."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.web.chromium import new_page
from tests.web.conftest import assert_quiet
from tests.web.live_hub import LiveHub
from tests.web.signing_in import open_view, sign_in

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_chromium,
    pytest.mark.needs_mosquitto,
]
PROMPT_CHARS_MAX = 4_000
PROMPTS = {
    "script": "<script>window.caught = 1</script><img src=x onerror='window.caught = 2'>",
    "markup": "</p></article><style>*{display:none}</style><a href='javascript:window.caught=3'>click</a> &lt;",
    "template": "{name} ${window.caught = 4} %s %(x)s {0}",
    "bidi": "Delete \u202egpj.sesab\u202c and \u2066hidden\u2069",
    "invisible": "rm\u200b -rf\u2060 ~/pro\u00adject \ufeff\u200d",
    "right to left": "\u05de\u05d7\u05e7 \u05d0\u05ea \u05d4\u05e2\u05e0\u05e3 feature/42 \u0627\u0644\u0622\u0646",
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f3f3\ufe0f\u200d\U0001f308 go?",
    "one long word": "x" * PROMPT_CHARS_MAX,
    "many lines": "line\n" * 200,
}


@pytest.fixture(scope="module")
def hub(shared_hub: LiveHub) -> LiveHub:
    return shared_hub


@pytest_asyncio.fixture(loop_scope="session", scope="module", params=["desktop", "phone"])
async def seen(request: pytest.FixtureRequest, chromium: Browser, hub: LiveHub) -> AsyncIterator[Page]:
    """A page in both sizes, signed in once for all prompts."""
    async with new_page(chromium, request.param) as (page, complaints):
        await sign_in(page, hub)
        yield page
        assert_quiet(complaints)


@pytest.mark.parametrize("kind", PROMPTS)
async def test_it_is_shown_as_it_is(hub: LiveHub, seen: Page, kind: str) -> None:
    page = seen
    await open_view(page, "inbox")
    card = await hub.ask(PROMPTS[kind])
    one = page.locator(f'.card[data-id="{card["id"]}"]')
    text = await one.locator(".prompt").text_content()
    assert text == card["prompt"]
    for view in ("activity", "inbox"):
        await open_view(page, view)
    await page.evaluate("(id) => { location.hash = `#card=${id}`; }", card["id"])
    await expect(page.locator("dialog[open]")).to_contain_text(card["prompt"].strip()[:60])
    assert await page.evaluate("window.caught ?? null") is None
    assert await page.evaluate("document.documentElement.scrollWidth <= screen.width")
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})


async def test_controls_of_direction_and_invisible_characters_are_made_visible(hub: LiveHub) -> None:
    for kind in ("bidi", "invisible"):
        card = await hub.ask(PROMPTS[kind])
        assert not {"\u202e", "\u2066", "\u200b", "\u2060", "\ufeff"} & set(card["prompt"]), kind
        assert card["prompt"] != PROMPTS[kind]


async def test_what_is_too_long_is_refused_and_nothing_is_cut_off(hub: LiveHub) -> None:
    async with hub.client() as client:
        answer = await client.post("/api/v1/ask", json={"question": "x" * 10_000})
    assert answer.status_code == 422
    assert str(PROMPT_CHARS_MAX) in answer.text
