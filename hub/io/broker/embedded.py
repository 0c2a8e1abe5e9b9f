"""amqtt inside this process: the last resort, on 127.0.0.1 only, so that `pulse up` works where no mosquitto is.

It loses its queues when the hub ends and sends nothing again (docs/adr/0005-broker-choice.md). Nothing rests on it:
the outbox and the receipts carry what matters.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Self

from hub.io.broker.acl import BrokerUser
from hub.io.broker.address import BrokerAddress
from hub.io.broker.loopback import LOOPBACK, free_port
from hub.io.broker.running import BrokerHealth, BrokerStartError

CONNECTIONS_MAX = 200
SESSION_KEPT_S = 3_600
STOP_TIMEOUT_S = 0.8
NOISY_LOGGERS = ("amqtt", "transitions")
"""They tell every packet and every stranger's broken connection; only errors are worth a line of ours."""
DETAIL = "Using the small built-in broker, on this computer only. For other devices install mosquitto."


class AmqttBroker:
    """One amqtt broker on this process's loop. Make it with ``start``."""

    def __init__(self, port: int) -> None:
        from amqtt.broker import Broker  # type: ignore[import-untyped]  # noqa: PLC0415  no types; 25 MB, only if used

        from hub.io.broker.amqtt_guard import GUARD, Guard  # noqa: PLC0415  imports amqtt

        for name in NOISY_LOGGERS:
            logging.getLogger(name).setLevel(logging.ERROR)
        listener = {"type": "tcp", "bind": f"{LOOPBACK}:{port}", "max_connections": CONNECTIONS_MAX}
        settings = {
            "listeners": {"default": listener},
            "plugins": {GUARD: {}},
            "session_expiry_interval": SESSION_KEPT_S,
        }
        self._broker = Broker(settings)
        self._guard: Guard = self._broker.plugins_manager.get_plugin(Guard.__name__)
        self._port = port
        self._running = False

    @classmethod
    async def start(cls, users: Sequence[BrokerUser], port: int | None = None) -> Self:
        """Start it on 127.0.0.1, on ``port`` or a free one.

        Raises:
            BrokerStartError: the port is taken.
        """
        from amqtt.errors import BrokerError  # type: ignore[import-untyped]  # noqa: PLC0415  no types; only if used

        broker = cls(port or free_port())
        broker._guard.admit(users)
        try:
            await broker._broker.start()
        except BrokerError as error:
            raise BrokerStartError(f"The built-in broker did not start: {error}") from error
        broker._running = True
        return broker

    @property
    def address(self) -> BrokerAddress:
        """Where clients connect."""
        return BrokerAddress(host=LOOPBACK, port=self._port)

    async def admit(self, users: Sequence[BrokerUser]) -> None:
        """Make exactly ``users`` the ones who may log in; a revoked one hears and says nothing more."""
        self._guard.admit(users)

    def health(self) -> BrokerHealth:
        """Tell that it runs, and what it is not good for."""
        return BrokerHealth(kind="amqtt", running=self._running, detail=DETAIL if self._running else "Stopped.")

    async def stop(self) -> None:
        """End it within a second."""
        if self._running:
            self._running = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_TIMEOUT_S):
                    await self._broker.shutdown()
