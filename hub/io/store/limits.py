"""The store's limits, in one place."""

from typing import Final

WAITING_COMMITS_MAX: Final = 1_024
"""Commits and claims that may wait for the disk; who comes later waits to be let in."""

WAITING_READS_MAX: Final = 1_024
"""Queries that may wait for the reading thread."""

GROUP_REQUESTS_MAX: Final = 256
"""Commits that share one disk synchronisation."""

SEARCHED_ROWS_MAX: Final = 1_000
"""Newest cards that a text search looks through; `RecentCards.before` moves the window further back."""

SEARCH_CHARS_MAX: Final = 200
"""Letters of a search text that are looked for."""

LINES_PER_CARD_MAX: Final = 1_000
"""Lines of progress that a card's episode keeps."""

GRANT_EVENTS_MAX: Final = 10_000
"""Lines that the record of grants keeps."""

DRIVE_SAMPLES_MAX: Final = 20_000
"""Samples that the history of the drives keeps."""

STORE_BYTES_MAX: Final = 64 * 1024**3
"""Size of the file at which the store says that it is full."""

ROWS_KNOWN_MAX: Final = 8_192
"""Values of one kind of which it is known what they said, beside those that a start believes; twice what `CardCache`
holds."""

COMPARED_EVERY_S: Final = 600.0
"""How often what a start believes is compared with what was written."""

CACHE_KIB: Final = 2_048
"""SQLite's page cache per connection."""

CHECKED_AT_ONCE_BYTES_MAX: Final = 32 * 1024**2
"""Size up to which a store is checked whole before it is used: about 20,000 cards, in 0.2 s."""

WAL_BYTES_KEPT: Final = 16 * 1024**2
"""Size to which the write-ahead log is cut back after a checkpoint."""

BUSY_TIMEOUT_MS: Final = 5_000
"""How long a connection waits for another process's lock."""

WORLD_SESSIONS_MAX: Final = 100_000
"""Sessions of the world log of one kind (over or not, begun over the wire or not) that are kept, the newest."""

WORLD_OWN_LINES_MAX: Final = 250_000
"""Lines of Pulse's own in the world log that are known to be its own; of older ones nobody can say."""

WORLD_LINES_MAX: Final = 100_000
"""Lines that wait for their place in the world log; of more, the oldest are not written."""
