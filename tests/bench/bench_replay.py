"""Replays of scripted weeks (scripted_weeks.py) before the laboratory's persons: Pulse beside plain rules.

The reference is what the rule would have done with the same answers; the figures of all are in docs/lab.md's form.
"""

from hub.cli.lab_replay import replay_state
from hub.lab.replay import report_of
from hub.lab.replay.report import PersonFigures
from tests.bench.figures import Figure
from tests.bench.scripted_weeks import weeks

BENCH = "replay"
WEEKS = 2
GOALS = {"always-ask": -0.6, "fixed 0.4": -0.3, "most frequent": -0.3, "time of day": -0.3}
SHOWN = (
    ("precision", "share of what was said that got a yes", "", "higher"),
    ("recall", "share of what was wanted that was said", "", "higher"),
    ("interruptions_a_day", "interruptions a day", "", "lower"),
    ("ece", "ECE of what was said", "", "lower"),
    ("cost_a_day", "cost a day", "", "lower"),
    ("regret_a_day", "regret a day", "", "lower"),
)


def run() -> list[Figure]:
    """Replay; several minutes."""
    report = report_of(replay_state(), weeks(count=WEEKS))
    return [*_against(report.everybody), *_beside(report.everybody)]


def _against(found: PersonFigures) -> list[Figure]:
    figures = []
    for one in found.against:
        fewer, name = one.fewer_for_each_yes, one.against
        value = -(fewer.value or 0.0)
        low, high = -(fewer.high or 0.0), -(fewer.low or 0.0)
        what = f"interruptions for each yes against {name} (95 %: {low:.2f} to {high:.2f})"
        figures.append(Figure(bench=BENCH, what=what, value=value, unit="", goal=GOALS[name]))
    return figures


def _beside(found: PersonFigures) -> list[Figure]:
    by_name = {one.contender: one.figures for one in found.contenders}
    pulse = by_name["pulse"]
    figures = []
    for name, what, unit, better in SHOWN:
        others = {rule: figures_of[name].value for rule, figures_of in by_name.items() if rule != "pulse"}
        known = {rule: value for rule, value in others.items() if value is not None}
        told = ", ".join(f"{rule} {value:.2f}" for rule, value in known.items())
        one = pulse[name]
        figures.append(
            Figure(
                bench=BENCH,
                what=f"{what} (95 %: {one.low or 0.0:.2f} to {one.high or 0.0:.2f}; {told})",
                value=one.value or 0.0,
                unit=unit,
                better="higher" if better == "higher" else "lower",
            )
        )
    return figures
