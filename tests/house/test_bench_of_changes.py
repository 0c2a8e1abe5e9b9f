"""The benches of changes measure a real hub: their judge is hard to please, and a round has to happen to be counted."""

from pathlib import Path

import pytest

from tests.bench import bench_change
from tests.bench.bench_hour import Judge, ScriptStep
from tests.bench.scripted_work import Shown


class ScriptedFeed:
    """A feed that tells what a test says, at once."""

    def __init__(self) -> None:
        self.cards: list[Shown] = []
        self.gone: dict[str, tuple[float, str]] = {}

    def until(self, wanted: object, _limit_s: float) -> bool:
        return callable(wanted) and bool(wanted())

    def show(self, *kinds: str) -> None:
        for kind in kinds:
            self.cards.append(Shown(at=0.0, card_id=f"c{len(self.cards)}", kind=kind, prompt=kind))


def test_only_the_card_that_a_moment_deserves_counts_for_it_and_every_other_against_it() -> None:
    feed = ScriptedFeed()
    judge = Judge(feed, lambda _line: None)  # type: ignore[arg-type]  # as much of a feed as it needs
    judge.play(ScriptStep(what="right", act=lambda: feed.show("fix-tests", "list-todos"), card="fix-tests"))
    judge.play(ScriptStep(what="wrong", act=lambda: feed.show("run-tests"), card="commit-work"))
    judge.play(ScriptStep(what="silent", act=lambda: None, card="deadline"))
    judge.play(ScriptStep(what="twice", act=lambda: feed.show("deadline", "deadline"), card="deadline"))
    judge.play(ScriptStep(what="no moment", act=lambda: feed.show("fix-ci")))
    outcome = judge.outcome
    assert (outcome.deserved, outcome.got) == (4, 2)
    needless = [told.partition(":")[0] for told in judge.needless()]
    assert needless == ["list-todos", "run-tests", "deadline", "fix-ci"]


def test_a_card_is_withdrawn_only_if_it_was_there() -> None:
    feed = ScriptedFeed()
    judge = Judge(feed, lambda _line: None)  # type: ignore[arg-type]  # as much of a feed as it needs
    judge.play(ScriptStep(what="nothing there", act=lambda: None, ends="fix-tests"))
    judge.play(ScriptStep(what="stays", act=lambda: feed.show("fix-tests"), card="fix-tests"))
    judge.play(ScriptStep(what="not gone", act=lambda: None, ends="fix-tests"))
    judge.play(ScriptStep(what="gone", act=lambda: feed.gone.update(c0=(1.0, "passed")), ends="fix-tests"))
    assert (judge.outcome.to_end, judge.outcome.ended) == (3, 1)


@pytest.mark.slow
def test_a_test_run_in_a_real_repository_brings_its_card_over_the_live_feed(tmp_path: Path) -> None:
    cards, gone = bench_change.measure(tmp_path, 2)
    assert len(cards) == len(gone) == 2
