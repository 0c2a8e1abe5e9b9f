"""Which later step of an agent counts for an answer: its own, of the same session, about the same call."""

import json

import pytest
from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.control import PermissionReply
from hub.contract.words import HumanInput, Status, Verb
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.followed import FollowedAnswer, FollowedAnswers, deed_of, handed
from hub.io.agents.hooks.gemini import GEMINI
from hub.io.agents.hooks.opencode import OPENCODE
from hub.io.agents.hooks.step import At, Dialect, HookStep, Word
from tests.fakes.hub_api import NOON, a_prediction

ME, OTHER = "4711-8", "4712-9"
BASH = {"command": "rm -rf build"}
NO = FollowedAnswer(card_id="p1", is_yes=False, owner="agents")
YES = FollowedAnswer(card_id="p1", is_yes=True, owner="agents")
SETTLED = Settlement(verb=Verb.APPROVE, by="anna", surface="watch", device="w", human_input=HumanInput.TAP, at=NOON)


def claude(event: str, call: str = "toolu_1", session: str = "s1", **given: str) -> HookStep:
    named = {} if event == "PermissionRequest" else {"tool_use_id": call}
    said = {"hook_event_name": event, "session_id": session, "tool_name": "Bash", "tool_input": BASH | given, **named}
    step = CLAUDE_CODE.read(json.dumps(said).encode())
    assert isinstance(step, HookStep)
    return step


def opencode(event: str, name: str = "per_1", **more: str) -> HookStep:
    about = {"id": name, "sessionID": "s1", "permission": "bash", "metadata": BASH, **more}
    step = OPENCODE.read(json.dumps({"event": event, "folder": "/shop", "properties": about}).encode())
    assert isinstance(step, HookStep)
    return step


def did(
    found: FollowedAnswers, step: HookStep, dialect: Dialect = CLAUDE_CODE, whose: str = ME
) -> FollowedAnswer | None:
    return found.did(whose, dialect, step, deed_of(step))


def answered(given: FollowedAnswer, dialect: Dialect, *steps: HookStep) -> FollowedAnswers:
    """Hear these steps, the last of which asks and is answered."""
    found = FollowedAnswers()
    for step in steps[:-1]:
        found.before(ME, dialect, step)
    about = found.asks(ME, dialect, steps[-1])
    assert about is not None
    assert found.gave(about, dialect, given) is None
    return found


def claude_answered(given: FollowedAnswer = NO) -> FollowedAnswers:
    return answered(given, CLAUDE_CODE, claude("PreToolUse"), claude("PermissionRequest"))


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
def test_claude_that_went_on_after_a_no_here_was_told_yes_there(event: str) -> None:
    found = claude_answered()
    assert did(found, claude(event)) == NO
    assert did(found, claude(event)) is None  # heard again


def test_also_where_the_tool_had_ended_before_the_answer_was_on_its_way() -> None:
    found = FollowedAnswers()
    found.before(ME, CLAUDE_CODE, claude("PreToolUse"))
    about = found.asks(ME, CLAUDE_CODE, claude("PermissionRequest"))
    assert did(found, claude("PostToolUse")) is None
    assert about is not None
    deed = found.gave(about, CLAUDE_CODE, NO)
    assert deed is not None
    assert deed.how == "allowed"


def test_claude_that_did_as_it_was_told_is_not_spoken_of() -> None:
    assert did(claude_answered(YES), claude("PostToolUse")) is None


@pytest.mark.parametrize(
    ("step", "whose"),
    [
        (claude("PostToolUse"), OTHER),
        (claude("PostToolUse"), ""),
        (claude("PostToolUse", session="s2"), ME),
        (claude("PostToolUse", session=""), ME),
        (claude("PostToolUse", call="toolu_2"), ME),
        (claude("PostToolUse", call="toolu_2", command="ls"), ME),
    ],
)
def test_nobody_speaks_of_the_call_of_another(step: HookStep, whose: str) -> None:
    found = claude_answered()
    assert did(found, step, whose=whose) is None
    assert did(found, claude("PostToolUse")) == NO  # it still waits for the word of its own


def test_an_agent_of_another_name_does_not_speak_of_it_either() -> None:
    assert did(claude_answered(), claude("PostToolUse"), dialect=GEMINI) is None


def test_the_same_again_is_another_call() -> None:
    found = claude_answered()
    found.before(ME, CLAUDE_CODE, claude("PreToolUse", call="toolu_2"))
    about = found.asks(ME, CLAUDE_CODE, claude("PermissionRequest"))
    assert about is not None
    second = replace(NO, card_id="p2")
    assert found.gave(about, CLAUDE_CODE, second) is None
    assert did(found, claude("PostToolUse", call="toolu_2")) == second
    assert did(found, claude("PostToolUse")) == NO


def test_what_ran_without_the_change_that_the_person_made_was_let_go_there() -> None:
    asked, changed = claude("PermissionRequest"), claude("PostToolUse", command="rm -r build/cache")
    word = Word(says="allow", input={"command": "rm -r build/cache"})
    given = handed("agents", "", asked, reply_of(Verb.EDIT), word)
    assert given is not None
    assert did(claude_answered(given), claude("PostToolUse")) == given
    assert did(claude_answered(given), changed) is None


def test_without_names_of_calls_it_is_what_the_tool_is_given_until_that_comes_again() -> None:
    nameless = CLAUDE_CODE, claude("PreToolUse", call=""), claude("PermissionRequest")
    assert did(answered(NO, *nameless), claude("PostToolUse", call="")) == NO
    found = answered(NO, *nameless)
    found.before(ME, CLAUDE_CODE, claude("PreToolUse", call=""))
    assert did(found, claude("PostToolUse", call="")) is None


def test_a_hub_that_began_in_between_knows_the_call_by_what_it_is_given() -> None:
    found = answered(NO, CLAUDE_CODE, claude("PermissionRequest"))
    assert did(found, claude("PostToolUse")) == NO


@pytest.mark.parametrize(
    ("given", "event", "reply", "is_told"),
    [
        (YES, "permission.replied", "reject", True),
        (NO, "permission.replied", "once", True),
        (NO, "permission.replied", "always", True),
        (YES, "permission.replied", "once", False),
        (NO, "permission.replied", "reject", False),
        (NO, "permission.replied", "", True),  # an older plugin, which tells of a yes alone
    ],
)
def test_opencode_tells_which_reply_it_took(given: FollowedAnswer, event: str, reply: str, *, is_told: bool) -> None:
    said = opencode(event, **({"reply": reply} if reply else {}))
    assert (did(answered(given, OPENCODE, opencode("permission.asked")), said, OPENCODE) == given) is is_told


def test_two_requests_of_opencode_for_the_same_are_two() -> None:
    found = answered(NO, OPENCODE, opencode("permission.asked"))
    assert did(found, opencode("permission.replied", "per_2", reply="once"), OPENCODE) is None
    assert did(found, opencode("permission.replied", reply="once"), OPENCODE) == NO


def test_a_question_that_was_turned_down_there_was_refused() -> None:
    assert deed_of(opencode("question.rejected", questions="")).how == "refused"


def gemini(event: str) -> HookStep:
    tool = {"tool_name": "run_shell_command", "tool_input": BASH}
    step = GEMINI.read(json.dumps({"hook_event_name": event, "session_id": "s1", **tool}).encode())
    assert isinstance(step, HookStep)
    return step


def test_an_agent_whose_dialog_is_not_open_meanwhile_took_no_other_answer() -> None:
    assert did(answered(NO, GEMINI, gemini("BeforeTool")), gemini("AfterTool"), GEMINI) is None


def test_its_yes_is_lost_with_it_all_the_same_unless_its_tool_had_ended() -> None:
    found = answered(YES, GEMINI, gemini("BeforeTool"))
    assert [given for _, given in found.gone(ME)] == [YES]
    found = answered(YES, GEMINI, gemini("BeforeTool"))
    assert did(found, gemini("AfterTool"), GEMINI) is None
    assert found.gone(ME) == ()


def test_a_form_is_not_followed_for_no_step_tells_what_came_of_it() -> None:
    form = replace(claude("PermissionRequest"), hides_dialog=True)
    assert FollowedAnswers().asks(ME, CLAUDE_CODE, form) is None


def test_what_nobody_answered_or_was_not_said_is_followed_by_nothing() -> None:
    asked = claude("PermissionRequest")
    assert handed("agents", "", asked, reply_of(None), Word(says="allow")) is None
    assert handed("agents", "", asked, reply_of(Verb.APPROVE), Word()) is None
    given = handed("agents", "", asked, reply_of(Verb.APPROVE), Word(says="allow"))
    assert given == replace(YES, card_id="pred_1", approved=asked)
    assert asked.at is At.LEAVE


def reply_of(verb: Verb | None) -> PermissionReply:
    settled = None if verb is None else replace(SETTLED, verb=verb)
    shown = replace(a_prediction("pred_1", status=Status.CONFIRMED), settled=settled)
    return PermissionReply(prediction=shown, answered=True, approved=True)


@pytest.mark.parametrize("event", ["Stop", "StopFailure", "UserPromptSubmit"])
def test_a_yes_of_a_turn_that_ended_is_not_lost_with_the_agent(event: str) -> None:
    found = claude_answered(YES)
    found.over(ME, CLAUDE_CODE, claude(event))
    assert found.gone(ME) == ()


def test_a_yes_of_which_nothing_was_heard_is_lost_with_the_agent_whose_it_was() -> None:
    found = claude_answered(YES)
    found.over(OTHER, CLAUDE_CODE, claude("Stop"))
    found.over(ME, CLAUDE_CODE, claude("Stop", session="s2"))
    found.over(ME, CLAUDE_CODE, replace(claude("SubagentStop"), subagent="a95"))
    assert found.gone(OTHER) == ()
    assert [given for _, given in found.gone(ME)] == [YES]
    assert found.gone(ME) == ()


def test_the_same_call_of_two_subagents_is_two_calls() -> None:
    mine, other = (replace(claude("PermissionRequest"), subagent=one) for one in ("a95", "b12"))
    found = answered(NO, CLAUDE_CODE, mine)
    assert did(found, replace(claude("PostToolUse", call=""), subagent=other.subagent)) is None
    assert did(found, replace(claude("PostToolUse", call=""), subagent=mine.subagent)) == NO


def test_a_refusal_by_its_own_reviewer_says_so() -> None:
    found = claude_answered(YES)
    denied = claude("PermissionDenied")
    assert did(found, denied) == YES
    assert deed_of(denied).how == "denied"


def approved(step: HookStep) -> FollowedAnswer:
    return replace(YES, approved=step)


def test_a_report_is_held_against_the_yes_to_its_call_each_time() -> None:
    given = approved(claude("PermissionRequest"))
    found = claude_answered(given)
    for ran in (BASH, {"command": "rm -rf /"}):
        report = claude("PostToolUse", **ran)
        assert found.approved_for(ME, CLAUDE_CODE, report) == given
        did(found, report)
    assert found.approved_for(OTHER, CLAUDE_CODE, claude("PostToolUse")) is None
    assert found.approved_for(ME, CLAUDE_CODE, claude("PostToolUse", call="toolu_2")) is None
    assert found.approved_for("", CLAUDE_CODE, claude("PostToolUse")) is None


def test_so_it_is_where_a_hook_had_changed_the_call_before_it_was_asked_about() -> None:
    changed = claude("PermissionRequest", command="rm -rf build keep")
    given = approved(changed)
    found = answered(given, CLAUDE_CODE, claude("PreToolUse"), changed)
    assert found.approved_for(ME, CLAUDE_CODE, claude("PostToolUse", command="rm -rf /")) == given


def gemini_step(event: str, command: str) -> HookStep:
    said = {"hook_event_name": event, "session_id": "s1", "tool_name": "run_shell_command"}
    step = GEMINI.read(json.dumps(said | {"tool_input": {"command": command}}).encode())
    assert isinstance(step, HookStep)
    return step


def gemini_answered(*commands: str) -> FollowedAnswers:
    found = FollowedAnswers()
    for command in commands:
        asked = gemini_step("BeforeTool", command)
        found.before(ME, GEMINI, asked)
        about = found.asks(ME, GEMINI, asked)
        assert about is not None
        found.gave(about, GEMINI, replace(approved(asked), card_id=command))
    return found


def test_of_an_agent_that_names_no_calls_what_was_not_announced_is_what_became_of_a_yes() -> None:
    found = gemini_answered("rm -rf build")
    found.before(ME, GEMINI, gemini_step("BeforeTool", "ls"))
    assert found.approved_for(ME, GEMINI, gemini_step("AfterTool", "ls")) is None
    given = found.approved_for(ME, GEMINI, gemini_step("AfterTool", "rm -rf /"))
    assert given is not None
    assert given.card_id == "rm -rf build"
    assert found.approved_for(ME, GEMINI, gemini_step("AfterTool", "rm -rf /")) is None


def test_of_several_yeses_the_one_to_just_that_is_meant() -> None:
    found = gemini_answered("rm -rf a", "rm -rf b")
    for command in ("rm -rf b", "rm -rf a"):
        given = found.approved_for(ME, GEMINI, gemini_step("AfterTool", command))
        assert given is not None
        assert given.card_id == command


def test_a_text_that_the_person_wrote_is_what_was_approved() -> None:
    asked = gemini_step("BeforeTool", "rm -rf build")
    given = handed("agents", "", asked, reply_of(Verb.EDIT), Word(says="allow", input={"command": "ls"}))
    assert given is not None
    found = answered(given, GEMINI, asked)
    assert found.approved_for(ME, GEMINI, gemini_step("AfterTool", "ls")) == given
    assert given.approved == gemini_step("BeforeTool", "ls")
