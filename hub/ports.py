"""The small doors between the loop and the world: each has a real implementation, a fake, and one suite for both."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime
from typing import Protocol, TypeVar

from hub.contract.access import Login
from hub.contract.api import CrossPollStatus, HealthPart
from hub.contract.base import Value
from hub.contract.control import PermissionReply
from hub.contract.events import AnyEvent
from hub.contract.permission import PermissionRequest
from hub.contract.topics import DeviceAddress
from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan
from hub.domain.policy import Agent, Policy
from hub.domain.readings import Reading
from hub.domain.requests import Refused, Reply, Request
from hub.domain.storage import Change, CommitOutcome, Outgoing, Query
from hub.domain.suggestion import Work
from hub.domain.twin import TwinChat, TwinQuestion, TwinReply, TwinSaid, TwinTrial
from hub.domain.world_file import LogRead
from hub.domain.world_log_state import LoggedOut
from hub.kit.mqtt.messages import Delivery, LinkHealth

T = TypeVar("T")


class Clock(Protocol):
    """The time, and waiting for it; a virtual one in tests."""

    def now(self) -> datetime:
        """Return the present moment, in UTC."""

    async def sleep_until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""


class Store(Protocol):
    """Durable state. All of a transaction is written, or nothing."""

    async def commit(self, transactions: Sequence[tuple[Change, ...]]) -> tuple[CommitOutcome, ...]:
        """Write several transactions with one disk synchronisation; one outcome each, in order."""

    async def read(self, query: Query[T]) -> T:
        """Answer a query from committed state."""

    async def claim(self, *, now: datetime, lease_s: float, limit: int) -> tuple[Outgoing, ...]:
        """Lease outbox messages whose lease has run out, oldest first; each time for twice as long, up to a bound."""

    def health(self) -> HealthPart:
        """Say how the store is."""

    async def close(self) -> None:
        """Finish what was accepted and let go of the file."""


class WorldFile(Protocol):
    """The world log as a file. All of it blocks, so it is called in a thread, one call at a time."""

    def read(self, cursor: bytes, lines_max: int) -> LogRead:
        """Read what is there beyond the cursor; an empty one is the beginning.

        Raises:
            PulseError: it cannot be read; nothing was taken in.
        """

    def append(self, lines: Sequence[LoggedOut]) -> tuple[str, ...]:
        """Append lines, and return the ids of those that no line can say, which are left out.

        Raises:
            PulseError: it cannot be written; lines before that one may be there.
        """

    def tend(self, now: datetime, half_bytes: int) -> None:
        """See that it is there and not too large; end a half line of so many bytes that nobody goes on with.

        Raises:
            PulseError: it cannot be made or written.
        """


class Bus(Protocol):
    """Publishes to and hears from the broker; broker loss is a state, not an exception."""

    async def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> bool:
        """Return True once the broker acknowledged; False when it could not be reached in time."""

    async def listen(self, patterns: Sequence[str], handle: Callable[[Delivery], Awaitable[None]]) -> None:
        """Subscribe now and after each reconnect; a message is acknowledged only after `handle` returned."""

    def health(self) -> LinkHealth:
        """Say whether the broker is reachable."""

    async def close(self) -> None:
        """Disconnect, keeping the session for the next start."""


class Sensor(Protocol):
    """Something that looks and never acts."""

    @property
    def name(self) -> str:
        """The sensor's name, also its `signal` topic."""

    async def read(self, now: datetime) -> Reading:
        """Look once, within the sensor's own limits; what cannot be read is a `BrokenReading`, never an exception."""

    async def close(self) -> None:
        """Stop watching."""


class AgentRunner(Protocol):
    """Runs one kind of agent inside its bounds."""

    async def plan(self, agent: Agent, work: Work) -> AnyPlan:
        """Tell what would be started for this work, by looking and starting nothing; the same world, the same plan."""

    async def run(self, job: Job, progress: Callable[[str], None]) -> RunResult:
        """Run what the job's plan says, to the end and within its bounds; cancelling ends its whole group first."""

    async def close(self) -> None:
        """End whatever still runs."""


class AgentQuestions(Protocol):
    """The way to a person for an agent that Pulse runs."""

    async def ask(self, asked: PermissionRequest, *, key: str, is_linked: bool = True) -> PermissionReply | Refused:
        """Put it before the person and wait until it is settled; cancelling takes it back. The same key, once.

        What they let go on without a question is approved at once, and answered by nobody. With `is_linked`
        (a path in it leads elsewhere by a link, or nobody looked) no grant of theirs covers it.
        """


class Twin(Protocol):
    """Models of the person (CROSSPOLL 2.3): those of the policy, in its order, as it is at each call."""

    async def predict(self, asked: TwinQuestion, policy: Policy) -> TwinReply:
        """Ask for the most valuable actions, best ones of the offers; never an exception, and never without an end."""

    async def chat(self, chat: TwinChat) -> TwinSaid:
        """Pass a chat on to one service, unless it rests; never an exception."""

    async def test(self, policy: Policy, name: str = "") -> tuple[TwinTrial, ...]:
        """Make a small real call to each of them, or to one, however they were lately."""

    def health(self, policy: Policy) -> tuple[HealthPart, ...]:
        """Say how each of them was when it was last asked."""


class HubApi(Protocol):
    """The way in: hands a request to the loop and waits for its reply."""

    async def submit(self, request: Request) -> Reply:
        """Return the loop's reply once all that follows from it is durable.

        Raises:
            BusyError: the inbox is full; nothing was taken.
        """

    def status(self) -> CrossPollStatus:
        """Return the autonomous state and budgets as they are now."""

    def policy(self) -> Policy:
        """Return the rules as they run now: the file's, with what was changed at run time."""

    def interruptions_on(self, day: date) -> int:
        """Return how many interruptions that day had, where the person is."""

    def health(self) -> tuple[HealthPart, ...]:
        """Return the health of every part."""


class Numbered(Value):
    """An event and its place in this hub's live feed, from 1."""

    seq: int
    event: AnyEvent


class Feed(Protocol):
    """The live feed of events, for clients that hold a connection to us."""

    @property
    def seq(self) -> int:
        """The number of the latest event."""

    def since(self, seq: int) -> tuple[Numbered, ...] | None:
        """Return what came after `seq`; None when some of it is no longer stored, so the client must start over."""

    def add(self, listener: Callable[[Numbered], None]) -> None:
        """Begin to listen; a listener must not block."""

    def remove(self, listener: Callable[[Numbered], None]) -> None:
        """Stop listening."""


class Surfaces(Protocol):
    """The surface processes that run beside the hub."""

    def need(self, surface: str) -> None:
        """Have this surface's process running from now on; the first device that is reached through it asks for it."""

    async def release(self, surface: str) -> None:
        """Have it running no more."""

    async def renew(self, surface: str) -> None:
        """Have it running as it is set up now; no more, where that was taken back.

        Raises:
            PulseError: what is set up has mistakes; what ran before goes on.
        """

    def health(self) -> tuple[HealthPart, ...]:
        """Say how each is that should run."""

    async def close(self) -> None:
        """End all of them."""


class Pairing(Protocol):
    """Hands out and takes back a device's way to the broker."""

    async def pair(self, address: DeviceAddress, profile: str) -> Login:
        """Register a device and give it a fresh password; an earlier one of the same device stops working.

        Raises:
            UserError: there is no such profile, or the name cannot be part of a topic.
        """

    async def revoke(self, address: DeviceAddress) -> None:
        """Revoke a device's access immediately."""

    async def gateway(self, surface: str) -> Login:
        """Let a process carry the deliveries of all devices of one surface; an earlier one's password stops working.

        Raises:
            UserError: the name cannot be part of a topic.
        """
