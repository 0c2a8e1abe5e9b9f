"""Who sends what cannot be read: counted by sender, and not listened to for a while when it is a flood. Pure."""

from datetime import datetime, timedelta

from hub.kit.bounded import BoundedMap

BAD_MAX = 20
"""So many unreadable messages within `WINDOW_S` are a flood."""
WINDOW_S = 60.0
IGNORED_S = 60.0
SENDERS_MAX = 1_000
"""So many are remembered; whoever was heard of least lately is forgotten."""
SENDER_CHARS_MAX = 200


class _Count:
    """What is known of one sender."""

    __slots__ = ("bad", "ignored_until", "since")

    def __init__(self, since: datetime) -> None:
        self.since = since
        self.bad = 0
        self.ignored_until = since


class BadSenders:
    """Remembers who sent garbage; `now` is an argument."""

    def __init__(self) -> None:
        self._counts: BoundedMap[str, _Count] = BoundedMap(SENDERS_MAX)
        self.ignored = 0

    def __len__(self) -> int:
        return len(self._counts)

    def is_ignored(self, sender: str, now: datetime) -> bool:
        """Say whether a message of `sender` is to be dropped unread, and count it if so."""
        count = self._counts.get(sender[:SENDER_CHARS_MAX])
        if count is None or now >= count.ignored_until:
            return False
        self.ignored += 1
        return True

    def note(self, sender: str, now: datetime) -> tuple[bool, bool]:
        """Note an unreadable message.

        Returns:
            Whether it is the first one for a while, which is worth a line in the log; and whether its sender has just
            become one that is ignored, which is worth another.
        """
        name = sender[:SENDER_CHARS_MAX]
        count = self._counts.get(name)
        is_first = count is None or now - count.since >= timedelta(seconds=WINDOW_S)
        if count is None or is_first:
            count = _Count(now)
        self._counts[name] = count
        count.bad += 1
        if count.bad < BAD_MAX:
            return is_first, False
        count.bad, count.ignored_until = 0, now + timedelta(seconds=IGNORED_S)
        return is_first, True
