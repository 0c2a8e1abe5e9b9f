"""Who calls over the hub's own Unix socket, by the kernel's word; settled once, when a connection is made.

Nobody joins or leaves a run later, and a process that passes its connection on does not change what made it.
"""

import asyncio
import os
import socket
from functools import cache
from typing import Literal

from hub.contract.base import Value
from hub.io.agents.lineage import AGENTS, LIVE, descends_from_agent, descends_from_run
from hub.io.agents.process_table import entry
from hub.io.agents.terminal_shell import Process
from hub.io.server.peer_credentials import Hold, Peer, peer_of

EXTENSION = "pulse.local"
"""Where a request's ASGI scope holds the `Caller`, if it came over the socket."""
Standing = Literal["person", "run", "agent", "another-user", "unproven"]


class Caller(Value):
    """The process that made a connection, and what it may be taken for.

    `origin` tells runs from each other, and agents of the person's: the process of the run, or the agent, that it
    descends from. It is empty where that is unknown. `began` tells the process from one that has its number later.
    """

    peer: Peer
    standing: Standing
    origin: str = ""
    began: int = 0

    @property
    def process(self) -> Process:
        """The process itself."""
        return Process(pid=self.peer.pid, began=self.began)


def caller_of(transport: asyncio.BaseTransport) -> Caller | None:
    """Return who is at the other end; None over TCP, where nobody is known by how they come.

    It takes a few small reads of /proc.
    """
    connection = transport.get_extra_info("socket")
    if connection is None or connection.family != socket.AF_UNIX:
        return None
    try:
        peer = peer_of(connection)
    except OSError:
        peer = None
    if peer is None:
        return Caller(peer=Peer(pid=0, uid=-1), standing="unproven")
    began = 0 if peer.pid <= 0 or (found := entry(peer.pid)) is None else found.started
    standing, origin = known_as(connection, peer)
    return Caller(peer=peer, standing=standing, origin=origin, began=began)


def extension_of(caller: Caller) -> dict[str, dict[object, object]]:
    """Return what a request's ASGI scope carries of its caller."""
    return {EXTENSION: {"caller": caller}}


def known_as(connection: socket.socket, peer: Peer) -> tuple[Standing, str]:
    """Say what the process at the other end may be taken for, and of which run or agent it is, where that is known."""
    if peer.uid != os.geteuid():
        return "another-user", ""
    if peer.pid <= 0:  # from beside or above our PID namespace: no person's terminal is known to be there
        return "run", ""
    hold = Hold(connection, peer.pid)
    look = cache(entry)  # the processes above it are the same for both questions
    try:
        of_a_run = descends_from_run(peer.pid, look)
        standing: Standing = "run" if of_a_run else "agent" if descends_from_agent(peer.pid, look) else "person"
        origin = (LIVE if standing == "run" else AGENTS).origin_of(peer.pid, look)
        # Of one that is gone all that was just read may be about another process.
        return (standing, origin) if hold.lives() else ("unproven", "")
    finally:
        hold.close()
