"""P(yes) on scripted persons (habits.py): ranking and calibration after 200 answers, a changed habit, and the costs.

The reference knows only how often each kind was approved.
"""

import gc
import time
import tracemalloc
from collections import defaultdict
from statistics import fmean

from hub.domain.teaching import YesModel
from hub.learn.yes import estimate, fit, learnt
from hub.learn.yes.believable import Prediction, brier, calibration_error, ranking
from tests.bench.figures import Figure, median
from tests.bench.habits import HABITS, KINDS, answered, dice, history, offered

BENCH = "likely"
ANSWERS = 200
SEEDS = range(101, 106)
NOISES = (0.0, 0.05, 0.1)
ASKED = 400
LONG = 5_000
FOLLOWED = 0.5
MS, MB = 1_000, 1_000_000
REFERENCE = "how often each kind was approved"


def predicted(name: str, seed: int, noise: float) -> tuple[list[Prediction], list[Prediction]]:
    """Return what is predicted of a person after 200 answers, with what they then say; and what the reference says."""
    draw, habit = dice(seed), HABITS[name]
    told = history(habit, draw, ANSWERS, noise)
    model = fit(told)
    kinds: defaultdict[str, list[bool]] = defaultdict(list)
    for one in told:
        kinds[one.about.kind].append(one.yes)
    found, plain = [], []
    for place in range(ANSWERS, ANSWERS + ASKED):
        about = offered(draw, place)
        yes = habit(about, place) != (draw.random() < noise)
        said = kinds[about.kind]
        found.append((estimate(model, about).p, yes))
        plain.append(((sum(said) + 1) / (len(said) + 2), yes))
    return found, plain


def answers_until_followed(seed: int) -> int:
    """Return how many answers to the like it takes until a kind that was always approved is thought a likely no."""
    draw = dice(seed)
    model = fit(history(HABITS["by kind"], draw, ANSWERS, 0.05))
    probes = [offered(draw, ANSWERS) for _ in range(2 * ASKED)]
    probes = [about for about in probes if about.kind == KINDS[0]]
    place = 0
    while fmean(estimate(model, about).p for about in probes) >= FOLLOWED:
        place += 1
        model = learnt(model, [answered(probes[place], yes=False, place=ANSWERS + place)])
    return place


def believed() -> list[Figure]:
    """Measure ranking and calibration, over all persons and for the worst one."""
    figures, by_person, plain_auc = [], defaultdict(list), []
    for noise in NOISES:
        everybody: list[Prediction] = []
        aucs: list[float] = []
        for name in HABITS:
            of_one: list[Prediction] = []
            for seed in SEEDS:
                found, plain = predicted(name, seed, noise)
                of_one += found
                aucs.append(ranking(found) or 0.0)
                plain_auc.append(ranking(plain) or 0.0)
            everybody += of_one
            by_person[name].append(calibration_error(of_one))
        what = f"{noise:.0%} odd answers"
        figures += [
            Figure(
                bench=BENCH,
                what=f"AUC, {what}",
                value=fmean(aucs),
                unit="",
                better="higher",
                goal=0.85,
                reference=REFERENCE,
                reference_value=fmean(plain_auc[-len(aucs) :]),
            ),
            Figure(bench=BENCH, what=f"worst person's AUC, {what}", value=min(aucs), unit="", better="higher"),
            Figure(
                bench=BENCH, what=f"ECE, all persons, {what}", value=calibration_error(everybody), unit="", goal=0.03
            ),
            Figure(bench=BENCH, what=f"Brier score, {what}", value=brier(everybody), unit=""),
        ]
    return [
        *figures,
        *(
            Figure(bench=BENCH, what=f"ECE of who answers {name}", value=fmean(found), unit="")
            for name, found in by_person.items()
        ),
    ]


def spent() -> list[Figure]:
    """Measure one estimate, a training on 5,000 answers, and the memory of a model as large as it can become."""
    draw = dice(7)
    told = history(HABITS["by hour"], draw, LONG, 0.05)
    started = time.perf_counter()
    model = fit(told)
    trained_s = time.perf_counter() - started
    taken = []
    for place in range(ASKED):
        about = offered(draw, place)
        started = time.perf_counter()
        estimate(model, about)
        taken.append((time.perf_counter() - started) * MS)
    return [
        Figure(bench=BENCH, what="one estimate, median", value=median(taken), unit="ms", goal=1.0),
        Figure(bench=BENCH, what="training on 5,000 answers", value=trained_s, unit="s", goal=10.0),
        Figure(bench=BENCH, what="memory of the largest model", value=_largest() / MB, unit="MB", goal=3.0),
    ]


def _largest() -> int:
    """Return the bytes of a model that has seen more than it keeps."""
    draw = dice(8)
    gc.collect()
    tracemalloc.start()
    model = YesModel()
    for place in range(LONG // 5):
        about = offered(draw, place)
        strange = [answered(about, yes=bool(place % 2), place=place)]
        for one in ("reason", "repository", "channel", "kind"):
            about = type(about)(
                **{name: getattr(about, name) for name in about.__struct_fields__} | {one: f"{one} {place}"}
            )
            strange.append(answered(about, yes=True, place=place))
        model = learnt(model, strange)
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(model.weights) > LONG // 5
    return size


def run() -> list[Figure]:
    """Measure everything; about a minute."""
    followed = [answers_until_followed(seed) for seed in SEEDS]
    changed = Figure(
        bench=BENCH,
        what="answers until a changed habit is followed, worst",
        value=max(followed),
        unit="answers",
        goal=15,
    )
    return [*believed(), changed, *spent()]
