from hub.domain.likelihood import Estimate, Features, Levels, Voice
from hub.io.api.likelihood_words import ABOUT, in_words
from hub.io.api.story_words import text_of
from hub.learn.yes.inputs import inputs_of
from tests.bench.habits import MONDAY

EVERYTHING = Features(
    kind="run-tests",
    reason="run-tests:shop",
    channel="koji-core",
    at=MONDAY,
    hour=10.5,
    weekday=0,
    repository="/home/mo/shop",
    silence_s=900.0,
    presence="here",
    happened="git",
    urgency=0.5,
    levels=Levels(time=1, silence=1, tasks=1, conversations=1, git=1, calendar=1),
    meaning=(0.1,),
    prior=0.2,
)
SAID = Estimate(
    about=EVERYTHING,
    p=0.71,
    low=0.52,
    high=0.84,
    yes=7,
    answers=10,
    is_learnt=True,
    spoke=(Voice(about="hour", pull=0.8), Voice(about="repository", pull=-0.3)),
)


def test_every_voice_has_its_words() -> None:
    assert {one.about for one in inputs_of(EVERYTHING)} - {""} == set(ABOUT)


def test_seven_of_ten_like_this() -> None:
    assert tuple(map(text_of, in_words(SAID))) == (
        "You approved 7 of 10 like this. A yes was 71% likely, between 52% and 84%.",
        "Strongest signals: the time of day (for it), the repository (against it).",
    )


def test_too_few_answers_say_nothing() -> None:
    assert in_words(None) == ()
    early = Estimate(about=EVERYTHING, p=0.4, low=0.1, high=0.8)
    assert in_words(early) == ()
