"""The tables of the store in memory, with a memory of how to take a transaction back."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from hub.domain.delivery import Device, LedgerEntry
from hub.domain.drives import DriveSample, Wake
from hub.domain.episode import Step
from hub.domain.execution import Execution
from hub.domain.mind import Known, Mind
from hub.domain.mutations import MutationRecord
from hub.domain.permission_grant import GrantEvent
from hub.domain.reports import StoredPair
from hub.domain.situation import Task
from hub.domain.storage import Client, LogEntry, Outgoing
from hub.domain.suggestion import Card
from hub.domain.teaching import Taught
from hub.domain.world import WorldSession
from hub.domain.world_log_state import LoggedOut
from hub.domain.world_queries import WorldPlace

K = TypeVar("K")
V = TypeVar("V")


class Letter:
    """An outbox row."""

    def __init__(self, seq: int, message: Outgoing, leased_until: datetime) -> None:
        self.seq = seq
        self.message = message
        self.leased_until = leased_until
        self.claims = 0


class Tables:
    """One dictionary per table; `set` and `drop` can be taken back until `begin`."""

    def __init__(self) -> None:
        self.cards: dict[str, Card] = {}
        self.executions: dict[str, Execution] = {}
        self.attempts: dict[tuple[str, int], str] = {}
        self.steps: dict[str, tuple[Step, ...]] = {}
        self.log: dict[int, LogEntry] = {}
        self.grant_events: dict[int, tuple[str, GrantEvent]] = {}
        self.minds: dict[str, Mind] = {}
        self.wakes: dict[tuple[str, str], Wake] = {}
        self.mutations: dict[int, tuple[str, MutationRecord]] = {}
        self.samples: dict[int, tuple[str, DriveSample]] = {}
        self.known: dict[tuple[str, str], Known] = {}
        self.tasks: dict[tuple[str, str], Task] = {}
        self.devices: dict[tuple[str, str, str], Device] = {}
        self.deliveries: dict[tuple[str, str], LedgerEntry] = {}
        self.sent_at: dict[tuple[str, str], datetime] = {}
        self.taught: dict[tuple[str, str], Taught] = {}
        self.clients: dict[tuple[str, str], Client] = {}
        self.outbox: dict[str, Letter] = {}
        self.pairs: dict[int, StoredPair] = {}
        self.world_sessions: dict[tuple[str, str], WorldSession] = {}
        self.world_lines: dict[tuple[str, str], LoggedOut] = {}
        self.world_places: dict[str, WorldPlace] = {}
        self.own_lines: dict[tuple[str, str], datetime] = {}
        self.seq = 0
        self._undo: list[Callable[[], object]] = []

    def begin(self) -> None:
        """Begin a transaction: what was done before stays."""
        self._undo = []

    def take_back(self) -> None:
        """Undo everything since `begin`."""
        while self._undo:
            self._undo.pop()()

    def set(self, table: dict[K, V], key: K, value: V) -> None:
        """Put a row."""
        if key in table:
            before = table[key]
            self._undo.append(lambda: table.__setitem__(key, before))
        else:
            self._undo.append(lambda: table.pop(key))
        table[key] = value

    def drop(self, table: dict[K, V], key: K) -> None:
        """Remove a row if it is there."""
        if key in table:
            before = table.pop(key)
            self._undo.append(lambda: table.__setitem__(key, before))

    def card(self, user: str, card_id: str) -> Card | None:
        """Return the user's card."""
        card = self.cards.get(card_id)
        return card if card is not None and card.user == user else None
