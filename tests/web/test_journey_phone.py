"""`pulse phone` with a real hub and a real browser of a phone's size: from the code to a notification that is shown."""

import asyncio
import base64
import contextlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.async_api import Page, Route, async_playwright, expect

from hub.io.home.certificate import FILE, authority_at
from hub.io.server.tls_proxy import Behind, TlsProxy
from tests.house.source import ROOT
from tests.web.chromium import SIZES, SWITCHES
from tests.web.gcm_service import GcmService, running_gcm
from tests.web.live_hub import live_hub
from tests.web.notification_daemon import NotificationDaemon, running_notification_daemon
from tests.web.signing_in import READY, open_view

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.needs_dbus,
    pytest.mark.needs_chromium,
]
HOST = "127.0.0.1"
WAIT_S_MAX = 60
SETTINGS = '[web]\npush_hosts = ["{gcm}"]\n'


@contextlib.asynccontextmanager
async def a_tunnel(folder: Path, port: int) -> AsyncIterator[tuple[str, str]]:
    """Lead an https address here, as a tunnel of the person's does; yield it, and what a browser trusts it by."""
    authority = authority_at(folder, "tunnel", HOST)
    context = authority.server_at(HOST, folder).context
    told = authority.told()
    door = TlsProxy(Behind(host=HOST, port=port, der=told.der, profile=told.profile, context=context))
    door.open(HOST, 0)
    found = x509.load_der_x509_certificate(authority.told().der)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(found.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    try:
        yield f"https://{door.address}", base64.b64encode(digest.finalize()).decode()
    finally:
        await door.close()


@contextlib.asynccontextmanager
async def a_phone(
    folder: Path, gcm: GcmService, desktop: NotificationDaemon, url: str, trusted: str
) -> AsyncIterator[Page]:
    """Run a Chromium of a phone's size, which trusts the tunnel, uses this push service and may notify."""

    async def to_loopback(route: Route) -> None:
        body: Any = route.request.post_data_json
        body["address"]["endpoint"] = gcm.http_origin + urlsplit(body["address"]["endpoint"]).path
        await route.continue_(post_data=json.dumps(body))

    switches = [f"{one},{trusted}" if one.startswith("--ignore-certificate") else one for one in gcm.switches()]
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=shutil.which("chromium"),
            headless=True,
            args=[*SWITCHES, *switches],
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": desktop.address},
            locale="en-GB",
            **SIZES["phone"],
        )
        try:
            await context.grant_permissions(["notifications"], origin=url)
            await context.route("**/devices/browser/*/address", to_loopback)
            yield context.pages[0]
        finally:
            await context.close()


async def said(process: asyncio.subprocess.Process, what: str) -> str:
    """Read what `pulse phone` prints until a line says this."""
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S_MAX):
        while line := (await process.stdout.readline()).decode():
            if what in line:
                return line
    pytest.fail(f"it ended without saying {what!r}")


async def test_from_the_command_to_a_notification_on_the_phone() -> None:
    with tempfile.TemporaryDirectory(prefix="pulse-") as name:
        folder = Path(name)
        async with running_gcm(folder) as gcm, running_notification_daemon(folder) as desktop:
            with live_hub(folder / "hub", SETTINGS.format(gcm=gcm.http_origin)) as hub:
                async with (
                    a_tunnel(folder, hub.port) as (url, trusted),
                    a_phone(folder, gcm, desktop, url, trusted) as page,
                ):
                    command = [sys.executable, "-m", "hub", "phone", "--url", url, "--android", "--home", str(hub.home)]
                    process = await asyncio.create_subprocess_exec(
                        *command,
                        cwd=ROOT,
                        env={**os.environ, "SSL_CERT_FILE": str(folder / FILE)},
                        stdout=asyncio.subprocess.PIPE,
                        stderr=asyncio.subprocess.STDOUT,
                    )
                    assert url in await said(process, "leads to this Pulse")
                    code = re.search(r"[A-Z0-9]{5}-[A-Z0-9]{5}", await said(process, "Scan it"))
                    assert code is not None
                    await page.goto(f"{url}/#pair={code[0].replace('-', '')}")
                    await page.wait_for_selector(READY, state="attached")
                    await said(process, "Signed in: Phone")
                    await open_view(page, "devices")
                    switch = page.get_by_role("switch", name="Notifications")
                    await expect(switch).to_have_attribute("aria-disabled", "false")
                    await switch.click()
                    await said(process, "It can be notified")
                    await page.goto("about:blank")
                    shown = await desktop.shown.first(lambda one: "This is a test" in one.title + one.body)
                    assert shown.body or shown.title
                    await said(process, "has shown it")
                    assert await process.wait() == 0
                    assert json.loads((hub.home / "set-up.json").read_text())["api"]["public_url"] == url
