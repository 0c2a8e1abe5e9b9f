"""A browser, as far as the API sees one."""

from collections.abc import Callable

import httpx

from hub.domain.delivery import Device
from hub.domain.storage import PutDevice
from tests.fakes.plain_http import plain_client
from tests.io.http.running import USER, Api

NewBrowser = Callable[[], "Browser"]


class Browser:
    """A browser: it keeps cookies, names its page, and has no token."""

    def __init__(self, api: Api) -> None:
        self.http = plain_client(api.address, {"Origin": api.address})
        self.device = ""

    async def pair(self, code: str) -> httpx.Response:
        answer = await self.http.post("/api/v1/session", json={"code": code, "title": "Firefox on desk"})
        if answer.is_success:
            self.device = answer.json()["device"]
        return answer

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())


async def a_code(api: Api) -> str:
    made = await api.http.post("/api/v1/pairing")
    assert made.status_code == 200
    return str(made.json()["code"])


async def signed_in(api: Api, browser: Browser) -> Browser:
    assert (await browser.pair(await a_code(api))).status_code == 200
    device = Device(user=USER, surface="browser", device=browser.device, profile="browser")
    await api.behind.write(PutDevice(device=device))
    return browser
