"""Connections that say nothing, as many as a process may hold: who is signed in is answered, and `pulse kill` works."""

from tests.bench.figures import percentile
from tests.hostile.trial import Outcome, Trial
from tests.hostile.trials._flooded_hub import Flooded, flooded_hub, strangers

ASKED_MAX = 600
NEW_EVERY = 10
"""Every so many answers come over a new connection."""


def run(attempts: int) -> Outcome:
    """Let strangers come and come again; ask, signed in, meanwhile."""
    with flooded_hub() as target:
        before = target.rss_mb()
        with strangers(target, "silent", attempts):
            kept, fresh = ask(target, attempts)
            killed = target.killed_ms()
            grown = target.rss_mb() - before
    got_through = unanswered(kept, fresh) + (killed is None)
    figures = {**shown(kept, fresh), "`pulse kill`": in_ms(killed), "memory": f"{grown:+.0f} MB"}
    return Outcome(attempts=attempts, got_through=got_through, figures=figures)


def ask(target: Flooded, attempts: int) -> tuple[list[float | None], list[float | None]]:
    """Ask again and again, signed in; return the milliseconds of the answers on one connection, and on new ones.

    As often as there are attempts against it, up to a limit: a short trial asks less, too.
    """
    connection = target.connect()
    kept: list[float | None] = []
    fresh: list[float | None] = []
    for number in range(min(attempts, ASKED_MAX)):
        if number % NEW_EVERY == 0:
            new = target.connect()
            fresh.append(target.timed_ms(new))
            new.close()
        kept.append(target.timed_ms(connection))
    connection.close()
    return kept, fresh


def unanswered(*times: list[float | None]) -> int:
    """Return how many were not answered."""
    return sum(one is None for some in times for one in some)


def shown(kept: list[float | None], fresh: list[float | None]) -> dict[str, str]:
    """Return the 99th percentiles as a person reads them."""
    return {"signed-in p99": in_ms(p99(kept)), "on new connections": in_ms(p99(fresh))}


def p99(times: list[float | None]) -> float | None:
    """Return the 99th percentile of what was answered."""
    answered = [one for one in times if one is not None]
    return percentile(answered, 0.99) if answered else None


def in_ms(took_ms: float | None) -> str:
    """Return a time as a person reads it."""
    return "failed" if took_ms is None else f"{took_ms:.1f} ms"


TRIAL = Trial(
    name="idle_strangers",
    promise="Connections that say nothing keep nobody out who is signed in, and no stop",
    run=run,
    short=300,
    long=10_000,
)
