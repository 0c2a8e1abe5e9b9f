"""From a change in a real repository to its card on the live feed, beyond the quiet that the hub waits for.

In each round the tests pass, by the trace that they leave: the card about their failure goes. Then they fail again.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, median, percentile
from tests.bench.scripted_work import Developer, Feed, Pace, Shown, at_work

BENCH: Final = "change"
PACE: Final = Pace(change_quiet_s=1.0, edit_quiet_s=1.0, work_pause_s=1.0, change_wait_s_max=10.0)
ROUNDS: Final = 60
CARD_S_MAX: Final = 30.0
GOAL_S: Final = 5.0
FIRST_LOOK_S: Final = 3.0
CACHE: Final = ".pytest_cache/v/cache"


def run_tests(dev: Developer, *, fail: bool) -> float:
    """Leave behind what a test run leaves behind; return when."""
    dev.write(f"{CACHE}/nodeids", '["tests/test_cart.py::test_answer"]')
    dev.write(f"{CACHE}/lastfailed", '{"tests/test_cart.py::test_answer": true}' if fail else "{}")
    return time.monotonic()


def one_round(dev: Developer, feed: Feed) -> tuple[float, float]:
    """Return the seconds from a failed run to its card, and from the one that passed before to the end of the last."""
    before = failures(feed)[-1].card_id
    passed = run_tests(dev, fail=False)
    if not feed.until(lambda: before in feed.gone, CARD_S_MAX):
        raise RuntimeError("a card stayed whose tests pass")
    failed = run_tests(dev, fail=True)
    if not feed.until(lambda: failures(feed)[-1].card_id != before, CARD_S_MAX):
        raise RuntimeError("no card came of failed tests")
    return failures(feed)[-1].at - failed, feed.gone[before][0] - passed


def failures(feed: Feed) -> list[Shown]:
    """Return the cards that say that the tests fail."""
    return [card for card in feed.cards if card.kind == "fix-tests"]


def measure(folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Return for each round how long its card took, and the end of the one before it."""
    with at_work(folder, PACE) as (_hub, dev, feed):
        feed.until(lambda: False, FIRST_LOOK_S)  # what is there at the first look is no change
        run_tests(dev, fail=True)
        if not feed.until(lambda: bool(failures(feed)), CARD_S_MAX):
            raise RuntimeError("no card came of failed tests")
        pairs = [one_round(dev, feed) for _ in range(rounds)]
    return [card for card, _ in pairs], [gone for _, gone in pairs]


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="pulse-change-") as name:
        cards, gone = measure(Path(name), ROUNDS)
    waits = PACE.change_quiet_s
    beyond = f"beyond the {waits:g} s of quiet"
    return [
        Figure(
            bench=BENCH,
            what=f"a failed run → its card on the live feed, {beyond}, p50",
            value=median(cards) - waits,
            unit="s",
        ),
        Figure(bench=BENCH, what="the same, p99", value=percentile(cards, 0.99) - waits, unit="s", goal=GOAL_S),
        Figure(
            bench=BENCH,
            what="a run that passed → the card that it ends is gone, p99",
            value=percentile(gone, 0.99) - waits,
            unit="s",
            goal=GOAL_S,
        ),
    ]


if __name__ == "__main__":
    for figure in run():
        sys.stdout.write(f"{figure.what}: {figure.value:.3f} {figure.unit}\n")
