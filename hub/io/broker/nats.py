"""nats-server, the broker that comes along, as the child: its files and its command line."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hub.io.broker.acl import BrokerUser
from hub.io.broker.child import BrokerChild
from hub.io.broker.nats_conf import CONF_NAME, DATA_NAME, nats_conf_for
from hub.io.broker.nats_limits import new_limits_login, set_limits
from hub.io.broker.running import make_private
from hub.io.home.private_files import write_private

PORTS_FILE = f"{DATA_NAME}/nats-server_{{pid}}.ports"
"""Where it writes down the ports that it has taken."""
ENVIRONMENT = {"GOMEMLIMIT": "64MiB"}
"""From here on it rather looks for garbage than grows; a flood of strangers else leaves it at twice that."""
REASONS = ("[FTL]", "nats-server:")
"""What is in the lines that may be why it ended. Errors tell of clients, with their client ids, which are nobody's."""


class NatsRecipe:
    """A nats-server with MQTT in ``folder``."""

    kind: Final = "nats-server"
    reloaded = "Reloaded server configuration"
    environment = ENVIRONMENT

    def __init__(self, program: Path, folder: Path) -> None:
        self._program = program
        self._folder = folder.absolute()
        self._limits_login = new_limits_login()

    @property
    def folder(self) -> Path:
        """Its own folder."""
        return self._folder

    @property
    def command(self) -> tuple[str | Path, ...]:
        """Its command line."""
        return (self._program, "-c", self._folder / CONF_NAME)

    def prepare(self) -> None:
        """Make its folders."""
        make_private(self._folder, self._folder / DATA_NAME)
        for old in self._folder.glob(PORTS_FILE.format(pid="*")):
            old.unlink(missing_ok=True)

    def write(self, users: Sequence[BrokerUser], port: int) -> None:
        """Write the configuration, which holds users, hashes and rules."""
        write_private(self._folder / CONF_NAME, nats_conf_for(users, self._limits_login, self._folder, port))

    async def settle(self, pid: int, port: int) -> None:
        """Bound what it keeps."""
        await set_limits(self._limits_login, port, self._folder / PORTS_FILE.format(pid=pid))

    def matters(self, line: str) -> bool:
        """Return True if a line may be why it ended."""
        return any(word in line for word in REASONS)


async def start_nats(program: Path, folder: Path, users: Sequence[BrokerUser], port: int | None = None) -> BrokerChild:
    """Start a nats-server that keeps its files in ``folder``.

    Raises:
        BrokerStartError: it ended or did not answer in time; the text holds its last words.
    """
    return await BrokerChild.start(NatsRecipe(program, folder), users, port)
