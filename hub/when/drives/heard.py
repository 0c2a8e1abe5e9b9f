"""Which reports and changes were taken already, by their keys, so that each counts once.

A key begins with its sender: "feedback/CLIENT/KEY". So many are kept of each, and a sender that hands in thousands
makes room by its own: what another has handed in is not taken twice for that.
"""

KEYS_MAX = 40
"""So many keys of a sender are remembered, the latest."""
SENDERS_MAX = 32
"""So many senders; who was silent for longest is forgotten. Who may send is for the person to say."""
SENDER_PARTS = 2


def heard_with(heard: tuple[str, ...], *keys: str) -> tuple[str, ...]:
    """Return the keys that are remembered, the latest last, once these were taken, too."""
    latest = dict.fromkeys(reversed((*heard, *keys)))
    by_sender: dict[str, list[str]] = {}
    for key in latest:
        by_sender.setdefault(_sender(key), []).append(key)
    kept = {key for sender in list(by_sender)[:SENDERS_MAX] for key in by_sender[sender][:KEYS_MAX]}
    return tuple(key for key in reversed(latest) if key in kept)


def _sender(key: str) -> str:
    return "/".join(key.split("/", SENDER_PARTS)[:SENDER_PARTS])
