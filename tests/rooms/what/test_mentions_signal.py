"""Mentions on Discord that the person has not answered."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.mentions import OpenMentions
from hub.domain.suggestion import Candidate
from hub.what import ideas
from hub.what.reasons import base_of, is_known
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, situation

TEAM, HELP = "100000000000000001", "100000000000000002"


def waiting(channel: str = TEAM, count: int = 1, age: timedelta = timedelta(0)) -> OpenMentions:
    return OpenMentions(channel=channel, count=count, last_at=AFTERNOON - age)


def seen(*mentions: OpenMentions) -> tuple[Candidate, ...]:
    return ideas(replace(situation(AFTERNOON), mentions=mentions), MIND)


def test_none_are_no_reason_and_neither_is_what_is_not_known() -> None:
    assert seen() == ()
    assert ideas(situation(AFTERNOON), MIND) == ()


def test_all_of_them_are_one_idea_with_their_number_that_presses_social() -> None:
    (idea,) = seen(waiting(count=2), waiting(HELP, age=HOUR))
    assert (idea.kind, idea.drive, idea.sensor) == ("answer-mentions", "social", "discord-mentions")
    assert idea.reasoning.text == (
        "3 mentions on Discord in 2 channels that you have not answered, the latest at 14:30."
    )
    (one,) = seen(waiting())
    assert one.reasoning.text.startswith("1 mention on Discord in 1 channel that you have not answered")


def test_no_word_of_others_and_no_channel_is_in_it() -> None:
    (idea,) = seen(waiting())
    assert TEAM not in idea.prompt.text + idea.reasoning.text + idea.signature
    assert idea.prompt.quotes == frozenset()


@pytest.mark.parametrize(("age_h", "urgency"), [(-1, 0.4), (0, 0.4), (2, 0.5), (4, 0.6), (20, 0.6)])
def test_it_grows_with_the_oldest_and_stays_below_an_alert(age_h: int, urgency: float) -> None:
    (idea,) = seen(waiting(age=age_h * HOUR))
    assert round(idea.urgency, 4) == urgency


def test_after_a_day_it_is_silent() -> None:
    assert seen(waiting(age=24 * HOUR)) != ()
    assert seen(waiting(age=25 * HOUR)) == ()


def test_another_mention_is_a_new_reason_and_an_answer_is_none() -> None:
    (both,) = seen(waiting(age=HOUR), waiting(HELP, age=HOUR))
    (answered,) = seen(waiting(age=HOUR))
    (again,) = seen(waiting(count=2), waiting(HELP, age=HOUR))
    assert is_known(answered.signature, both.signature)
    assert not is_known(again.signature, both.signature)
    assert base_of(again.signature) == base_of(both.signature)
