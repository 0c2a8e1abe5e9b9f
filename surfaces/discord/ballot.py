"""The marks on one card's message, as reactions and buttons come and go. Pure: no clock, no network.

A ballot is a set: a mark that comes twice is there once, one that is taken away twice is gone, and the order between
voters is lost. While the message's reactions are read back from Discord (a page at a time, as votes go on), what
happens live is kept beside and done again on top of what was read, so nothing of either is lost.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from hub.contract.base import Value
from hub.contract.words import Verb
from surfaces.discord.votes import Mark, Via

Sign = Literal["approve", "reject", "snooze", "details"]
STRANGERS_MAX = 2_000
"""Marks of people without a vote that are remembered for one card; more are not shown."""
JOURNAL_MAX = 20_000
"""What may happen on one card while its reactions are read; beyond it they are read anew."""
VERBS: dict[Sign, Verb] = {"approve": Verb.APPROVE, "reject": Verb.REJECT, "snooze": Verb.SNOOZE}


class Entry(Value):
    """Somebody's sign on a card, and how it was put there."""

    voter: str
    sign: Sign
    via: Via = "reaction"


Reading = list[tuple[Literal["put", "take", "clear"], Entry | Sign | None]]
"""What happened live since the reactions began to be read, in its order."""


class Ballot:
    """All entries of one card's message. `known` is False until the reactions were read."""

    def __init__(self, *, known: bool = False, entries: Iterable[Entry] = ()) -> None:
        self.known = known
        self._by_voter: dict[str, set[Entry]] = {}
        self._count = 0
        self._reading: Reading | None = None
        self._turned_away: set[Entry] = set()
        self._fill(entries)

    def __iter__(self) -> Iterator[Entry]:
        return (one for entries in self._by_voter.values() for one in entries)

    def __contains__(self, entry: Entry) -> bool:
        return entry in self._by_voter.get(entry.voter, ())

    @property
    def voters(self) -> Iterable[str]:
        """Everybody who put anything there."""
        return self._by_voter.keys()

    def put(self, entry: Entry, *, may_vote: bool) -> bool:
        """Add an entry; return whether that changed anything."""
        self._note("put", entry)
        if entry in self or (not may_vote and self._count >= STRANGERS_MAX):
            return False
        self._add(entry)
        return True

    def take(self, entry: Entry) -> bool:
        """Remove an entry; return whether that changed anything."""
        self._note("take", entry)
        if entry not in self:
            return False
        self._discard(entry)
        return True

    def clear(self, sign: Sign | None = None) -> None:
        """Remove every reaction, or every one of a sign: a moderator did. Votes by button stay."""
        self._note("clear", sign)
        self._fill([one for one in self if one.via == "button" or (sign is not None and one.sign != sign)])

    def turn_away(self, entry: Entry) -> None:
        """Remember a stranger's mark that we are about to remove, so that it is still shown."""
        if len(self._turned_away) < STRANGERS_MAX:
            self._turned_away.add(entry)

    def doubt(self) -> None:
        """What is here may be old, and so may be whatever is just being read."""
        self.known = False
        self._reading = None

    def begin_reading(self) -> Reading:
        """From now on, keep what happens live beside; the votes are not known until the reading is done."""
        self.known = False
        self._reading = []
        return self._reading

    def finish_reading(self, reading: Reading, read: Iterable[Entry]) -> None:
        """Take what was read, do again on top what happened meanwhile, and keep the votes by button.

        A reading that was overtaken, by doubt or by a later one, changes nothing: what happened since is not in it.
        """
        if reading is not self._reading:
            return
        self._reading = None
        self._fill([*(one for one in self if one.via == "button"), *read])
        for what, entry in reading:
            if what == "clear":
                self.clear(None if isinstance(entry, Entry) else entry)
            elif isinstance(entry, Entry):
                (self._add if what == "put" else self._discard)(entry)
        self.known = True

    def marks(self) -> frozenset[Mark]:
        """Return the votes among the entries, those of strangers that were removed among them."""
        entries = (*self, *self._turned_away)
        return frozenset(
            Mark(voter=one.voter, verb=VERBS[one.sign], via=one.via) for one in entries if one.sign in VERBS
        )

    def wants_details(self) -> bool:
        """Say whether anybody asks for the details."""
        return any(one.sign == "details" for one in self)

    def others_of(self, entry: Entry) -> tuple[Entry, ...]:
        """Return what else the same person chose."""
        if entry.sign not in VERBS:
            return ()
        same = self._by_voter.get(entry.voter, set())
        return tuple(one for one in same if one.sign in VERBS and one.sign != entry.sign)

    def _add(self, entry: Entry) -> None:
        there = self._by_voter.setdefault(entry.voter, set())
        self._count += entry not in there
        there.add(entry)

    def _discard(self, entry: Entry) -> None:
        there = self._by_voter.get(entry.voter)
        if there is not None and entry in there:
            there.discard(entry)
            self._count -= 1
            if not there:
                del self._by_voter[entry.voter]

    def _fill(self, entries: Iterable[Entry]) -> None:
        self._by_voter, self._count = {}, 0
        for entry in entries:
            self._add(entry)

    def _note(self, what: Literal["put", "take", "clear"], entry: Entry | Sign | None) -> None:
        if self._reading is None:
            return
        if len(self._reading) >= JOURNAL_MAX:
            self.doubt()
        else:
            self._reading.append((what, entry))
