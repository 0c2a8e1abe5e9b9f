"""The coding agents on the person's machine: which are connected, and what connecting one would change."""

from typing import Literal

from hub.contract.api import Aware, Count
from hub.contract.base import HubMessage
from hub.contract.phrasing import Phrasing

ConnectionState = Literal["connected", "incomplete", "another-pulse", "unreadable", "not-connected"]


class CodingAgentView(HubMessage):
    """One coding agent that is on this machine, or connected.

    `command` connects it, or disconnects one that is connected, and the change is that command's: `file` is what it
    changes, empty where nothing of the agent's own changes; `adds` and `removes` are the lines that would come and go
    there, at most the first of them; `more` says how many are left out. `says` is what a person should know before they
    connect it (`saysWorded` as codes), `notes` what stands in the way, as sentences (`notesWorded` as codes), and
    `since` when it was connected, where that is known.
    """

    agent: str
    title: str
    state: ConnectionState
    command: str
    file: str = ""
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    more: Count = 0
    says: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    says_worded: tuple[Phrasing | None, ...] = ()
    notes_worded: tuple[Phrasing | None, ...] = ()
    since: Aware | None = None


class MissingAgentView(HubMessage):
    """One coding agent that Pulse knows and did not find: the `program` that it starts with, and what connects it.

    `get` is what installs it: a command, or the address of its download.
    """

    agent: str
    title: str
    program: str
    command: str
    get: str = ""


class CodingAgentList(HubMessage):
    """The answer of `GET /api/v1/coding-agents`."""

    agents: tuple[CodingAgentView, ...]
    count: Count
    missing: tuple[MissingAgentView, ...] = ()
