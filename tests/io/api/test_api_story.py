"""An episode in plain words."""

import re
from datetime import timedelta
from typing import get_args, get_type_hints

import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, Permission
from hub.contract.phrasing import Phrasing
from hub.contract.story import StepView
from hub.contract.surface import Voter
from hub.contract.words import DeliveryState, HumanInput, MoveReason, RunState, Status, Verb
from hub.domain.attention import Attention, Circumstances, Matter, Weighed
from hub.domain.episode import AnyStep, Decided, Judged, Learned, Line, Moved, Proposed, Ran, Released, Sensed, Step
from hub.domain.execution import RunResult
from hub.domain.judgement import Ledger, RailVerdict
from hub.domain.likelihood import Estimate, Features, Voice
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText, RepositoryText, say
from hub.domain.situation import Module, Repository, Situation, SystemLoad
from hub.domain.storage import AddCard, AddExecution
from hub.domain.suggestion import Answer, Factors, Guess, Need, Proposal
from hub.io.api.situation_text import describe
from hub.io.api.story import tell_story
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.learn.signals import TABLE
from hub.loop.at_agent import NOT_THERE
from hub.loop.digests import ASKED_FOR
from hub.loop.releasing import BACK, DIGEST_TIME, GOOD_MOMENT, MORNING
from tests.conformance.store.samples import NOON, after, card, delivery, proposal, run
from tests.fakes.masked import masked
from tests.io.api.running import Api

ANSWER = Answer(
    key="k",
    card_id="pred_1",
    verb=Verb.APPROVE,
    by="anna",
    surface="terminal",
    device="laptop",
    human_input=HumanInput.KEY,
    reason="go",
)
REPOSITORY = Repository(
    path="/r",
    name=RepositoryText("pulse"),
    branch=RepositoryText("main"),
    head=None,
    head_at=None,
    uncommitted=(RepositoryText("a.py"),),
    unpushed=2,
    changed_modules=(Module(path=RepositoryText("hub"), files=3),),
    ci="failed",
)
SITUATION = Situation(
    at=NOON,
    local=NOON,
    silence=timedelta(minutes=45),
    tasks=(),
    repositories=(REPOSITORY,),
    system=SystemLoad(load_per_core=0.5, memory_used=0.1, disk_used=0.42),
    unknown=("calendar",),
)
VERDICT = RailVerdict(stage="cost", outcome="pass", rule="cost.hour", reason="fine", numbers={"spent": 0.1})
BODIES: tuple[AnyStep, ...] = (
    Sensed(situation=SITUATION),
    Proposed(
        proposal=proposal(),
        ideas=3,
        guess=Guess(prompt=ModelText("Do it"), channel="garden", confidence=0.5, reasoning=ModelText("r"), model="m"),
    ),
    Judged(verdicts=(VERDICT,), conclusion="AskHuman", ledger=Ledger(), policy=Policy()),
    Decided(answer=ANSWER, accepted=True),
    Moved(before=Status.PENDING, after=Status.CONFIRMED, reason=MoveReason.APPROVED),
    Ran(execution_id="x1", state=RunState.QUEUED),
    Ran(execution_id="x1", state=RunState.ACTIVE, text="playbook"),
    Line(execution_id="x1", number=1, text="collected 24"),
    Line(execution_id="x1", number=2, text="24 passed"),
    Ran(execution_id="x1", state=RunState.VERIFIED, text="exit code 0"),
    Learned(signal="approved", value="chosen", weight=1.0),
)


def steps() -> list[Step]:
    return [Step(card_id="pred_1", at=after(number), body=body) for number, body in enumerate(BODIES)]


def test_every_step_has_its_words() -> None:
    told = tell_story(card("pred_1"), steps(), (), ())
    assert [view.kind for view in told] == [
        "sensed",
        "proposed",
        "judged",
        "decided",
        "moved",
        "ran",
        "ran",
        "progress",
        "ran",
        "learned",
    ]
    words = {view.kind: view.text for view in told}
    assert words["proposed"] == "Out of 3 ideas: Run the tests"
    assert words["judged"] == "The rules require a person's approval."
    assert words["decided"] == "anna approved it in the terminal (laptop, by key): go"
    assert words["moved"] == "You said yes."
    assert words["progress"] == "The agent wrote 2 lines."
    assert words["learned"] == "Learned from your yes. It counts as a yes, with a weight of 1.0."
    assert [view.text for view in told if view.kind == "ran"] == [
        "Queued.",
        "Pulse began.",
        "The work is confirmed: exit code 0",
    ]


def test_rules_that_needed_an_approval_do_not_allow_it_by_themselves() -> None:
    (before,) = (step for step in steps() if isinstance(step.body, Judged))
    told: list[StepView] = []
    for outcome in ("ask", "pass"):
        verdicts = (replace(VERDICT, outcome=outcome),)
        body = replace(before.body, conclusion="Permit", verdicts=verdicts)
        told += tell_story(card("pred_1"), [replace(before, body=body)], (), ())
    assert [one.text for one in told] == ["It is approved, so the rules allow it.", "Every rule allows it."]


def test_what_pulse_itself_calls_a_browser_is_no_name_for_a_person() -> None:
    answer = replace(ANSWER, surface="browser", device="9e919823c38b", human_input="tap")
    decided = Step(card_id="pred_1", at=NOON, body=Decided(answer=answer, accepted=True))
    (told,) = tell_story(card("pred_1"), [decided], (), ())
    assert told.text == "anna approved it in the browser (by tap or click): go"


def test_a_vote_names_every_voter() -> None:
    voters = (
        Voter(id="1", name="anna", choice=Verb.APPROVE, weight=2.0, counted=True),
        Voter(id="2", name="a stranger", choice=Verb.REJECT, weight=0.0, counted=False),
    )
    decided = Step(card_id="pred_1", at=NOON, body=Decided(answer=replace(ANSWER, voters=voters), accepted=True))
    (view,) = tell_story(card("pred_1"), [decided], (), ())
    assert view.lines == ("anna: approve (weight 2)", "a stranger: reject (not counted)")


def test_numbers_and_lines_are_kept() -> None:
    told = {view.kind: view for view in tell_story(card("pred_1"), steps(), (), ())}
    assert told["judged"].verdicts[0].numbers == {"spent": 0.1}
    assert told["progress"].lines == ("collected 24", "24 passed")
    assert told["proposed"].lines[1:4] == (
        "Pulse has no confidence yet: you have answered too few like this.",
        "How urgent it is: 50%.",
        "Whether the time is right: 50%.",
    )
    assert told["proposed"].lines[-1] == "The model m said: Do it"


def test_what_a_model_said_is_told_as_how_sure_pulse_was() -> None:
    rated = replace(proposal(), factors=Factors(twin=0.8, pattern=0.5, urgency=0.4, time=0.6))
    (view,) = tell_story(
        card("pred_1"), [Step(card_id="pred_1", at=NOON, body=Proposed(proposal=rated, ideas=1))], (), ()
    )
    assert view.lines[1:4] == (
        "Pulse was 70% confident.",
        "What a model of you says: 80%.",
        "Your answers to similar ones: 50%.",
    )


def test_every_way_to_an_agent_has_its_words() -> None:
    ways = get_args(get_type_hints(Proposal)["routed_by"])
    assert all(f"chosen.{way.replace('-', '_')}" in phrases().texts for way in ways)


def test_the_situation_in_lines() -> None:
    assert [line.text for line in describe(SITUATION)] == [
        "It was Sunday 12:00.",
        "You had been quiet for 45 minutes.",
        "0 open tasks.",
        "pulse is on main.",
        "pulse: 1 uncommitted file.",
        "pulse: 2 unpushed commits.",
        "pulse: 1 module changed since the last test run.",
        "pulse: CI failed.",
        "Disk 42% full, load 0.5 per core.",
        "Not known: your calendar.",
    ]


WITHOUT_CODE = {
    ("proposed", "lines"),  # what a model said, in its words
    ("progress", "lines"),  # the output of a program
}


def test_every_sentence_has_a_code_in_both_languages_but_these() -> None:
    bare: set[tuple[str, str]] = set()
    for view in tell_story(card("pred_1"), steps(), (), ()):
        for place, texts, wordings in (
            ("text", (view.text,), (view.text_worded,)),
            ("lines", view.lines, view.lines_worded or (None,) * len(view.lines)),
        ):
            for text, wording in zip(texts, wordings, strict=True):
                if wording is None:
                    bare.add((view.kind, place))
                    continue
                german = worded(wording, "", phrases("de"), lambda moment: f"{moment:%H:%M}")
                assert german != "", text
                assert german != text, text
    assert bare == WITHOUT_CODE


@pytest.mark.parametrize("state", RunState)
def test_every_state_of_a_run_has_a_code(state: RunState) -> None:
    for text in ("", "exit code 0"):
        ran = Step(card_id="pred_1", at=NOON, body=Ran(execution_id="x1", state=state, text=text))
        assert tell_story(card("pred_1"), (ran,), (), ())[-1].text_worded is not None


def test_how_a_run_ended_is_german_within_its_sentence() -> None:
    proof = say("{says}.", says=say("It ended without an error")).worded
    assert proof is not None
    body = Ran(execution_id="x1", state=RunState.VERIFIED, text=proof.text, text_worded=proof)
    view = tell_story(card("pred_1"), (Step(card_id="pred_1", at=NOON, body=body),), (), ())[-1]
    assert _german(view) == "Die Arbeit ist bestätigt: Es endete ohne Fehler."


def _german(view: StepView) -> str:
    return worded(view.text_worded, "", phrases("de"))


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("by", ["me", "anna"])
def test_every_answer_is_told_in_the_readers_language(verb: Verb, by: str) -> None:
    answer = replace(ANSWER, verb=verb, by=by)
    decided = Step(card_id="pred_1", at=NOON, body=Decided(answer=answer, accepted=False, note=""))
    view = tell_story(card("pred_1"), (decided,), (), ())[-1]
    assert worded(view.text_worded, view.text, phrases("en")) == view.text
    assert _german(view).startswith("Du hast " if by == "me" else "anna hat ")
    assert _german(view).endswith("im Terminal (laptop, mit einer Taste): go Das zählte nicht.")


@pytest.mark.parametrize("state", DeliveryState)
def test_every_delivery_is_told_in_the_readers_language(state: DeliveryState) -> None:
    told = replace(delivery(card_id="pred_1", state=state), event_type="prediction.new")
    view = tell_story(card("pred_1"), (), (told,), ())[-1]
    assert view.kind == "delivery"
    assert _german(view).startswith("Die Karte an ")
    assert state.value not in _german(view)


@pytest.mark.parametrize("why", [MORNING, GOOD_MOMENT, DIGEST_TIME, BACK, NOT_THERE, ASKED_FOR])
def test_why_something_was_told_then_is_told_in_the_readers_language(why: str) -> None:
    for in_digest in (False, True):
        released = Step(card_id="pred_1", at=NOON, body=Released(in_digest=in_digest, why=why))
        view = tell_story(card("pred_1"), (released,), (), ())[-1]
        assert view.text.endswith(why)
        assert why not in _german(view) != ""


@pytest.mark.parametrize("reason", MoveReason)
def test_every_move_of_a_card_is_told_in_words(reason: MoveReason) -> None:
    moved = Step(card_id="pred_1", at=NOON, body=Moved(before=Status.PENDING, after=Status.CANCELLED, reason=reason))
    assert tell_story(card("pred_1"), (moved,), (), ())[-1].text_worded is not None


def test_a_request_that_a_permission_let_through_is_told_so() -> None:
    reason = MoveReason.AUTO_APPROVED
    moved = Step(card_id="pred_1", at=NOON, body=Moved(before=Status.PENDING, after=Status.CONFIRMED, reason=reason))
    asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="ls")
    let = replace(card("pred_1"), permission=asked, asker="claude-code")
    last = tell_story(let, (moved,), (), ())[-1]
    assert worded(last.text_worded, last.text, phrases("en")) == "Your permission let Claude go ahead."
    assert _german(last) == "Deine Erlaubnis ließ Claude weitermachen."
    assert tell_story(card("pred_1"), (moved,), (), ())[-1].text == "The rules let Pulse go ahead."


def test_deliveries_and_runs_stand_where_they_happened() -> None:
    result = RunResult(ended="exited", exit_code=0, output="a\nb", changed_files=("x.py",))
    ended = replace(run(), state=RunState.VERIFIED, ended_at=after(20), result=result, proof="exit code 0")
    shown = delivery(card_id="pred_1", at=3, state=DeliveryState.SHOWN)
    told = tell_story(card("pred_1"), steps(), (shown,), (ended,))
    assert [view.kind for view in told].index("delivery") == 4
    assert told[-1].text == "Run 1 of Pulse, with your permission: verified, $0.00. exit code 0"
    assert told[-1].lines == ("a", "b", "Changed: x.py")


EVERYTHING: tuple[AnyStep, ...] = (
    *(Learned(signal=signal, value=teaching.value, weight=teaching.weight) for signal, teaching in TABLE.items()),
    *(Ran(execution_id="x1", state=state) for state in RunState),
    Ran(execution_id="x1", state=RunState.ACTIVE, text="playbook"),
    *(
        Decided(answer=replace(ANSWER, by=by, device="9e919823c38b", human_input=given, reason=""), accepted=accepted)
        for by in ("me", "X")
        for given in HumanInput
        for accepted in (True, False)
    ),
    *(Moved(before=Status.PENDING, after=Status.CANCELLED, reason=reason) for reason in MoveReason),
    Weighed(
        telling="digest",
        why="X",
        matter=Matter(p=0.5, urgency=0.25, left_s=9.0),
        circumstances=Circumstances(doing="here", spent=1),
        attention=Attention(),
        costs={"loud": 1.75, "digest": 0.29},
    ),
)
"""What stands in it for a name, or for words of a program, is X."""
LIKELY = Estimate(
    about=Features(kind="run-tests", reason="X", channel="X", at=NOON, hour=12.0, weekday=6),
    p=0.5,
    low=0.25,
    high=0.75,
    answers=3,
    yes=2,
    is_learnt=True,
    spoke=(Voice(about="kind", pull=1.0),),
)


def test_nothing_in_a_history_is_english_on_a_german_page() -> None:
    idea = replace(proposal(), likelihood=LIKELY, channel="X", prompt="X", reasoning="X", need=Need(text="X"))
    bodies = (Proposed(proposal=idea, ideas=3), *EVERYTHING)
    recorded = [Step(card_id="pred_1", at=NOON, body=body) for body in bodies]
    sent = [replace(delivery(state=one), event_type="prediction.new", surface="X", device="X") for one in DeliveryState]
    passed = say("The tests ran and pass")
    ended = replace(
        run(),
        state=RunState.VERIFIED,
        ended_at=NOON,
        result=RunResult(ended="exited", exit_code=0, output="", changed_files=("X",)),
        proof=passed.text,
        proof_worded=passed.worded,
    )
    views = tell_story(card("pred_1"), recorded, sent, [ended])
    assert len(views) == len(recorded) + len(sent) + 1
    for view in views:
        assert _english_in(view.text, view.text_worded) == [], view.text
        for text, wording in zip(view.lines, view.lines_worded or (None,) * len(view.lines), strict=True):
            assert _english_in(text, wording) == [], text


def _english_in(text: str, wording: Phrasing | None) -> list[str]:
    said = worded(wording, text, masked(), lambda moment: f"{moment:%H:%M}")
    return re.findall(r"[A-Za-z]{2,}|[0-9]\.[0-9]|[0-9]%", said)


def test_a_question_says_who_asked() -> None:
    asked = replace(card("pred_ask_k", prompt="Deploy?"), asker="ci")
    assert tell_story(asked, (), (), ())[0].text == "ci asked: Deploy?"


def test_nothing_deceives_the_eye() -> None:
    sly = Step(card_id="p", at=NOON, body=Line(execution_id="x", number=1, text="safe\u202eevil"))
    assert "\u202e" not in str(tell_story(card("p"), (sly,), (), ()))


@pytest.mark.slow
async def test_why_over_http(api: Api) -> None:
    shown = replace(card("pred_1", status=Status.CONFIRMED), execution_id="x1")
    await api.behind.write(AddCard(card=shown), AddExecution(execution=run("x1", card_id="pred_1")))
    await api.behind.write(*(step for step in steps()), delivery(card_id="pred_1"))
    said = (await api.http.get("/api/v1/predictions/pred_1/why")).json()
    assert said["prediction"]["runState"] == "queued"
    assert said["status"]["state"] == "watching"
    assert len(said["steps"]) == 11
    assert said["steps"][0]["at"] == "2026-03-01T12:00:00Z"
