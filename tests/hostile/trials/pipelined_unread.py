"""Clients that send thousands of requests ahead and read no answer: the hub's memory stays what it was."""

from tests.hostile.trial import Outcome, Trial
from tests.hostile.trials._flooded_hub import flooded_hub, strangers
from tests.hostile.trials.idle_strangers import ask, shown, unanswered

GROWN_MB_MAX = 30.0


def run(attempts: int) -> Outcome:
    """Let as many connections as that send ahead; look at the memory and ask, signed in."""
    with flooded_hub() as target:
        ask(target, attempts)  # what the first answers need is not the flood's
        before_mb = target.rss_mb()
        with strangers(target, "reading", attempts):
            kept, fresh = ask(target, attempts)
            during_mb = target.rss_mb()
        after_mb = target.rss_mb()
    grown_mb = max(during_mb, after_mb) - before_mb
    got_through = int(grown_mb > GROWN_MB_MAX) + unanswered(kept, fresh)
    figures = {"memory": f"{before_mb:.0f} MB, {grown_mb:+.0f} MB", **shown(kept, fresh)}
    return Outcome(attempts=attempts, got_through=got_through, figures=figures)


TRIAL = Trial(
    name="pipelined_unread",
    promise="Requests sent ahead without reading grow the hub by at most 30 MB",
    run=run,
    short=150,
    long=2_000,
)
