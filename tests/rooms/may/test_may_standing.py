"""What may run without asking: by a person's word, for one kind, place and command, until it ends."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.attention import Badness
from hub.contract.words import Origin, Risk
from hub.domain.attention import Attention
from hub.domain.judgement import AskHuman, Permit, StandingYes
from hub.domain.likelihood import Estimate, Features
from hub.domain.plan import AnyPlan, CannotPlan, DefiningFile, Plan, digest_of, shape_of
from hub.domain.policy import Earning
from hub.may import (
    after_consent,
    after_run_alone,
    after_standing_yes,
    after_withdrawal,
    can_stand,
    is_earned,
    standing_yes,
    without_expired,
    yeses_needed,
)
from hub.may.ruling import RailInput
from hub.may.standing import STANDING_MAX
from tests.rooms.may.questions import ASKED, GIVEN, LEDGER, NOW, PLAN, POLICY, PROPOSAL, QUESTION, fired, judged

DAY = timedelta(days=1)
UNSURE = replace(PROPOSAL.factors, twin=None)


def given(**changed: object) -> RailInput:
    return replace(QUESTION, ledger=replace(LEDGER, standing=(replace(GIVEN, **changed),)))


def test_without_a_persons_word_no_figure_suffices() -> None:
    sure = replace(QUESTION, proposal=replace(PROPOSAL, confidence=1.0), ledger=replace(LEDGER, standing=()))
    assert fired(judged(sure)) == ["gate.earned"]
    assert isinstance(judged(sure).outcome, AskHuman)


@pytest.mark.parametrize(
    ("confidence", "rules"),
    [(0.59, ["gate.confidence", "gate.earned"]), (0.6, ["gate.earned", "gate.auto-execute"]), (0.8, ["gate.earned"])],
)
def test_without_it_the_bands_speak_as_ever(confidence: float, rules: list[str]) -> None:
    question = replace(QUESTION, proposal=replace(PROPOSAL, confidence=confidence), ledger=replace(LEDGER, standing=()))
    assert sorted(fired(judged(question))) == sorted(rules)


def test_it_stands_in_place_of_a_figure_that_says_nothing() -> None:
    beginner = replace(PROPOSAL, confidence=0.4, factors=UNSURE)
    assert isinstance(judged(replace(QUESTION, proposal=beginner)).outcome, Permit)


def test_a_learnt_figure_that_is_low_speaks_against_it() -> None:
    assert fired(judged(replace(QUESTION, proposal=replace(PROPOSAL, confidence=0.59)))) == ["gate.confidence"]


@pytest.mark.parametrize(("word", "p", "asks"), [("mild", 0.3, False), ("bad", 0.3, True), ("awful", 0.79, True)])
def test_a_word_on_wrong_acts_makes_it_ask_again_and_lets_nothing_run(word: Badness, p: float, *, asks: bool) -> None:
    about = Features(kind="run-tests", reason="r", channel="koji-core", at=NOW, hour=9.0, weekday=1)
    learnt = Estimate(about=about, p=p, low=p, high=p, is_learnt=True)
    policy = replace(POLICY, attention=Attention(wrong_act=word))
    question = replace(QUESTION, policy=policy, proposal=replace(PROPOSAL, likelihood=learnt))
    assert fired(judged(question)) == (["gate.wrong-act"] if asks else [])
    unknown = replace(question, proposal=replace(PROPOSAL, likelihood=replace(learnt, is_learnt=False)))
    assert fired(judged(unknown)) == []
    sure = replace(question, proposal=replace(PROPOSAL, likelihood=replace(learnt, p=1.0)), ledger=LEDGER)
    assert "gate.earned" in fired(judged(replace(sure, ledger=replace(LEDGER, standing=()))))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -0.1, 1.1])
def test_what_is_no_confidence_is_asked_about_all_the_same(number: float) -> None:
    odd = replace(PROPOSAL, confidence=number)
    assert fired(judged(replace(QUESTION, proposal=odd))) == ["gate.confidence"]


@pytest.mark.parametrize(
    "question",
    [
        given(kind="list-todos"),
        given(repository="/home/me/other"),
        given(shape="00" * 16),
        given(expires_at=NOW),
        given(made_at=NOW + 2 * DAY),
    ],
    ids=["kind", "place", "command", "expired", "clock set back"],
)
def test_it_means_one_thing_and_ends(question: RailInput) -> None:
    assert fired(judged(question)) == ["gate.earned"]


def test_what_has_expired_stays_so_whatever_the_clock_says() -> None:
    dropped = without_expired(LEDGER, GIVEN.expires_at)
    assert dropped.standing == ()
    assert standing_yes(dropped, PROPOSAL, ASKED.plan, NOW) is None
    assert without_expired(LEDGER, NOW) is LEDGER


def test_files_behind_the_command_are_another_question() -> None:
    changed = replace(PLAN, defined_by=(DefiningFile(path="Makefile", sha256="00"),))
    assert shape_of(changed) == shape_of(PLAN)
    assert fired(judged(replace(QUESTION, asked=replace(ASKED, plan=changed)))) == ["gate.plan"]


@pytest.mark.parametrize("where", ["now", "afterwards"])
def test_what_cannot_be_known_never_runs_alone_even_if_it_was_seen_before(where: str) -> None:
    doubtful = replace(PLAN, unclear="the Makefile includes what is computed")
    plan = doubtful if where == "now" else replace(PLAN, then=doubtful)
    asked = replace(ASKED, plan=plan)
    seen = after_consent(replace(LEDGER, standing=(replace(GIVEN, shape=shape_of(plan)),)), PROPOSAL, asked)
    question = replace(QUESTION, asked=asked, ledger=seen)
    assert fired(judged(question)) == ["gate.earned", "gate.plan"]
    assert "includes what is computed" in next(
        each.reason for each in judged(question).verdicts if each.rule == "gate.plan"
    )
    assert standing_yes(seen, PROPOSAL, plan, NOW) is None
    assert not can_stand(PROPOSAL, plan)


def test_a_plan_without_doubt_keeps_the_digest_that_grants_were_given_for() -> None:
    assert digest_of(Plan(argv=("make",), then=Plan(argv=("x",)))) == "4780c519e7812fdcecaa80775210330e"


def test_what_proves_it_belongs_to_the_shape() -> None:
    tested = replace(PLAN, then=Plan(argv=("/usr/bin/make", "check")))
    assert shape_of(tested) != shape_of(PLAN)


@pytest.mark.parametrize(
    ("changes", "plan"),
    [
        ({"risk": Risk.MEDIUM}, PLAN),
        ({"origin": Origin.WORLD}, PLAN),
        ({"origin": Origin.PERSON}, PLAN),
        ({"own_words": True}, PLAN),
        ({}, replace(PLAN, prompt="argument")),
        ({}, CannotPlan(why="Too long.")),
        ({}, None),
    ],
)
def test_what_can_never_be_allowed(changes: dict[str, object], plan: AnyPlan | None) -> None:
    assert can_stand(PROPOSAL, PLAN)
    assert not can_stand(replace(PROPOSAL, **changes), plan)


@pytest.mark.parametrize(
    ("least", "certain", "needed"),
    [(14, 0.8, 14), (3, 0.8, 11), (14, 0.9, 25), (0, 0.8, None), (14, 1.0, None)],
)
def test_so_many_yeses_earn_an_offer(least: int, certain: float, needed: int | None) -> None:
    bands = replace(POLICY.bands, auto_execute=certain)
    policy = replace(POLICY, earning=Earning(yeses_to_offer=least), bands=bands)
    assert yeses_needed(policy) == needed
    assert [yeses for yeses in range(1_000) if is_earned(yeses, policy)][:1] == ([] if needed is None else [needed])


def another(number: int) -> StandingYes:
    return replace(GIVEN, id=f"yes_{number}", repository=f"/{number}")


def test_they_are_kept_once_each_up_to_a_bound_counted_and_taken_back() -> None:
    ledger = after_standing_yes(LEDGER, replace(GIVEN, id="yes_2"))
    assert [one.id for one in ledger.standing] == ["yes_2"]
    used = after_run_alone(ledger, PROPOSAL, ASKED.plan, NOW)
    assert [(one.runs, one.last_run_at) for one in used.standing] == [(1, NOW)]
    assert after_withdrawal(used, yes_id="yes_2").standing == ()
    for number in range(STANDING_MAX + 5):
        ledger = after_standing_yes(ledger, another(number))
    assert len(ledger.standing) == STANDING_MAX


KIND_GRANT = replace(GIVEN, repository="", shape="", example="")


def test_a_whole_kind_runs_alone_wherever_and_by_whatever_command_was_let_run_before() -> None:
    anywhere = replace(QUESTION, ledger=replace(LEDGER, standing=(KIND_GRANT,)))
    assert isinstance(judged(anywhere).outcome, Permit)
    elsewhere = replace(KIND_GRANT, repository="/somewhere/else")
    assert fired(judged(replace(QUESTION, ledger=replace(LEDGER, standing=(elsewhere,))))) == ["gate.earned"]
    unseen = replace(LEDGER, standing=(KIND_GRANT,), known_plans=())
    assert fired(judged(replace(QUESTION, ledger=unseen))) == ["gate.plan"]


@pytest.mark.parametrize(("threshold", "runs"), [(0.7, True), (PROPOSAL.confidence, True), (0.99, False)])
def test_a_kind_may_take_a_confidence_of_its_own(
    threshold: float,
    runs: bool,  # noqa: FBT001  a parametrised expectation
) -> None:
    granted = replace(LEDGER, standing=(replace(KIND_GRANT, confidence_min=threshold),))
    assert isinstance(judged(replace(QUESTION, ledger=granted)).outcome, Permit) is runs


def test_a_kind_covers_nothing_that_could_not_be_let_run_by_a_card() -> None:
    granted = replace(LEDGER, standing=(KIND_GRANT,))
    by_agent = replace(PLAN, prompt="argument")
    assert standing_yes(granted, PROPOSAL, by_agent, NOW) is None
    for proposal in (
        replace(PROPOSAL, risk=Risk.MEDIUM),
        replace(PROPOSAL, origin=Origin.MODEL),
        replace(PROPOSAL, own_words=True),
        replace(PROPOSAL, kind="push-work"),
    ):
        assert standing_yes(granted, proposal, PLAN, NOW) is None
