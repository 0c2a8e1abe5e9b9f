"""Mosquitto as the child: its files and its command line."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hub.io.broker.acl import BrokerUser, acl_for
from hub.io.broker.child import BrokerChild
from hub.io.broker.mosquitto_conf import ChildFiles, conf_for
from hub.io.broker.passwords import password_file_for
from hub.io.broker.running import make_private
from hub.io.home.private_files import write_private

AS_ROOT = "should not be run as root"
"""Said at every start as root; it is not why it ended."""


class MosquittoRecipe:
    """A mosquitto, version 2 or newer, in ``folder``."""

    kind: Final = "mosquitto"
    reloaded = ""
    environment: Mapping[str, str] = MappingProxyType({})

    def __init__(self, program: Path, folder: Path) -> None:
        self._program = program
        self._files = ChildFiles(folder=folder.absolute())

    @property
    def folder(self) -> Path:
        """Its own folder."""
        return self._files.folder

    @property
    def command(self) -> tuple[str | Path, ...]:
        """Its command line."""
        return (self._program, "-c", self._files.conf)

    def prepare(self) -> None:
        """Make its folders."""
        make_private(self._files.folder, self._files.data)

    def write(self, users: Sequence[BrokerUser], port: int) -> None:
        """Write configuration, passwords and access list."""
        write_private(self._files.passwords, password_file_for(users))
        write_private(self._files.acl, acl_for(users))
        write_private(self._files.conf, conf_for(self._files, port, as_root=os.geteuid() == 0))

    async def settle(self, pid: int, port: int) -> None:
        """Its configuration says everything."""

    def matters(self, line: str) -> bool:
        """Return True if a line may be why it ended."""
        return AS_ROOT not in line


async def start_mosquitto(
    program: Path, folder: Path, users: Sequence[BrokerUser], port: int | None = None
) -> BrokerChild:
    """Start a mosquitto that keeps its files in ``folder``.

    Raises:
        BrokerStartError: it ended or did not answer in time; the text holds its last words.
    """
    return await BrokerChild.start(MosquittoRecipe(program, folder), users, port)
