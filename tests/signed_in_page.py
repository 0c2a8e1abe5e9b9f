"""A page that is signed in at a running hub, for tests that need what only a page is shown."""

import json

import httpx

from tests.fakes.browser_key import BrowserKey


def page_of(said: str) -> "SignedInPage":
    """Return a page at a hub that was just started, by what that said in JSON."""
    up = json.loads(said)
    return SignedInPage(up["api"], up["link"].partition("#pair=")[2])


ANSWERS_WITHIN_S = 60.0
"""A hub on a busy machine still answers; httpx alone would give up after five seconds."""


class SignedInPage:
    """One session, with a key of its own."""

    def __init__(self, api: str, code: str) -> None:
        self.key = key = BrowserKey()
        self._http = httpx.Client(base_url=api, auth=key, trust_env=False, timeout=ANSWERS_WITHIN_S)
        signed = self._http.post("/api/v1/session", json={"code": code})
        if signed.is_error:
            self.close()
            raise httpx.HTTPStatusError(signed.text, request=signed.request, response=signed)
        key.token = signed.json()["token"]
        self.device = str(signed.json()["device"])

    def asking(self) -> dict[str, str]:
        """Return the ids of the terminals that ask to be let in, by their titles."""
        return {one["title"]: one["id"] for one in self._http.get("/api/v1/terminals").json()["asking"]}

    def word(self, title: str) -> str:
        """Return the word for a terminal that asks, as the page shows it."""
        terminal = self.asking()[title]
        answer = self._http.post("/api/v1/pairing", json={"purpose": "terminal", "terminal": terminal})
        answer.raise_for_status()
        return str(answer.json()["code"])

    def get(self, path: str) -> httpx.Response:
        """Ask as the page does: `/predictions`."""
        return self._http.get(f"/api/v1{path}")

    def post(self, path: str, body: dict[str, object] | None = None) -> httpx.Response:
        """Send a request as the page does: `/predictions/ID/confirm`."""
        return self._http.post(f"/api/v1{path}", json=body or {})

    def patch(self, path: str, body: dict[str, object]) -> httpx.Response:
        """Change something as the page does: `/crosspoll/config`."""
        return self._http.patch(f"/api/v1{path}", json=body)

    def close(self) -> None:
        """Leave."""
        self._http.close()
