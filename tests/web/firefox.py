"""A headless Firefox with a profile of its own, pointed at a push service on loopback, ended by its process id."""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.bench.hub_process import free_port
from tests.web.bidi import BiDi, BiDiError

PROGRAM = "firefox-esr"
END_S_MAX = 40
OPEN_S_MAX = 40
LOOKS_MAX = 5
OUT_OF_SIGHT = "out of bounds"
"""How Firefox says that the place to click at is not in its window."""
LOOK_S = 0.05
NOWHERE = "http://127.0.0.1:9/"
"""The discard port: nobody answers there."""

UNTIL = """new Promise((done) => {{
  const look = () => {{
    const value = (() => {{ try {{ return {condition}; }} catch {{ return null; }} }})();
    if (value) done(value); else setTimeout(look, 20);
  }};
  look();
}})"""


IN_SIGHT = """(async () => {
  let before = -1;
  for (let looks = 0; looks < 200; looks += 1) {
    const one = document.querySelector(SELECTOR);
    one.scrollIntoView({ block: "center", behavior: "instant" });
    await new Promise((done) => setTimeout(done, 50));
    const { top, bottom } = one.getBoundingClientRect();
    if (top === before && top >= 0 && bottom <= innerHeight) return true;
    before = top;
  }
  return false;
})()"""


class Firefox:
    """One running Firefox with one tab."""

    def __init__(self, bidi: BiDi, tab: str) -> None:
        self._bidi = bidi
        self._tab = tab

    async def open(self, url: str) -> None:
        """Open an address in the tab and wait until it is loaded."""
        await self._bidi.command("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    async def script(self, expression: str) -> Any:  # noqa: ANN401  whatever JSON the page answers
        """Evaluate an expression in the page as if a person had just clicked; return its JSON value."""
        made = await self._bidi.command(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self._tab},
            awaitPromise=True,
            userActivation=True,
        )
        assert made["type"] == "success", made["exceptionDetails"]["text"]
        return json.loads(made["result"]["value"])

    async def click(self, selector: str) -> None:
        """Click the middle of an element with a real pointer, once it is in sight and stands still.

        Where the page moves on in between, the pointer has no place to go to, and it is looked for again.
        """
        for looks_left in reversed(range(LOOKS_MAX)):
            seen = await self.script(IN_SIGHT.replace("SELECTOR", json.dumps(selector)))
            assert seen, f"{selector} is not to be seen"
            try:
                return await self._press(selector)
            except BiDiError as error:
                if OUT_OF_SIGHT not in str(error) or not looks_left:
                    raise
        return None

    async def _press(self, selector: str) -> None:
        origin = {"type": "element", "element": {"sharedId": await self._element(selector)}}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        await self._bidi.command("input.performActions", context=self._tab, actions=[pointer])

    async def addresses(self) -> list[str]:
        """Return the address of every open tab."""
        return [tab["url"] for tab in (await self._bidi.command("browsingContext.getTree"))["contexts"]]

    async def until_open(self, address: str) -> None:
        """Wait until some tab shows an address that contains this."""
        async with asyncio.timeout(OPEN_S_MAX):
            while True:
                if any(address in one for one in await self.addresses()):
                    return
                await asyncio.sleep(LOOK_S)

    async def until(self, condition: str) -> Any:  # noqa: ANN401  whatever JSON the page answers
        """Wait until an expression is true in the page; return its value."""
        return await self.script(UNTIL.format(condition=condition))

    async def shot(self) -> str:
        """Return a picture of the tab as base64 PNG."""
        return str((await self._bidi.command("browsingContext.captureScreenshot", context=self._tab))["data"])

    async def _element(self, selector: str) -> str:
        locator = {"type": "css", "value": selector}
        found = await self._bidi.command("browsingContext.locateNodes", context=self._tab, locator=locator)
        assert found["nodes"], f"no {selector}"
        return str(found["nodes"][0]["sharedId"])


@contextlib.asynccontextmanager
async def running_firefox(
    profile: Path, *, push_service: str, bus: str, has_buttons: bool = True
) -> AsyncIterator[Firefox]:
    """Run Firefox for as long as the block lasts; without buttons on notifications, like its older releases."""
    _write(profile, push_service, has_buttons=has_buttons)
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        f"--remote-debugging-port={port}",
        "about:blank",
        env={**os.environ, "HOME": str(profile), "DBUS_SESSION_BUS_ADDRESS": bus, "MOZ_CRASHREPORTER_DISABLE": "1"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        bidi = await BiDi.to(port)
        await bidi.command("session.new", capabilities={})
        tabs = (await bidi.command("browsingContext.getTree"))["contexts"]
        yield Firefox(bidi, tabs[0]["context"])
        await bidi.close()
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), END_S_MAX)
    except TimeoutError:
        process.kill()
        await process.wait()


def _write(profile: Path, push_service: str, *, has_buttons: bool) -> None:
    profile.mkdir(parents=True, exist_ok=True)
    preferences = {
        **_QUIET,
        **_PUSH,
        "dom.push.serverURL": push_service.replace("http:", "ws:") + "/",
        "dom.webnotifications.actions.enabled": has_buttons,
    }
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
    (profile / "user.js").write_text("".join(lines))


_PUSH = {
    "dom.push.enabled": True,
    "dom.push.connection.enabled": True,
    "dom.push.maxQuotaPerSubscription": 100_000,  # a click within milliseconds looks like a push that showed nothing
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.serviceWorkers.enabled": True,
    "dom.webnotifications.enabled": True,
    "dom.webnotifications.requireuserinteraction": False,
    "permissions.default.desktop-notification": 1,
}
_QUIET = {
    # Nothing may leave this machine: no updates, no telemetry, no lists, no names looked up.
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.provider.mozilla.updateURL": "",
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage": "about:blank",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disabled": True,
    "network.proxy.type": 0,
    "network.trr.mode": 5,
    "services.settings.server": NOWHERE,
    "startup.homepage_welcome_url": "",
    "toolkit.telemetry.enabled": False,
}
