"""A card's place, its answers and how sure Pulse is: in plain names, and with no figure that says nothing."""

import pytest

from hub.contract.api import Likelihood
from hub.contract.words import Source, Verb
from hub.io.home.profiles import read_profiles
from hub.kit.announcing import settled
from hub.kit.naming import agent_title, channel_title, percent_sure, place_of, share_sure, sure_of, where_of, who_of
from hub.kit.phrase_files import all_phrases, phrases
from hub.settings.schema import default_channels
from tests.surfaces.terminal.scenes import prediction, settled_by_phone

ENGLISH, GERMAN = phrases(), phrases("de")


def test_a_card_is_named_after_its_repository_or_who_asks_or_its_kind_of_work() -> None:
    assert place_of(prediction(repository="storefront"), ENGLISH) == "storefront"
    assert place_of(prediction(), GERMAN) == "Code"
    asked = prediction(source=Source.ASK, target_agent="claude-code", repository="storefront")
    assert place_of(asked, ENGLISH) == "Claude"
    assert place_of(prediction(source=Source.ASK, target_agent="deployer"), ENGLISH) == "deployer"


@pytest.mark.parametrize("language", all_phrases())
def test_no_channel_of_the_beginning_is_shown_by_its_own_name(language: str) -> None:
    titles = {channel_title(name, phrases(language)) for name in default_channels()}
    assert len(titles) == len(default_channels())
    assert not titles & {"koji-core", "chronicle-hub", "dream-weaver"}
    assert channel_title("my-channel", ENGLISH) == "my-channel"
    assert agent_title("coder", ENGLISH) == "coder"


def test_how_sure_is_told_only_where_something_was_learnt() -> None:
    assert percent_sure(prediction(confidence=0.4, confidence_learnt=False)) is None
    assert percent_sure(prediction(confidence=0.72)) == 72
    assert percent_sure(prediction(source=Source.ASK)) is None


def test_how_sure_is_told_in_short_by_the_answers_to_the_like() -> None:
    answered = prediction(likelihood=Likelihood(p=0.61, low=0.4, high=0.8, yes=7, answers=10))
    said = sure_of(answered)
    assert said is not None
    assert (ENGLISH.written(said), GERMAN.written(said)) == ("7 of 10 approved", "7 von 10 genehmigt")
    assert share_sure(answered) == 0.7
    unheard = sure_of(prediction(likelihood=Likelihood(p=0.72, low=0.4, high=0.9, yes=0, answers=0)))
    assert unheard is not None
    assert (ENGLISH.written(unheard), GERMAN.written(unheard)) == ("72%", "72 %")
    assert sure_of(prediction(confidence_learnt=False)) is None


def test_an_answer_is_told_with_who_and_where_in_words() -> None:
    answer = settled_by_phone(Verb.APPROVE)
    said = ENGLISH.title("approve.by", who=who_of(answer.by), where=where_of(answer.surface))
    assert said == "Approved by you on your phone"
    assert GERMAN.put(settled(prediction(settled=answer))) == "Genehmigt auf deinem Handy"


def test_a_surface_that_the_phrasebook_does_not_know_is_called_by_its_name() -> None:
    assert ENGLISH.say("approve.there", where=where_of("lamp")) == "approved on lamp"
    named = [profile.surface for profile in read_profiles().values()]
    assert [name for name in named if f"surface.{name}" not in ENGLISH.texts] == []
