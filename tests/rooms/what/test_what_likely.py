import msgspec

from hub.contract.words import Source
from hub.domain.episode import Proposed
from hub.domain.likelihood import Estimate, Features
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Candidate, Guess, Likely
from hub.what import propose
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, POLICY, modules, quiet_repository, situation, task

change = msgspec.structs.replace
REPOSITORY = change(
    quiet_repository("/home/mo/pulse-gateway-api", "pulse-gateway-api"),
    changed_modules=modules("src/api", "src/store"),
    last_test_run_at=AFTERNOON - 2 * HOUR,
)
SCENE = situation(AFTERNOON, REPOSITORY, tasks=(task(age=HOUR, deadline=AFTERNOON + 23 * HOUR),))


def likely(*, is_learnt: bool = True, others: float = 0.5, **by_kind: float) -> Likely:
    def estimate(idea: Candidate, channel: str) -> Estimate:
        about = Features(kind=idea.kind, reason=idea.reason_key, channel=channel, at=AFTERNOON, hour=14, weekday=1)
        p = by_kind.get(idea.kind.replace("-", "_"), others)
        return Estimate(about=about, p=p, low=p / 2, high=(1 + p) / 2, yes=3, answers=4, is_learnt=is_learnt)

    return estimate


def ask(said: Likely | None, *, asked: bool = False, guess: Guess | None = None, hint: str | None = None) -> Proposed:
    found = propose(
        SCENE,
        POLICY,
        MIND,
        known={},
        open_keys=(),
        guesses=() if guess is None else (guess,),
        asked=asked,
        hint=hint,
        likely=said,
    )
    assert found is not None
    return found


def test_how_likely_a_yes_is_is_the_confidence_and_is_kept_with_what_it_rests_on() -> None:
    proposal = ask(likely(deadline=0.71, others=0.1)).proposal
    assert (proposal.kind, proposal.confidence, proposal.factors.pattern) == ("deadline", 0.71, 0.71)
    assert proposal.likelihood is not None
    assert (proposal.likelihood.about.kind, proposal.likelihood.about.channel) == ("deadline", proposal.channel)
    assert proposal.is_guessed


def test_what_you_say_yes_to_comes_first() -> None:
    assert ask(likely(run_tests=0.9, others=0.35)).proposal.kind == "run-tests"
    assert ask(likely(run_tests=0.35, others=0.9)).proposal.kind == "deadline"


def test_too_few_answers_leave_the_fixed_figure() -> None:
    proposal = ask(likely(is_learnt=False, others=0.01)).proposal
    assert (proposal.confidence, proposal.factors.pattern, proposal.is_guessed) == (0.4, 0.5, False)
    assert proposal.likelihood is not None


def test_what_is_always_refused_is_not_shown_unless_asked_for() -> None:
    never = likely(others=0.05)
    assert propose(SCENE, POLICY, MIND, known={}, open_keys=(), likely=never) is None
    assert ask(never, asked=True).proposal.confidence == 0.05


def test_what_you_wrote_yourself_is_no_guess() -> None:
    proposal = ask(likely(others=0.01), hint="Tidy the attic").proposal
    assert (proposal.kind, proposal.confidence, proposal.likelihood) == ("hint", 0.4, None)


def test_with_a_model_it_is_the_pattern_of_the_formula() -> None:
    guess = Guess(
        prompt=ModelText(""),
        channel="koji-core",
        confidence=1.0,
        reasoning=ModelText(""),
        model="twin",
        idea=ask(likely(run_tests=0.8, others=0.3)).proposal.reason_key,
    )
    proposal = ask(likely(others=0.6), guess=guess).proposal
    parts = proposal.factors
    assert (parts.twin, parts.pattern) == (1.0, 0.6)
    assert proposal.confidence == round(0.4 + 0.25 * 0.6 + 0.2 * parts.urgency + 0.15 * parts.time, 4)
    assert not proposal.is_guessed


def of_a_model(prompt: str, confidence: float | None) -> Guess:
    said = ModelText(prompt)
    return Guess(prompt=said, channel="", confidence=confidence, reasoning=ModelText(""), model="twin")


TESTS = "Run vitest on pulse-gateway-api"


def guessed(odds: Likely, *said: Guess) -> Proposed:
    found = propose(SCENE, POLICY, MIND, known={}, open_keys=(), guesses=said, likely=odds)
    assert found is not None
    return found


def test_of_a_models_ideas_the_one_that_rates_highest_is_taken_not_the_one_it_claims_most_of() -> None:
    boasts, modest = of_a_model("Tidy the shed", 0.95), of_a_model(TESTS, 0.9)
    assert guessed(likely(run_tests=0.9, twin=0.05), boasts, modest).proposal.kind == "run-tests"
    assert guessed(likely(run_tests=0.05, twin=0.9), boasts, modest).guess == boasts


def test_of_equals_the_first_is_taken() -> None:
    one, other = of_a_model("Tidy the shed", 0.9), of_a_model("Paint the fence", 0.9)
    assert guessed(likely(), one, other).guess == one
    assert guessed(likely(), other, one).guess == other


def test_who_claims_nothing_is_rated_by_how_likely_a_yes_is() -> None:
    proposal = guessed(likely(run_tests=0.66), of_a_model(TESTS, None)).proposal
    assert (proposal.source, proposal.confidence, proposal.factors.twin) == (Source.TWIN, 0.66, None)


def test_each_idea_is_estimated_once_on_a_channel() -> None:
    asked, estimate = [], likely()

    def counted(idea: Candidate, channel: str) -> Estimate:
        asked.append((idea.reason_key, idea.prompt.text, channel))
        return estimate(idea, channel)

    guessed(counted, of_a_model(TESTS, 0.9))
    assert len(asked) == len(set(asked)) > 1
