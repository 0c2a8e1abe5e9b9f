"""A card has the codes of its sentences, as long as it says just those."""

from msgspec.structs import replace

from hub.domain.policy import Policy
from hub.domain.provenance import say
from hub.domain.suggestion import Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.views import prediction_of
from tests.conformance.store.samples import card

POLICY = Policy(zone="Europe/Berlin")
PROMPT = say("Find out why CI{of} fails, and fix it", of="")
REASON = say("The last CI result{branch} is a failure", branch="")


def a_card() -> Card:
    made = card("pred_1")
    told = replace(
        made.proposal,
        prompt=PROMPT.text,
        prompt_worded=PROMPT.worded,
        reasoning=REASON.text,
        reasoning_worded=REASON.worded,
    )
    return replace(made, proposal=told, prompt=PROMPT.text)


def test_a_card_carries_the_codes_of_its_sentences() -> None:
    shown = prediction_of(a_card(), POLICY)
    assert worded(shown.prompt_worded, "", phrases("de")) == "Herausfinden, warum CI fehlschlägt, und es beheben"
    assert worded(shown.reasoning_worded, "", phrases("de")) == "CI ist zuletzt fehlgeschlagen"


def test_other_words_in_their_place_have_none() -> None:
    made = a_card()
    assert prediction_of(replace(made, prompt="Fix the build"), POLICY).prompt_worded is None
    doubted = replace(made.proposal, reasoning=f"{made.proposal.reasoning} It pays.")
    assert prediction_of(replace(made, proposal=doubted), POLICY).reasoning_worded is None


def test_what_holds_something_masked_is_shown_masked() -> None:
    secret = "ghp_" + "a1B2" * 9
    told = say("Find out why this failed, and fix the cause: {ours}", ours=secret)
    proposal = replace(a_card().proposal, prompt=told.text, prompt_worded=told.worded)
    shown = prediction_of(replace(a_card(), prompt=told.text, proposal=proposal), POLICY)
    assert secret not in shown.prompt
    assert shown.prompt_worded is None
