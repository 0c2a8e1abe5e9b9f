"""Memory with an end: what was kept first is forgotten first. Pure; whoever forgets by age says what is too old."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedMap(OrderedDict[K, V]):
    """A mapping of at most `most` entries, the one written last standing last; of more the first are forgotten."""

    def __init__(self, most: int, entries: Iterable[tuple[K, V]] = ()) -> None:
        super().__init__()
        self.most = most
        self.update(entries)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def put(self, key: K, value: V) -> list[tuple[K, V]]:
        """Write one entry; return those that were forgotten for it."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        return [self.popitem(last=False) for _ in range(len(self) - self.most)]

    def forget_while(self, is_old: Callable[[V], bool]) -> None:
        """Forget entries from the first on, up to the first one that is not old."""
        while self and is_old(next(iter(self.values()))):
            self.popitem(last=False)


def last_of(entries: Mapping[K, V], most: int) -> dict[K, V]:
    """Return the last `most` entries, for values that are replaced and never changed."""
    return dict(islice(entries.items(), max(0, len(entries) - most), None))


class BoundedSet(Generic[K]):
    """A set of at most `most` members; of more, those that came first are forgotten."""

    def __init__(self, most: int, members: Iterable[K] = ()) -> None:
        self._members: BoundedMap[K, None] = BoundedMap(most, ((member, None) for member in members))

    def add(self, member: K) -> bool:
        """Remember a member; say whether it is new."""
        if member in self._members:
            return False
        self._members[member] = None
        return True

    def discard(self, member: K) -> None:
        """Forget a member, if it is one."""
        self._members.pop(member, None)

    def __contains__(self, member: object) -> bool:
        return member in self._members

    def __iter__(self) -> Iterator[K]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)
