"""A browser that signs in by a code, as the hub sees it."""

import ssl
from collections.abc import Callable

import httpx

from hub.domain.delivery import Device
from hub.domain.storage import PutDevice
from tests.fakes.browser_key import BrowserKey
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api

NewBrowser = Callable[[], "Browser"]


class Browser:
    """A browser: it has a key, names its page, and signs what it sends."""

    def __init__(self, api: Api, at: str = "", trust: ssl.SSLContext | None = None) -> None:
        """Open the page where the API listens, or `at` another address whose certificate is trusted by `trust`."""
        self.key = BrowserKey(api.now)
        headers = {"Origin": at or api.address}
        if trust is None:
            self.http = plain_client(api.address, headers)
        else:
            self.http = httpx.AsyncClient(base_url=at, verify=trust, trust_env=False, headers=headers)
        self.http.auth = self.key
        self.device = ""

    async def pair(self, code: str) -> httpx.Response:
        self.key.token = ""
        answer = await self.http.post("/api/v1/session", json={"code": code, "title": "Firefox on desk"})
        if answer.status_code == 200:
            self.device = answer.json()["device"]
            self.key.token = answer.json()["token"]
        return answer


async def a_code(api: Api, **wishes: object) -> str:
    made = await api.http.post("/api/v1/pairing", json=wishes)
    assert made.status_code == 200
    return str(made.json()["code"])


async def signed_in(api: Api, browser: Browser) -> Browser:
    assert (await browser.pair(await a_code(api))).status_code == 200
    now = api.behind.clock.now()
    device = Device(user=USER, surface="browser", device=browser.device, profile="browser", paired_at=now)
    await api.behind.write(PutDevice(device=device))
    return browser
