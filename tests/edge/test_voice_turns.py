"""The conversation as playbooks: something happens, and exactly this is to be done."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.speech.commands import Command, Word
from edge.speech.turn import (
    CARDS_WAITING_MAX,
    RUNNING_MAX,
    Answer,
    AnyAct,
    AnyHappened,
    CanUndo,
    CardCame,
    CardGone,
    Ended,
    HalfHeard,
    Happened,
    Heard,
    Hush,
    Judged,
    Listen,
    Manner,
    OtherSound,
    Outcome,
    Passed,
    Play,
    Pressed,
    Report,
    Runs,
    Speak,
    Spoken,
    Turn,
    Unclear,
    Unrecognised,
    VoiceBegan,
    Worn,
)
from edge.speech.turns import MOVES, step
from hub.contract.words import DeliveryState, Risk, Verb
from tests.edge.cards import delivery, manner

MANNER = manner()
LONG = "Run the tests. " * 30


class Talk:
    """A conversation, and everything that was done in it."""

    def __init__(self, how: Manner = MANNER) -> None:
        self.turn = Turn()
        self.how = how
        self.done: list[AnyAct] = []

    def tell(self, *events: AnyHappened) -> tuple[AnyAct, ...]:
        acts: tuple[AnyAct, ...] = ()
        for event in events:
            self.turn, acts = step(self.turn, self.how, event)
            self.done += acts
        return acts

    def finish(self) -> tuple[AnyAct, ...]:
        """What is being said ends."""
        return self.tell(Spoken(number=self.turn.number))

    def hear(self, word: Word, **more: object) -> tuple[AnyAct, ...]:
        return self.tell(Heard(command=Command(word=word, **more)))  # type: ignore[arg-type]  # the command's own fields

    @property
    def answers(self) -> list[Verb]:
        return [act.verb for act in self.done if isinstance(act, Answer)]

    @property
    def said(self) -> str:
        return next((act.text for act in reversed(self.done) if isinstance(act, Speak)), "")


def test_the_script_of_the_source_document() -> None:
    talk = Talk()
    acts = talk.tell(CardCame(delivery=delivery()))
    assert acts == (
        Listen(on=False),
        Play(chime="card"),
        Speak(
            number=1,
            text="A suggestion: Run tests on recently changed modules."
            " Confidence seventy-two percent. Say 'approve it' or 'skip'.",
        ),
    )
    heard_to_the_end = talk.finish()
    assert heard_to_the_end == (
        Play(chime="listen"),
        Listen(on=True),
        Report(delivery_id="d-one", state=DeliveryState.SHOWN),
    )
    assert talk.hear(Word.APPROVE) == (
        Hush(),
        Listen(on=False),
        Answer(number=1, verb=Verb.APPROVE, delivery=delivery(), is_whole=True),
    )
    verdict = talk.tell(Judged(decision=1, accepted=True, text="Running. I'll update you when done."))
    assert verdict == (
        Play(chime="ok"),
        Report(delivery_id="d-one", state=DeliveryState.ACTED),
        Speak(number=2, text="Running. I'll update you when done."),
    )
    talk.finish()
    assert talk.turn.phase == "idle"


def test_medium_risk_is_read_back_and_needs_its_word() -> None:
    talk = asked(Risk.MEDIUM)
    talk.hear(Word.APPROVE)
    assert talk.said == "You said approve: Run tests on recently changed modules. Say 'confirm' or 'cancel'."
    talk.finish()
    assert talk.answers == []
    talk.hear(Word.CONFIRM)
    assert talk.answers == [Verb.APPROVE]


def test_nothing_but_confirm_lets_it_count() -> None:
    events: tuple[AnyHappened, ...] = (
        Unclear(why="unknown"),
        Passed(seconds=60),
        *(Heard(command=Command(word=word)) for word in Word if word is not Word.CONFIRM),
    )
    for event in events:
        talk = asked(Risk.MEDIUM)
        talk.hear(Word.APPROVE)
        talk.finish()
        talk.tell(event)
        assert Verb.APPROVE not in talk.answers


def test_confirm_into_the_reading_back_does_not_count() -> None:
    talk = asked(Risk.MEDIUM)
    talk.hear(Word.APPROVE)
    assert talk.hear(Word.CONFIRM) == ()
    assert talk.turn.phase == "speaking"


def test_with_a_window_silence_lets_it_count_and_any_voice_does_not() -> None:
    cases: tuple[tuple[AnyHappened, list[Verb]], ...] = (
        (Passed(seconds=60), [Verb.APPROVE]),
        (Unclear(why="unknown"), []),
    )
    for event, expected in cases:
        talk = asked(Risk.MEDIUM, manner(confirming="window"))
        talk.hear(Word.APPROVE)
        talk.finish()
        talk.tell(event)
        assert talk.answers == expected


def test_high_risk_needs_its_check_word_and_is_confirmed_too() -> None:
    talk = asked(Risk.HIGH)
    check = next(word for word in MANNER.check_words if word in talk.said)
    wrong = next(word for word in MANNER.check_words if word != check)
    for spoken in ("", wrong):
        talk.hear(Word.APPROVE, check=spoken)
        assert check in talk.said
        talk.finish()
    talk.hear(Word.APPROVE, check=check)
    talk.finish()
    assert talk.answers == []
    talk.hear(Word.CONFIRM)
    assert talk.answers == [Verb.APPROVE]


def test_a_long_card_is_read_out_before_it_is_approved() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery(prompt=LONG)))
    talk.finish()
    talk.hear(Word.APPROVE)
    assert talk.answers == []
    assert len(talk.said) > 300
    talk.finish()
    talk.hear(Word.APPROVE)
    assert talk.answers == [Verb.APPROVE]


def test_ten_thousand_characters_and_foreign_scripts_are_never_approved_here() -> None:
    for prompt in ("word " * 2_000, "Запустить тесты", "运行测试", "🔮"):
        talk = Talk()
        talk.tell(CardCame(delivery=delivery(prompt=prompt)))
        for _ in range(4):
            talk.finish()
            talk.hear(Word.APPROVE)
        assert talk.answers == []
        assert "another device" in talk.said


def test_an_approval_into_the_prompt_is_read_back() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery()))
    talk.hear(Word.APPROVE)
    assert talk.said.startswith("You said approve")
    assert talk.answers == []


def test_skip_later_and_edit() -> None:
    talk = asked()
    talk.hear(Word.SKIP)
    assert talk.answers == [Verb.REJECT]
    talk = asked()
    acts = talk.hear(Word.LATER, minutes=10)
    assert isinstance(acts[-1], Answer)
    assert acts[-1].minutes == 10
    talk = asked()
    talk.hear(Word.EDIT, text="run the unit tests only")
    assert talk.said == "Changed to: run the unit tests only. Say 'confirm' or 'cancel'."
    talk.finish()
    acts = talk.hear(Word.CONFIRM)
    assert isinstance(acts[-1], Answer)
    assert acts[-1].prompt == "run the unit tests only"


def test_silence_and_nonsense_are_asked_about_once() -> None:
    events: tuple[AnyHappened, ...] = (Passed(seconds=60), Unclear(why="unknown"), Unclear(why="negated"))
    for event in events:
        talk = asked()
        talk.tell(event)
        assert "Say 'approve it' or 'skip'." in talk.said
        talk.finish()
        talk.tell(event)
        assert talk.said == "I leave it open."
        talk.finish()
        assert talk.turn.phase == "idle"
        assert talk.answers == []


def test_repeat_and_details() -> None:
    talk = asked()
    first = talk.said
    talk.hear(Word.REPEAT)
    assert talk.said == first
    talk.finish()
    talk.hear(Word.DETAILS)
    assert "two test files changed" in talk.said
    talk.finish()
    talk.hear(Word.APPROVE)
    assert talk.answers == [Verb.APPROVE]


def test_a_card_settled_elsewhere_ends_the_turn() -> None:
    talk = asked()
    acts = talk.tell(CardGone(card_id="one", text="Already approved on your phone."))
    assert acts[0] == Hush()
    assert talk.said == "Already approved on your phone."
    talk.finish()
    assert talk.turn.phase == "idle"


def test_an_urgent_card_goes_first_and_the_other_comes_back() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery("slow")), CardCame(delivery=delivery("fire", loudness="alert")))
    assert talk.turn.card == delivery("fire", loudness="alert")
    talk.finish()
    talk.hear(Word.SKIP)
    talk.tell(Judged(decision=1, accepted=True, text="Skipped."))
    talk.finish()
    assert talk.turn.card == delivery("slow")


def test_stop_everything_stops_what_runs() -> None:
    talk = Talk()
    talk.tell(Runs(delivery=delivery("a")), Runs(delivery=delivery("b")), CardCame(delivery=delivery("c")))
    talk.hear(Word.STOP)
    assert talk.answers == [Verb.STOP, Verb.STOP]
    assert talk.turn.waiting == ()
    talk.finish()
    assert talk.turn.phase == "idle"


def test_undo_pause_resume_and_questions() -> None:
    talk = Talk()
    talk.tell(Outcome(text="Done: 24 tests passed.", delivery_id="d"), CanUndo(delivery=delivery("old")))
    talk.finish()
    talk.tell(Pressed())
    talk.hear(Word.HAPPENED)
    assert talk.said == "Done: 24 tests passed."
    talk.finish()
    talk.tell(Pressed())
    talk.hear(Word.UNDO)
    assert talk.answers == [Verb.UNDO]
    talk.tell(Judged(decision=1, accepted=True, text="Taken back."))
    talk.finish()
    talk.tell(Pressed())
    talk.hear(Word.PAUSE)
    talk.finish()
    talk.tell(CardCame(delivery=delivery()))
    assert talk.turn.phase == "paused"
    talk.hear(Word.APPROVE)
    assert talk.answers == [Verb.UNDO]
    talk.hear(Word.RESUME)
    talk.finish()
    assert talk.turn.card == delivery()


def test_taken_off_nothing_is_said_or_heard() -> None:
    talk = asked()
    assert talk.tell(Worn(on=False)) == (Hush(), Listen(on=False))
    talk.hear(Word.APPROVE)
    assert talk.answers == []
    talk.tell(Worn(on=True))
    assert talk.turn.card == delivery()


def test_an_old_end_of_speech_means_nothing() -> None:
    talk = Talk()
    talk.tell(CardCame(delivery=delivery()))
    assert talk.tell(Spoken(number=0)) == ()


def test_every_phase_has_a_row_for_everything_that_happens() -> None:
    kinds = set(Happened.__subclasses__())
    assert {kind for _, kind in MOVES} == kinds
    assert len(MOVES) == len(kinds) * 7


commands = st.builds(
    Command,
    word=st.sampled_from(Word),
    minutes=st.integers(0, 60),
    text=st.sampled_from(["run less", "x"]),
    check=st.sampled_from(["", *MANNER.check_words]),
)
names = st.sampled_from(["a", "b", "c"])
cards = st.builds(
    delivery,
    names,
    risk=st.sampled_from(Risk),
    prompt=st.sampled_from(["Run tests", LONG]),
    loudness=st.sampled_from(["notify", "alert"]),
)
happenings = st.one_of(
    st.builds(CardCame, delivery=cards),
    st.builds(CardGone, card_id=names, text=st.just("Gone.")),
    st.builds(Outcome, text=st.just("Done."), delivery_id=names),
    st.builds(Runs, delivery=cards),
    st.builds(Ended, card_id=names),
    st.builds(CanUndo, delivery=cards),
    st.builds(Spoken, number=st.integers(0, 40)),
    st.builds(Heard, command=commands),
    st.builds(HalfHeard, command=st.just(Command(word=Word.APPROVE)), or_yes=st.booleans()),
    st.builds(Unclear, why=st.sampled_from(["unknown", "negated", "silence"])),
    st.sampled_from([VoiceBegan(), Pressed(), Unrecognised(why="stranger")]),
    st.builds(Passed, seconds=st.floats(0, 10)),
    st.builds(Judged, decision=st.integers(0, 9), accepted=st.booleans(), text=st.just("Ok.")),
    st.builds(Worn, on=st.booleans()),
    st.builds(OtherSound, on=st.booleans()),
    st.just(None),
)


@pytest.mark.slow
@given(st.lists(happenings, max_size=60), st.sampled_from(["word", "window"]))
@settings(max_examples=300, deadline=None)
def test_whatever_happens_only_a_word_of_the_person_approves(story: list[AnyHappened | None], confirming: str) -> None:
    talk = Talk(manner(confirming=confirming))
    for event in story:
        before = talk.turn
        acts = talk.finish() if event is None else talk.tell(event)
        for act in acts:
            if isinstance(act, Answer) and act.verb in {Verb.APPROVE, Verb.EDIT, Verb.RETRY}:
                check_grant(before, event, act, confirming)
        assert len(talk.turn.waiting) <= CARDS_WAITING_MAX
        assert len(talk.turn.running) <= RUNNING_MAX
        assert (talk.turn.pending is None) or talk.turn.phase in {"speaking", "asking", "confirming"}


def check_grant(before: Turn, event: object, act: Answer, confirming: str) -> None:
    """An approval comes from an approval of a card that was heard, or from a confirmation of one that was read back."""
    assert act.delivery == before.card
    assert before.worn
    if before.phase == "confirming":
        lapsed = confirming == "window" and isinstance(event, Passed)
        assert lapsed or (isinstance(event, Heard) and event.command.word is Word.CONFIRM)
        return
    assert before.whole
    if before.phase == "asking":
        agrees = isinstance(event, Heard) and event.command.word in {Word.YES, Word.APPROVE, Word.CONFIRM}
        assert agrees or (isinstance(event, HalfHeard) and event.or_yes)
        assert getattr(act.delivery.event, "prediction").risk is Risk.LOW  # noqa: B009  every card of this test has one
        return
    assert before.phase == "listening"
    assert act.verb is Verb.APPROVE
    assert isinstance(event, Heard)
    assert event.command.word is Word.APPROVE
    risk = getattr(act.delivery.event, "prediction").risk  # noqa: B009  every card of this test has one
    assert risk is Risk.LOW


def asked(risk: Risk = Risk.LOW, how: Manner = MANNER) -> Talk:
    """A card was read to its end, and we listen."""
    talk = Talk(how)
    talk.tell(CardCame(delivery=delivery(risk=risk)))
    talk.finish()
    return talk
