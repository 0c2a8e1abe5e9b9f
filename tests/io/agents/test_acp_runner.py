"""Agents that speak ACP: what they ask is judged or put to the person, and what they tell is shown."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.control import PermissionReply
from hub.contract.permission import Act, PermissionAnswer, PermissionRequest
from hub.contract.words import Verb
from hub.domain.execution import Job, RunResult
from hub.domain.plan import CannotPlan, Plan
from hub.domain.policy import Agent
from hub.domain.requests import Refused
from hub.domain.suggestion import Work
from hub.io.agents.acp.runner import AcpRunner
from tests.fakes.questions import Answer, ScriptedPerson, replied
from tests.io.agents import acp_agent
from tests.io.agents.agent_work import PYTHON, Heard, job, run

UNKNOWN = (PYTHON, acp_agent.__file__)
TINY = (str(Path(__file__).parent / "named" / "codex-acp"), *UNKNOWN)


def tiny(prompt: str, workspace: Path | None = None, *modes: str, **said: str) -> Job:
    agent = replace(Agent(name="tiny", kind="acp", argv=(*TINY, *modes), contain="none"), **said)
    return job(agent=agent, prompt=prompt, workspace=workspace)


def runner(folder: Path, person: ScriptedPerson) -> AcpRunner:
    return AcpRunner(folder / "home", {"PATH": os.environ["PATH"]}, person)


async def told(
    folder: Path, prompt: str, answer: Answer | None = None, **said: str
) -> tuple[RunResult, ScriptedPerson]:
    person = ScriptedPerson(answer)
    workspace = folder / "shop"
    workspace.mkdir()
    return await run(runner(folder, person), tiny(prompt, workspace, **said), Heard()), person


async def test_what_is_harmless_in_the_workspace_is_covered_by_the_yes_to_the_run(tmp_path: Path) -> None:
    result, person = await told(tmp_path, "run ls -la\nedit notes.md")
    assert result.exit_code == 0
    assert result.output.count("told {'outcome': 'selected', 'optionId': 'once'}") == 2
    assert person.asked == []


async def test_of_an_agent_that_nobody_knows_nothing_is_taken_for_harmless(tmp_path: Path) -> None:
    person = ScriptedPerson(lambda _: replied(Verb.REJECT))
    made = tiny("run ls -la\nedit notes.md", tmp_path)
    made = replace(made, agent=replace(made.agent, argv=UNKNOWN))
    await run(runner(tmp_path, person), made, Heard())
    assert [(one.act, one.tool) for one in person.asked] == [(Act.OTHER, "ls -la"), (Act.OTHER, "edit")]
    assert "-a\n+b" in person.asked[1].text


async def test_whoever_wants_to_be_asked_about_everything_is(tmp_path: Path) -> None:
    result, person = await told(tmp_path, "run ls -la", lambda _: replied(Verb.APPROVE), asks="everything")
    assert [one.text for one in person.asked] == ["ls -la"]
    assert "'optionId': 'once'" in result.output


async def test_what_is_not_is_asked_and_the_answer_is_the_persons(tmp_path: Path) -> None:
    result, person = await told(tmp_path, "run rm -rf build", lambda _: replied(Verb.APPROVE))
    asked = person.asked[0]
    assert (asked.agent, asked.act, asked.text, asked.session) == ("tiny", Act.COMMAND, "rm -rf build", "run_e1")
    assert (asked.folder, asked.withdraw_when_gone) == (str((tmp_path / "shop").resolve()), True)
    assert [(one.id, one.lasts, one.refuses) for one in asked.options] == [("always", "always", False)]
    assert "told {'outcome': 'selected', 'optionId': 'once'}" in result.output


async def test_an_option_of_the_agents_is_taken(tmp_path: Path) -> None:
    result, _ = await told(
        tmp_path, "run rm -rf build", lambda _: replied(Verb.APPROVE, answer=PermissionAnswer(option="always"))
    )
    assert "'optionId': 'always'" in result.output


async def test_a_no_is_told_and_its_words_are_passed_on_when_the_turn_ends(tmp_path: Path) -> None:
    result, _ = await told(tmp_path, "run rm -rf build", lambda _: replied(Verb.REJECT, reason="say use make clean"))
    assert "'optionId': 'reject'" in result.output
    assert "✗ rm -rf build: you said no: say use make clean" in result.output
    assert "The user said no to “rm -rf build”: say use make clean" in result.output


async def test_a_grant_of_the_persons_lets_it_go_on(tmp_path: Path) -> None:
    person = ScriptedPerson(lambda _: replied(Verb.REJECT))
    person.grants = {"rm -rf build": "You let this run without asking."}
    (tmp_path / "shop").mkdir()
    made = runner(tmp_path, person)
    result = await run(made, tiny("run rm -rf build", tmp_path / "shop"), Heard())
    assert "✓ rm -rf build: You let this run without asking." in result.output
    assert ("'optionId': 'once'" in result.output, person.asked) == (True, [])
    (tmp_path / "shop" / "build").symlink_to("/opt")
    linked = await run(made, tiny("run rm -rf build", tmp_path / "shop"), Heard())
    assert "'optionId': 'reject'" in linked.output


async def test_nobody_to_ask_is_a_no(tmp_path: Path) -> None:
    result, _ = await told(tmp_path, "run rm -rf build", lambda _: Refused(code="busy", status=503, detail="Too much."))
    assert "✗ rm -rf build: Too much." in result.output
    assert "'optionId': 'reject'" in result.output


async def test_an_edit_through_a_link_out_of_the_workspace_is_asked_with_its_real_place(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "notes.md").symlink_to("/opt/elsewhere.md")
    person = ScriptedPerson(lambda _: replied(Verb.REJECT))
    result = await run(runner(tmp_path, person), tiny("edit notes.md", tmp_path / "shop"), Heard())
    asked = person.asked[0]
    assert (asked.act, asked.target) == (Act.EDIT, "/opt/elsewhere.md")
    assert "-a\n+b" in asked.text
    assert "'optionId': 'reject'" in result.output


async def test_a_yes_is_for_where_links_led_when_it_was_asked(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()

    def yes_too_late(_: PermissionRequest) -> PermissionReply:
        (shop / "notes.md").symlink_to("/opt/elsewhere.md")
        return replied(Verb.APPROVE)

    person = ScriptedPerson(yes_too_late)
    result = await run(runner(tmp_path, person), tiny("edit notes.md", shop, asks="everything"), Heard())
    assert [one.target for one in person.asked] == [str(shop / "notes.md")]
    assert "a file leads elsewhere by now than when you were asked, so it was refused" in result.output
    assert "'optionId': 'reject'" in result.output


async def test_what_git_would_bring_of_agents_settings_is_asked_and_named(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    settings = shop / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    for words in ("init -q -b main", "commit -q --allow-empty -m a", "branch plain", "checkout -q -b evil"):
        git(shop, *words.split())
    settings.write_text("{}")
    git(shop, "add", "-f", ".")
    git(shop, "commit", "-q", "-m", "b")
    git(shop, "checkout", "-q", "main")
    person = ScriptedPerson(lambda _: replied(Verb.REJECT))
    await run(runner(tmp_path, person), tiny("run git checkout plain\nrun git checkout evil", shop), Heard())
    (asked,) = person.asked
    assert asked.text == "git checkout evil"
    assert [one.name for one in asked.unknown_fields] == [".claude/settings.json"]


def git(folder: Path, *words: str) -> None:
    known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(("git", *known, *words), cwd=folder, check=True)


async def test_a_servers_tool_with_a_command_is_asked_about_by_its_name(tmp_path: Path) -> None:
    result, person = await told(tmp_path, "tool git status", lambda _: replied(Verb.REJECT))
    asked = person.asked[0]
    assert (asked.tool, asked.act, asked.text) == (
        "prod-server: run_on_all_hosts",
        Act.OTHER,
        '{"command":"git status"}',
    )
    assert "? prod-server: run_on_all_hosts: waiting for your answer" in result.output
    assert "'optionId': 'reject'" in result.output


@pytest.mark.parametrize(
    ("given", "text", "left_out"),
    [
        ('{"command": "git status"}', '{"command":"git status"}', 0),
        ("{}", "prod_run", 0),
        ("", "prod_run", 1),
    ],
)
async def test_an_agent_that_asks_before_it_says_with_what_is_given_a_moment(
    tmp_path: Path, given: str, text: str, left_out: int
) -> None:
    person = ScriptedPerson(lambda _: replied(Verb.REJECT))
    made = tiny(f"early {given}", tmp_path)
    result = await run(runner(tmp_path, person), replace(made, agent=replace(made.agent, argv=UNKNOWN)), Heard())
    asked = person.asked[0]
    assert (asked.act, asked.text, asked.left_out) == (Act.OTHER, text, left_out)
    assert "'optionId': 'reject'" in result.output


async def test_a_form_is_a_question(tmp_path: Path) -> None:
    result, person = await told(
        tmp_path, "form", lambda _: replied(Verb.APPROVE, answer=PermissionAnswer(answers={"size": ("large",)}))
    )
    question = person.asked[0].questions[0]
    assert (question.text, [one.label for one in question.choices]) == ("How big?\nSize", ["small", "large"])
    assert "told {'action': 'accept', 'content': {'size': 'large'}}" in result.output


async def test_a_form_that_nobody_fills_in_is_declined(tmp_path: Path) -> None:
    result, _ = await told(tmp_path, "form", lambda _: replied(Verb.REJECT))
    assert "told {'action': 'decline'}" in result.output


async def test_plan_tools_and_cost_are_told(tmp_path: Path) -> None:
    result, _ = await told(tmp_path, "plan")
    lines = ["☑ Look", "☐ Write", "▸ grep", "✓ grep", "✗ make", "▸ Write"]
    assert result.output.splitlines() == lines
    assert (result.cost_microusd, result.tokens) == (250_000, 12)


async def test_stopping_takes_the_question_back(tmp_path: Path) -> None:
    person = ScriptedPerson()
    work = asyncio.create_task(run(runner(tmp_path, person), tiny("run git push"), Heard()))
    await asyncio.wait_for(person.heard.wait(), 20)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(person.withdrawn) == 1


async def test_an_agent_that_leaves_in_the_middle_is_lost_and_says_why(tmp_path: Path) -> None:
    result, _ = await told(tmp_path, "leave 3")
    assert (result.ended, result.exit_code) == ("lost", None)
    assert result.detail == "The agent's program ended by itself (status 3): no network here"


async def test_the_mode_that_asks_is_taken_where_there_is_one(tmp_path: Path) -> None:
    work = tiny("say done", None, "yolo", "default", "plan")
    assert (await run(runner(tmp_path, ScriptedPerson()), work, Heard())).output == "mode default\ndone\n"


@pytest.mark.parametrize("noise", ['{"jsonrpc"', "[1]", '{"id": 3, "result": {"stopReason": "end_turn"', "x" * 70_000])
async def test_what_is_no_message_is_passed_over(tmp_path: Path, noise: str) -> None:
    result, _ = await told(tmp_path, f"raw {noise}\nsay done")
    assert (result.exit_code, result.output) == (0, "done\n")


async def test_its_plan_names_what_makes_it_ask_and_takes_no_prompt_in_its_argv(tmp_path: Path) -> None:
    program = tmp_path / "opencode"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = runner(tmp_path, ScriptedPerson())
    known = Agent(name="coder", kind="acp", argv=(str(program), "acp"), environment=("ZED",))
    plan = await made.plan(known, Work())
    assert isinstance(plan, Plan)
    assert (plan.prompt, plan.environment) == ("input", ("OPENCODE_PERMISSION", "ZED"))
    assert isinstance(await made.plan(Agent(name="x", kind="acp", argv=(str(program), "{prompt}")), Work()), CannotPlan)


@pytest.mark.parametrize("way", ["resume", "load"])
async def test_a_session_of_before_is_gone_on_with_where_the_agent_can(tmp_path: Path, way: str) -> None:
    made = runner(tmp_path, ScriptedPerson())
    first = await run(made, tiny("which", None, way), Heard())
    assert ("going on with nothing" in first.output, first.conversation) == (True, acp_agent.SESSION)
    going_on = replace(tiny("which", None, way), resumes=True, conversation=first.conversation)
    again = await run(made, going_on, Heard())
    assert f"going on with {first.conversation}" in again.output
    assert "what was said before" not in again.output, "what is repeated of it is no news"
    assert again.conversation == first.conversation


async def test_a_session_that_is_gone_is_begun_anew_and_one_that_nobody_keeps_is_not_remembered(tmp_path: Path) -> None:
    made = runner(tmp_path, ScriptedPerson())
    gone = replace(tiny("which", None, "load", "forget"), resumes=True, conversation="ses_0")
    result = await run(made, gone, Heard())
    assert (result.exit_code, "going on with nothing" in result.output) == (0, True)
    assert "It could not resume its previous session" in result.output
    unable = replace(tiny("which"), resumes=True, conversation="ses_0")
    result = await run(made, unable, Heard())
    assert ("going on with nothing" in result.output, result.conversation) == (True, "")
