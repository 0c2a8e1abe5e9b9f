"""Slow heads, slow bodies and slow readers at once: who is signed in is answered, and none of them stays."""

from contextlib import ExitStack

from tests.hostile.trial import Outcome, Trial
from tests.hostile.trials._flooded_hub import flooded_hub, strangers
from tests.hostile.trials.idle_strangers import ask, in_ms, shown, unanswered

KINDS = ("header", "body", "reading")


def run(attempts: int) -> Outcome:
    """Let each kind hold a third of so many connections."""
    with flooded_hub() as target:
        before_mb = target.rss_mb()
        with ExitStack() as stack:
            for kind in KINDS:
                stack.enter_context(strangers(target, kind, attempts // len(KINDS)))
            kept, fresh = ask(target, attempts)
            killed_ms = target.killed_ms()
            grown_mb = target.rss_mb() - before_mb
    figures = {**shown(kept, fresh), "`pulse kill`": in_ms(killed_ms), "memory": f"{grown_mb:+.0f} MB"}
    got_through = unanswered(kept, fresh) + (killed_ms is None)
    return Outcome(attempts=attempts, got_through=got_through, figures=figures)


TRIAL = Trial(
    name="slow_requests",
    promise="Requests that come or are read slowly keep nobody out who is signed in",
    run=run,
    short=300,
    long=3_000,
)
