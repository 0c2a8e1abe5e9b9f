"""What every running broker offers to the hub, whichever it is; and the one that somebody else runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.io.broker.acl import BrokerUser
from hub.io.home.private_files import private_folder
from hub.kit.mqtt.address import BrokerAddress

Kind = Literal["external", "nats-server", "mosquitto"]


class BrokerStartError(WorldError):
    """The broker did not start. See `pulse doctor`."""

    code = "broker-start"


def make_private(*folders: Path) -> None:
    """Make folders that only their owner may enter.

    Raises:
        BrokerStartError: one cannot be made.
    """
    for folder in folders:
        try:
            private_folder(folder)
        except OSError as error:
            raise BrokerStartError(f"The folder {folder} cannot be written: {error.strerror}.") from error


class BrokerHealth(Value):
    """How the broker does. ``detail`` is for a person: what happened, and what to do if anything is to be done."""

    kind: Kind
    running: bool
    detail: str
    restarts: int = 0


class RunningBroker(Protocol):
    """A broker that is up. ``address`` carries no login; each client adds its own."""

    @property
    def address(self) -> BrokerAddress:
        """Where clients connect."""

    async def admit(self, users: Sequence[BrokerUser]) -> None:
        """Make exactly ``users`` the ones who may log in; a revoked one is disconnected. In force when it returns."""

    def suspect(self) -> None:
        """A client has lost it: look whether it still answers, and start it again if it does not and is ours."""

    def health(self) -> BrokerHealth:
        """Tell how it does, without asking it."""

    async def stop(self) -> None:
        """End it, if it is ours to end; safe to call twice."""


class ExternalBroker:
    """The broker at ``mqtt.url``: its owner manages its users (``pulse broker acl`` prints the rules) and its life."""

    def __init__(self, address: BrokerAddress) -> None:
        self._address = address

    @property
    def address(self) -> BrokerAddress:
        """Where it is, with the login of the URL."""
        return self._address

    async def admit(self, users: Sequence[BrokerUser]) -> None:
        """Leave its users to its owner."""

    def suspect(self) -> None:
        """Leave its life to its owner."""

    def health(self) -> BrokerHealth:
        """Say that it is not ours; whether it answers is in the bus's health."""
        return BrokerHealth(kind="external", running=True, detail=f"Using the broker at {self._address.shown}.")

    async def stop(self) -> None:
        """Leave it running."""
