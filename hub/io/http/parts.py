"""What the API is made of, handed in by the composition root."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Protocol

from hub.contract.api import HealthPart
from hub.contract.base import Value
from hub.contract.coding_agents import CodingAgentList
from hub.contract.profile import DeviceProfile
from hub.domain.readings import Reading
from hub.domain.requests import Refused
from hub.domain.twin import TwinChat, TwinSaid, TwinTrial
from hub.io.home.agents_connected import AgentsConnected
from hub.io.home.redirect_file import redirect_file_of
from hub.io.home.revocations import Revocations
from hub.io.home.settings_file import SettingsFiles
from hub.io.world.place import WorldFiles
from hub.ports import Clock, Feed, HubApi, Pairing, Store, Surfaces


async def _nothing_seen(_sensor: str) -> Reading | None:
    return None


class Models(Protocol):
    """Asks models outside a cycle."""

    async def test(self, name: str) -> tuple[TwinTrial, ...] | Refused:
        """Make a small real call to each model, or to one."""

    async def chat(self, chat: TwinChat) -> TwinSaid | Refused:
        """Pass a chat on."""


class OwnFilesHealth(Protocol):
    """Says which of Pulse's own files another program changed, until a person has read it."""

    def health(self) -> tuple[HealthPart, ...]:
        """Return it; nothing where there is nothing."""

    def seen(self) -> None:
        """Take note that a person has read it."""


class ApiParts(Value):
    """Everything that the API talks to, and its limits.

    `body_bytes_max` bounds a request's body, `sockets_max` the open WebSockets. `page` is the folder of the browser's
    page; `public_url` the address under which others reach it, over a proxy of the person's, or with `own_certificate`
    over a door of our own. `vapid_key` returns the
    public key for Web Push, and `action_key` is what action tokens are signed with. `home` is the folder of this
    Pulse; without one no passkey is kept. `glance` looks with the sensor of a name, now; `without_git` looks which
    watched folders are in no repository. `settings` knows whether the settings file has been changed, `own_files`
    which of Pulse's own were. `models` asks models outside a cycle, `coding_agents` looks at the agents on this
    machine. `world` is where the world log lies.
    """

    hub_api: HubApi
    store: Store
    feed: Feed
    clock: Clock
    pairing: Pairing
    user: str
    version: str
    body_bytes_max: int
    sockets_max: int
    action_key: bytes
    page: Path
    vapid_key: Callable[[], Awaitable[str]]
    surfaces: Surfaces
    revocations: Revocations
    profiles: Mapping[str, DeviceProfile]
    public_url: str = ""
    own_certificate: bool = False
    home: Path | None = None
    agents_connected: AgentsConnected | None = None
    glance: Callable[[str], Awaitable[Reading | None]] = _nothing_seen
    without_git: Callable[[], tuple[Path, ...]] = tuple
    settings: SettingsFiles | None = None
    own_files: OwnFilesHealth | None = None
    handed_in: tuple[Callable[[], HealthPart], ...] = ()
    models: Models | None = None
    coding_agents: Callable[[], CodingAgentList] | None = None
    world: WorldFiles | None = None

    @property
    def redirect_file(self) -> Path | None:
        """The file that leads a browser here."""
        return redirect_file_of(self.home) if self.home else None

    @property
    def passkeys(self) -> Path | None:
        """The file with the person's passkeys."""
        return self.home / "secrets" / "passkeys.json" if self.home else None
