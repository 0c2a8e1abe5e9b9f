from datetime import timedelta

from msgspec.structs import replace

from hub.contract.permission import Act, AgentQuestion, Permission, PermissionAnswer, QuestionChoice
from hub.contract.words import HumanInput, Verb
from hub.kit.offered_answers import NAME_CHARS, OfferedAnswers, OfferedChoice, choices_of
from tests.surfaces.shown import NOW, TOKEN, delivery, prediction

CARD = prediction()
ASKED = AgentQuestion(id="colour", text="Which?", choices=(QuestionChoice(label="red"), QuestionChoice(label="blue")))


def question(*asked: AgentQuestion) -> Permission:
    return Permission(agent="codex", tool="ask", act=Act.QUESTION, questions=asked)


def test_a_name_says_one_thing_to_the_card_that_was_shown() -> None:
    offers = OfferedAnswers(b"k" * 32)
    yes, no = (offers.offer(delivery(), CARD, verb) for verb in (Verb.APPROVE, Verb.REJECT))
    said = offers.decide(yes, HumanInput.TAP, NOW)
    assert said is not None
    assert (said.verb, said.card_id, said.card_hash, said.token) == (Verb.APPROVE, CARD.id, CARD.card_hash, TOKEN)
    assert (said.decision_id, len(yes), yes != no) == (yes, NAME_CHARS, True)
    assert offers.offer(delivery(), CARD, Verb.APPROVE) == yes, "the same card shown again is answered once"
    assert TOKEN not in repr(offers.find(yes))


def test_another_text_round_attempt_or_key_has_other_names() -> None:
    offers = OfferedAnswers(b"k" * 32)
    changed = (CARD, replace(CARD, card_hash="g"), replace(CARD, round=1), replace(CARD, attempts=1))
    names = {offers.offer(delivery(), card, Verb.APPROVE) for card in changed}
    assert len(names | {OfferedAnswers(b"l" * 32).offer(delivery(), CARD, Verb.APPROVE)}) == 5


def test_what_was_never_offered_or_is_over_says_nothing() -> None:
    offers = OfferedAnswers(b"k" * 32)
    name = offers.offer(delivery(), CARD, Verb.APPROVE)
    over = NOW + timedelta(minutes=30)
    assert offers.decide(name, HumanInput.TAP, over) is None
    for forged in ("", name[:-1], name[:-1] + "_", name.upper(), "x" * 10_000):
        assert offers.decide(forged, HumanInput.TAP, NOW) is None


def test_a_question_is_answered_by_a_label_or_in_ones_own_words() -> None:
    offers, choices = OfferedAnswers(b"k" * 32), choices_of(question(ASKED))
    assert [(one.label, one.own_words) for one in choices] == [("red", False), ("blue", False), ("", True)]
    red, _, own = (offers.offer(delivery(), CARD, Verb.APPROVE, one) for one in choices)
    taken, spoken = offers.decide(red, HumanInput.TAP, NOW), offers.decide(own, HumanInput.TAP, NOW, " green ")
    assert taken is not None
    assert spoken is not None
    assert taken.permission == PermissionAnswer(answers={"colour": ("red",)})
    assert spoken.permission == PermissionAnswer(answers={"colour": ("green",)})
    assert offers.decide(own, HumanInput.TAP, NOW, " ") is None
    fooled = offers.offer(delivery(), CARD, Verb.APPROVE, OfferedChoice(question="colour", label="own-words"))
    assert fooled != own, "no label of an agent's stands for the person's words"


def test_several_questions_are_not_answered_by_buttons() -> None:
    assert choices_of(question(ASKED, replace(ASKED, id="size"))) == ()
    assert choices_of(None) == ()


def test_a_change_is_the_persons_own_text() -> None:
    offers = OfferedAnswers(b"k" * 32)
    name = offers.offer(delivery(), CARD, Verb.EDIT)
    said = offers.decide(name, HumanInput.TAP, NOW, "Run the quick tests")
    assert said is not None
    assert (said.verb, said.prompt) == (Verb.EDIT, "Run the quick tests")
    assert offers.decide(name, HumanInput.TAP, NOW) is None
