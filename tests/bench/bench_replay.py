"""Replays of scripted weeks (scripted_weeks.py) before the laboratory's persons: Pulse beside plain rules.

The reference is what the rule would have done with the same answers; the figures of all are in docs/lab.md's form.
Beside them stands somebody who knows each person's habit (knowing.py): what no learning can better.
"""

from msgspec.structs import replace

from hub.cli.lab_replay import replay_state
from hub.contract.attention import Badness
from hub.lab.replay import report_of
from hub.lab.replay.report import PersonFigures
from hub.loop import State
from tests.bench.figures import Figure
from tests.bench.knowing import knowing
from tests.bench.scripted_weeks import weeks

BENCH = "replay"
WEEKS, SEED = 2, 31
"""Weeks on which nothing was chosen; those of seeds 11 and 12 were looked at."""
NEEDLESS: tuple[Badness, ...] = ("bad", "awful")
"""What the person says a needless interruption is to them: as the settings come, and as who minds them most says it."""
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
    """Replay, once for each word; several minutes."""
    figures = []
    for needless in NEEDLESS:
        found = report_of(_state(needless), weeks(seed=SEED, count=WEEKS)).everybody
        figures += [*_against(found, needless), *_beside(found, needless)]
        with knowing():
            known = report_of(_state(needless), weeks(seed=SEED, count=WEEKS)).everybody
        figures += _against(known, f"{needless}, the habit known")
    return figures


def _state(needless: Badness) -> State:
    state = replay_state()
    attention = replace(state.policy.attention, needless_interruption=needless)
    policy = replace(state.policy, attention=attention)
    return replace(state, policy=policy, file_policy=policy)


def _against(found: PersonFigures, needless: str) -> list[Figure]:
    figures = []
    for one in found.against:
        fewer, name = one.fewer_at_equal_recall, one.against
        value = -(fewer.value or 0.0)
        low, high = -(fewer.high or 0.0), -(fewer.low or 0.0)
        what = f"{needless}: interruptions at equal recall against {name} (95 %: {low:.2f} to {high:.2f})"
        figures.append(Figure(bench=BENCH, what=what, value=value, unit="", goal=GOALS[name]))
    return figures


def _beside(found: PersonFigures, needless: Badness) -> list[Figure]:
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
                what=f"{needless}: {what} (95 %: {one.low or 0.0:.2f} to {one.high or 0.0:.2f}; {told})",
                value=one.value or 0.0,
                unit=unit,
                better="higher" if better == "higher" else "lower",
            )
        )
    return figures
