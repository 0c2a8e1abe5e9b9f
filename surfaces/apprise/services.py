"""Apprise itself, loaded where it is used: it is no part of Pulse, and takes 19 MB.

It is told plain text and no attachment, reads no settings of its own, and never logs: its addresses are secrets.
"""

import asyncio
import importlib
import logging
import sys
from collections.abc import Sequence
from typing import Any

from surfaces.apprise.errors import BadAppriseConfigError, UnknownAddressError
from surfaces.apprise.render import TextPush
from surfaces.apprise.settings import URLS_MAX

SEND_S_MAX = 30.0
INSTALL = f"Install it for Pulse: {sys.executable} -m pip install apprise"


class Services:
    """The services, in the order of their addresses."""

    def __init__(self, urls: Sequence[str]) -> None:
        """Read the addresses.

        Raises:
            BadAppriseConfigError: Apprise is not there.
            UnknownAddressError: it does not know one of them.
        """
        try:
            library: Any = importlib.import_module("apprise")
        except ImportError as error:
            raise BadAppriseConfigError("Apprise is not installed.", fix=INSTALL) from error
        logging.getLogger("apprise").disabled = True
        if not 0 < len(urls) <= URLS_MAX:
            raise BadAppriseConfigError(f"There must be 1 to {URLS_MAX} addresses.", fix="Run `pulse apprise setup`.")
        self._library = library
        self._asset = library.AppriseAsset(app_id="Pulse", secure_logging=True, interpret_escapes=False)
        self._services: list[Any] = []
        for number, url in enumerate(urls, start=1):
            service = library.Apprise(asset=self._asset)
            if not service.add(url):
                raise UnknownAddressError(
                    f"Apprise does not know the address number {number}.", fix="Run `pulse apprise setup` again."
                )
            self._services.append(service)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._services)

    async def tell(self, number: int, push: TextPush) -> bool:
        """Tell one of them; False where it did not take it, or not in time."""
        kinds, formats = self._library.NotifyType, self._library.NotifyFormat
        try:
            async with asyncio.timeout(SEND_S_MAX):
                return bool(
                    await self._services[number].async_notify(
                        title=push.title,
                        body=push.body,
                        notify_type=kinds.WARNING if push.is_alert else kinds.INFO,
                        body_format=formats.TEXT,
                    )
                )
        except TimeoutError:
            return False
