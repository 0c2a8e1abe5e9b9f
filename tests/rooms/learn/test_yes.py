from collections.abc import Iterable
from datetime import timedelta
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.domain.likelihood import Estimate, Features, Levels
from hub.domain.teaching import Taught, YesModel
from hub.learn.yes import LEARNT_ANSWERS_MIN, estimate, fit, learnt
from hub.learn.yes.believable import brier, calibration_error, ranking, sharpness
from hub.learn.yes.learner import LIKES_MAX, WEIGHTS_MAX
from tests.bench.habits import HABITS, KINDS, MONDAY, answered, dice, history, offered

ABOUT = Features(
    kind="list-todos",
    reason="list-todos:shop",
    channel="koji-core",
    at=MONDAY,
    hour=10.5,
    weekday=0,
    repository="/home/mo/shop",
    happened="git",
)
FRESH = YesModel()


def said(answers: str, about: Features = ABOUT) -> Iterable[Taught]:
    """One letter for each answer: y or n."""
    return (answered(about, yes=letter == "y", place=place) for place, letter in enumerate(answers))


def after(answers: str) -> Estimate:
    return estimate(learnt(FRESH, said(answers)), ABOUT)


def test_before_any_answer_it_is_the_fixed_figure_and_says_so() -> None:
    first = estimate(FRESH, ABOUT)
    assert first.p == pytest.approx(0.4, abs=0.03)
    assert (first.is_learnt, first.yes, first.answers, first.spoke) == (False, 0, 0, ())
    assert first.low < 0.2
    assert first.high > 0.7


def test_the_shipped_rows_order_and_hide_nothing() -> None:
    low, even, high = (estimate(FRESH, replace(ABOUT, prior=prior)).p for prior in (-9.0, 0.0, 9.0))
    assert 0.3 < low < even < high < 0.5


def test_ten_answers_move_it_and_one_does_not() -> None:
    assert not after("y").is_learnt
    assert after("y" * LEARNT_ANSWERS_MIN).is_learnt
    assert after("y" * 10).p > 0.85
    assert after("n" * 10).p < 0.1


def test_few_answers_leave_much_open_however_much_they_agree() -> None:
    five, ten = after("y" * 5), after("y" * 10)
    assert five.low < 0.75 < five.p
    assert five.low < ten.low < 0.85


def test_seven_of_ten_like_this() -> None:
    seven = after("yyyynnnyyy")
    assert (seven.yes, seven.answers) == (7, 10)
    assert 0.4 < seven.low < seven.p < seven.high
    newest = after("n" * 20 + "yyyy")
    assert (newest.yes, newest.answers) == (4, 10)


def test_what_is_like_it_is_the_same_reason_or_else_the_same_kind() -> None:
    elsewhere = replace(ABOUT, reason="list-todos:api", repository="/home/mo/api")
    model = learnt(FRESH, [*said("yyy"), *said("nnnn", elsewhere)])
    assert (estimate(model, ABOUT).yes, estimate(model, ABOUT).answers) == (3, 3)
    third = estimate(model, replace(ABOUT, reason="list-todos:docs", repository="/home/mo/docs"))
    assert (third.yes, third.answers) == (3, 7)


def test_after_a_hundred_rejections_a_kind_stays_below_what_is_shown() -> None:
    model = learnt(FRESH, said("n" * 100))
    others = [replace(ABOUT, hour=hour, happened=what) for hour in (8, 15, 22) for what in ("cron", "tests")]
    assert all(estimate(model, about).p < 0.3 for about in (ABOUT, *others))
    assert estimate(model, replace(ABOUT, at=MONDAY + timedelta(days=30))).p < 0.3
    assert estimate(model, replace(ABOUT, at=MONDAY + timedelta(days=1_000))).p > 0.3


@pytest.mark.slow
def test_what_speaks_is_named() -> None:
    model = fit(history(HABITS["by hour"], dice(3), 200, 0.05))
    early, late = (estimate(model, replace(ABOUT, hour=hour)).spoke[0] for hour in (9.0, 20.0))
    assert (early.about, late.about) == ("hour", "hour")
    assert early.pull > 0 > late.pull
    assert len(after("y" * 10).spoke) == 3


@pytest.mark.slow
def test_after_200_answers_habits_are_known() -> None:
    ranked = []
    for name, habit in HABITS.items():
        draw = dice(3)
        model = fit(history(habit, draw, 200, 0.05))
        asked = [offered(draw, 200) for _ in range(200)]
        auc = ranking([(estimate(model, about).p, habit(about, 200)) for about in asked])
        assert auc is not None
        assert auc > 0.75, name
        ranked.append(auc)
    assert fmean(ranked) > 0.9


@pytest.mark.slow
def test_a_changed_habit_is_followed_within_fifteen_answers() -> None:
    draw = dice(5)
    model = fit(history(HABITS["by kind"], draw, 200, 0.05))
    asked = [about for about in (offered(draw, 200) for _ in range(300)) if about.kind == KINDS[0]]
    assert fmean(estimate(model, about).p for about in asked) > 0.7
    model = learnt(model, (answered(about, yes=False) for about in asked[:15]))
    assert fmean(estimate(model, about).p for about in asked[15:]) < 0.3


def test_weight_counts_and_what_was_taken_back_does_not() -> None:
    strong, weak = (learnt(FRESH, [answered(ABOUT, yes=False, weight=weight)]) for weight in (1.0, 0.3))
    assert estimate(strong, ABOUT).p < estimate(weak, ABOUT).p < estimate(FRESH, ABOUT).p
    (one,) = said("n")
    assert learnt(FRESH, [replace(one, undone=True)]) == FRESH
    assert estimate(learnt(FRESH, [replace(one, is_answer=False)]), ABOUT).answers == 0


@pytest.mark.slow
def test_what_was_too_sure_is_put_right_where_that_helps_and_left_alone_where_it_does_not() -> None:
    draw = dice(11)
    fickle = [answered(offered(draw, place), yes=draw.random() < 0.5, place=place) for place in range(300)]
    model = fit(fickle)
    assert model.slope < 1.0
    few = fit(fickle[:50])
    assert (few.shift, few.slope) == (0.0, 1.0)
    assert fit(fickle) == model
    assert fit(fickle[:299]).name != model.name


@pytest.mark.slow
@pytest.mark.parametrize("yes", [True, False])
def test_a_history_of_one_class_gives_a_model_all_the_same(*, yes: bool) -> None:
    model = fit([answered(offered(dice(place), place), yes=yes, place=place) for place in range(200)])
    p = estimate(model, ABOUT).p
    assert p > 0.9 if yes else p < 0.1


def test_clocks_that_go_backwards_change_nothing() -> None:
    model = learnt(FRESH, said("y" * 20))
    assert estimate(model, replace(ABOUT, at=MONDAY - timedelta(days=4_000))).p == estimate(model, ABOUT).p
    back = replace(ABOUT, at=MONDAY - timedelta(days=4_000))
    assert estimate(learnt(model, said("y", back)), ABOUT).p >= estimate(model, ABOUT).p - 0.01


@pytest.mark.slow
def test_a_model_is_bounded_however_many_sorts_of_things_there_are() -> None:
    strange = (
        answered(replace(ABOUT, kind=f"k{n}", reason=f"r{n}" * 99, channel=f"c{n}"), yes=n % 3 == 0)
        for n in range(2_000)
    )
    model = learnt(FRESH, strange)
    assert len(model.weights) <= WEIGHTS_MAX
    assert len(model.likes) <= LIKES_MAX
    assert max(map(len, model.weights)) < 160


@pytest.mark.slow
@given(
    st.builds(
        Features,
        kind=st.text(),
        reason=st.text(),
        channel=st.text(),
        at=st.just(MONDAY),
        hour=st.floats(-100, 100),
        weekday=st.integers(-9, 99),
        silence_s=st.none() | st.floats(-1e9, 1e9),
        urgency=st.floats(-9, 9),
        prior=st.floats(-99, 99),
        levels=st.builds(Levels, git=st.floats(-9, 9)),
    ),
    st.lists(st.tuples(st.booleans(), st.floats(-1, 2)), max_size=30),
)
def test_any_numbers_give_a_chance_within_its_interval(about: Features, answers: list[tuple[bool, float]]) -> None:
    model = learnt(FRESH, (answered(about, yes=yes, weight=weight) for yes, weight in answers))
    found = estimate(model, about)
    assert 0.0 < found.low <= found.p <= found.high < 1.0


def test_the_figures_of_belief() -> None:
    right = [(0.8, True)] * 8 + [(0.8, False)] * 2
    assert calibration_error(right) == pytest.approx(0.0)
    assert brier(right) == pytest.approx(0.16)
    assert sharpness(right) == 0.0
    assert ranking(right) == 0.5
    assert ranking([(0.9, True), (0.2, False)]) == 1.0
    assert ranking([(0.9, True)]) is None
    assert calibration_error([(1.0, False), (0.0, True)]) == 1.0
    assert sharpness([(1.0, False), (0.0, True)]) == 0.25
