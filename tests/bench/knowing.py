"""Somebody who knows each scripted person's habit, in the place of what Pulse learnt: how far any learning could go.

Only the odd answers are not known, which nobody can know. All else is as it is: what is found, how it is told, what the
person's words cost. What Pulse does not reach that this does not reach either is no matter of learning.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from hub.domain.likelihood import Estimate, Features
from hub.domain.teaching import YesModel
from hub.lab.replay import report
from hub.lab.replay.days import DayCount
from hub.loop import likelihood, when_told

COUNTED = 10


@contextmanager
def knowing() -> Iterator[None]:
    """Within it, each replay says the true chance of a yes, from the first suggestion on."""
    plain = report._by_pulse  # noqa: SLF001  the one place that knows whose replay it is

    def by_one_who_knows(asked: report.ReplayedTrace, answers: report._PersonsAnswers) -> list[DayCount]:
        def estimate(_model: YesModel, about: Features) -> Estimate:
            yes = answers.person.habit(about, asked.gone(about.at))
            p = 1.0 - report.ODD if yes else report.ODD
            return Estimate(about=about, p=p, low=p, high=p, yes=COUNTED if yes else 0, answers=COUNTED, is_learnt=True)

        with mock.patch.object(likelihood, "estimate", estimate), mock.patch.object(when_told, "estimate", estimate):
            return plain(asked, answers)

    with mock.patch.object(report, "_by_pulse", by_one_who_knows):
        yield
