"""What the tests of the views begin with: the page at one of its addresses, on a hub with a year behind it."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any, Literal

from playwright.async_api import Browser, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.web.fake_hub import FakeHub
from tests.web.fake_views import API, FakeViews
from tests.web.pages import open_page, until

Look = Literal["light", "dark"]
SETTLED = "body[data-view={name}]:not(:has(#view [aria-busy=true])) #view > *"


class ViewsHub(FakeHub):
    """The fake hub, with the endpoints of the views in front of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.views = FakeViews()
        self.status = self.views.config["status"]

    def tell_status(self) -> None:
        """Tell everybody the state as it is now."""
        self.push("crosspoll.status", status=dict(self.status))

    def _app(self) -> Starlette:
        sign_out = Route(f"{API}/session", self._sign_out, methods=["DELETE"])
        return Starlette(routes=[*self.views.routes(), sign_out, *super()._app().routes])

    async def _sign_out(self, request: Request) -> Response:
        await self.views.note(request)
        self.paired = False
        return Response(status_code=204)


@contextlib.asynccontextmanager
async def opened(
    browser: Browser,
    hash_: str,
    *,
    size: str = "desktop",
    look: Literal["light", "dark"] = "light",
    empty: bool = False,
    language: str = "en-GB",
    worker: bool = False,
) -> AsyncIterator[tuple[Page, ViewsHub]]:
    """Open a view of a signed-in page; whatever the page complains about fails the test."""
    hub = ViewsHub()
    with hub:
        hub.views.empty = empty
        if empty:
            hub.tasks = []
        options: dict[str, Any] = {"color_scheme": look, "reduced_motion": "reduce", "locale": language}
        async with open_page(browser, hub, size, path=f"/{hash_}", worker=worker, **options) as page:
            await settled(page, hash_)
            yield page, hub


async def settled(page: Page, hash_: str) -> None:
    """Wait until a view is drawn and nothing in it is on its way."""
    name = hash_.removeprefix("#/").split("/")[0] or "inbox"
    await page.locator(SETTLED.format(name=name)).first.wait_for(state="attached")


async def live(hub: ViewsHub) -> None:
    """Wait until the page hears events: it says whether it is seen only after it has subscribed."""
    await until(hub, lambda: any(message["type"] == "presence" for message in hub.said))
