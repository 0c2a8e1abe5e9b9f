"""A stage for the sessions of the world log: lines that are said or read, one step each, and what came of them."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.policy import Policy
from hub.domain.requests import Reply, Request
from hub.domain.world import AgentLine, WorldEvent, WorldSession
from hub.domain.world_lines import read_line, write_line
from hub.domain.world_log_state import AddWorldLine, PutSession
from hub.domain.world_requests import RespondToSession, SayWorld, WorldSaid
from hub.loop import Next, State, step
from hub.loop.commands import Respond
from hub.loop.events import Event, Facts, RequestArrived, Stamped, WorldRead
from hub.loop.world_views import world_status
from tests.fakes.world import a_state
from tests.loop.stage import NOON, a_policy

AGENT, OTHER = "client_a", "client_b"


class WorldStage:
    """The loop with the sessions of the world log, and nothing around it. An event that is refused changes nothing."""

    def __init__(self, policy: Policy | None = None, now: datetime = NOON) -> None:
        self.state: State = a_state(policy or a_policy())
        self.now = now
        self.stored: dict[str, WorldSession] = {}
        """What the store has; of it the loop is told what it does not remember."""
        self.written: list[bytes] = []
        """The lines that are to stand in the log, in order."""
        self.last: Next | None = None
        self._steps = 0

    def happen(self, event: Event, facts: Facts | None = None) -> Next:
        """Take one event, a second after the one before.

        Raises:
            UserError: it was refused.
        """
        self._steps += 1
        self.now += timedelta(seconds=1)
        stamped = Stamped(at=self.now, seed=f"s{self._steps}x", event=event, facts=facts or Facts(sessions=self.stored))
        self.last = step(self.state, stamped)
        self.state = self.last.state
        for change in self.last.changes:
            if isinstance(change, PutSession):
                self.stored[change.session.id] = change.session
            elif isinstance(change, AddWorldLine):
                self.written.append(write_line(replace(change.out.line, at=None)))
        return self.last

    def ask(self, request: Request) -> Reply:
        """Hand in a request; return the reply."""
        done = self.happen(RequestArrived(request=request, reply_to="me"))
        (reply,) = (one.reply for one in done.commands if isinstance(one, Respond))
        return reply

    def say(self, line: str, client: str = AGENT, *, key: str = "", is_here: bool = False) -> WorldSaid:
        """Say a line, written as the log has it, over the wire."""
        read = read_line(line.encode())
        assert isinstance(read, WorldEvent | AgentLine), read
        reply = self.ask(SayWorld(line=read, client=client, key=key, is_here=is_here))
        assert isinstance(reply, WorldSaid), reply
        return reply

    def respond(self, session: str, text: str) -> WorldSaid:
        """Answer a session as a person."""
        reply = self.ask(RespondToSession(session=session, text=text, in_person=True))
        assert isinstance(reply, WorldSaid), reply
        return reply

    def read(self, *lines: str) -> Next:
        """Have lines read in the file that others wrote."""
        return self.happen(WorldRead(lines=tuple(read_line(one.encode()) for one in lines), cursor=b"there"))

    def session(self, name: str) -> WorldSession:
        return self.state.world.sessions[name]

    def status(self, name: str) -> AgentStatus:
        return self.session(name).status

    def counts(self) -> Mapping[str, object]:
        """Return how the sessions are as a whole."""
        found = world_status(self.state)
        assert found is not None
        return {"active": found.active, "pending": found.pending, "failed": found.failed, "asks": found.asks}

    def run(self, name: str, *statuses: str, client: str = AGENT) -> None:
        """Say several statuses of a session, one after the other."""
        for status in statuses:
            self.say(f"[agent:{status}][{name}] {status} it", client)
