"""A freedesktop notification daemon on a private D-Bus: it records what is shown, and clicks like a person."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from dbus_fast import Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusInt32, DBusSignature, DBusStr, DBusUInt32
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

from tests.web.journal import WAIT_S_MAX, Journal

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
DISMISSED_BY_PERSON, CLOSED_BY_PROGRAM = 2, 3
"""Reasons of the specification, 1.2, "NotificationClosed"."""
CAPABILITIES = ["actions", "body", "body-markup", "icon-static", "persistence"]
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>"""

Strings = Annotated[list[str], DBusSignature("as")]
Four = Annotated[tuple[str, str, str, str], DBusSignature("ssss")]
Hints = Annotated[dict[str, Variant], DBusSignature("a{sv}")]
Closing = Annotated[list[int], DBusSignature("uu")]
Acting = Annotated[list[int | str], DBusSignature("us")]


@dataclass(frozen=True)
class Shown:
    """One notification as it was handed to the desktop; `actions` is label → key."""

    id: int
    replaces: int
    title: str
    body: str
    actions: Mapping[str, str]
    at: float
    """On `time.perf_counter`."""


class NotificationDaemon(ServiceInterface):
    """The service on the bus; `shown` is every notification in order, `closed` the ids that programs took away."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self.address = ""
        self.shown: Journal[Shown] = Journal()
        self.closed: Journal[int] = Journal()
        self._last = 0

    def click(self, notification: Shown, label: str) -> None:
        """Press the button with this label, as a person would; the desktop then takes the notification away."""
        self.ActionInvoked(notification.id, notification.actions[label])
        self.NotificationClosed(notification.id, DISMISSED_BY_PERSON)

    def tap(self, notification: Shown) -> None:
        """Tap the notification itself."""
        self.ActionInvoked(notification.id, "default")
        self.NotificationClosed(notification.id, DISMISSED_BY_PERSON)

    def dismiss(self, notification: Shown) -> None:
        """Swipe the notification away."""
        self.NotificationClosed(notification.id, DISMISSED_BY_PERSON)

    @dbus_method()
    def GetCapabilities(self) -> Strings:  # noqa: N802  the specification's own name
        return CAPABILITIES

    @dbus_method()
    def GetServerInformation(self) -> Four:  # noqa: N802  the specification's own name
        return ("pulse-tests", "pulse", "1", "1.2")

    @dbus_method()
    def Notify(  # noqa: N802, PLR0917  the specification's own name and arguments
        self,
        app: DBusStr,  # noqa: ARG002  not looked at
        replaces: DBusUInt32,
        icon: DBusStr,  # noqa: ARG002  not looked at
        summary: DBusStr,
        body: DBusStr,
        actions: Strings,
        hints: Hints,  # noqa: ARG002  not looked at
        timeout: DBusInt32,  # noqa: ARG002  not looked at
    ) -> DBusUInt32:
        self._last = max(self._last, replaces) if replaces else self._last + 1
        made = Shown(
            id=replaces or self._last,
            replaces=replaces,
            title=summary,
            body=body,
            actions=dict(zip(actions[1::2], actions[::2], strict=True)),
            at=time.perf_counter(),
        )
        self.shown.add(made)
        return made.id

    @dbus_method()
    def CloseNotification(self, identity: DBusUInt32) -> None:  # noqa: N802  the specification's own name
        self.closed.add(identity)
        self.NotificationClosed(identity, CLOSED_BY_PROGRAM)

    @dbus_signal()
    def NotificationClosed(self, identity: int, reason: int) -> Closing:  # noqa: N802  the specification's own name
        return [identity, reason]

    @dbus_signal()
    def ActionInvoked(self, identity: int, key: str) -> Acting:  # noqa: N802  the specification's own name
        return [identity, key]


@contextlib.asynccontextmanager
async def running_notification_daemon(folder: Path) -> AsyncIterator[NotificationDaemon]:
    """Run a private bus with the daemon on it; `folder` holds its socket (keep the path short)."""
    socket, configuration = folder / "bus", folder / "bus.conf"
    configuration.write_text(CONFIGURATION.format(socket=socket))
    process = await asyncio.create_subprocess_exec(
        "dbus-daemon",
        f"--config-file={configuration}",
        "--nofork",
        "--nopidfile",
        "--print-address=1",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        await asyncio.wait_for(process.stdout.readline(), WAIT_S_MAX)
        async with _on_bus(f"unix:path={socket}") as daemon:
            yield daemon
    finally:
        process.terminate()
        await process.wait()


@contextlib.asynccontextmanager
async def _on_bus(address: str) -> AsyncIterator[NotificationDaemon]:
    bus = await MessageBus(bus_address=address).connect()
    daemon = NotificationDaemon()
    daemon.address = address
    bus.export(PATH, daemon)
    await bus.request_name(NAME)
    try:
        yield daemon
    finally:
        bus.disconnect()
        await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]  # dbus-fast has no types there
