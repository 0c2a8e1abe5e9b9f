"""The real Claude Code, at a terminal and without one, with Pulse beside it and a stub in the place of its model."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hub.cli import connecting
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.agents.hooks.wiring import HookWish
from hub.kit.forms import LEFT_OUT
from tests.cli.real_hub import running_hub
from tests.house.source import ROOT
from tests.io.agents.hooks.claude_terminal import ClaudeTerminal
from tests.io.agents.hooks.real_claude import S_MAX, AgentProgram, Desk, claude_program
from tests.io.agents.hooks.stub_model import ModelTool, stub_model
from tests.io.agents.questions.served import api

pytestmark = pytest.mark.slow
DELETES: ModelTool = ("Bash", {"command": "rm -rf build", "description": "Delete the build"})
SIGN_UP: ModelTool = ("mcp__plans__sign_up", {})
ASKS = "Do you want to proceed"
SUBTASK = "SUBTASK"
BESIDE_A_TASK: tuple[ModelTool, ...] = (
    ("Agent", {"description": "Tidy up", "prompt": SUBTASK, "subagent_type": "general-purpose"}),
    ("Bash", {"command": "sleep 1", "description": "Wait", "run_in_background": True}),
)
"""What its own turn does beside a subagent: it begins something in the background, and ends."""
NOTIFIED = "<task-notification>"
QUESTION = {
    "question": "Which library?",
    "header": "Library",
    "options": [{"label": "arrow", "description": "old"}, {"label": "pendulum", "description": "new"}],
    "multiSelect": False,
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    program = claude_program()
    with running_hub(tmp_path_factory.mktemp("claude")) as hub, stub_model() as model:
        made = Desk(hub, model, program)
        hub.sit_down()
        assert hub.pulse("connect", "claude-code", "--yes").returncode == 0
        yield made
        made.close()


@pytest.fixture
def desk(running: Desk) -> Desk:
    running.model.tools.clear()
    running.model.results.clear()
    running.model.told.clear()
    running.model.beside.clear()
    return running


def go(terminal: ClaudeTerminal) -> None:
    """Say something to it once it listens."""
    listens = terminal.until("for agents", "for shortcuts")
    terminal.keys("begin")
    terminal.until("begin", after=listens)
    terminal.keys("\r")


def test_without_a_terminal_the_command_runs_as_it_was_changed(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [("Bash", {"command": "git status --short", "description": "Look"}), DELETES]
    with desk.unattended() as claude:
        card = desk.told("new")
        assert (card["permission"]["text"], card["permission"]["effects"]) == ("rm -rf build", ["deletes"])
        assert desk.hub.change(card["id"], "echo kept > kept.txt") == 0
        assert claude.wait(S_MAX) == 0
    assert desk.build().exists()
    assert (desk.project / "kept.txt").read_text() == "kept\n"
    assert len(desk.model.results) == 2
    assert "What runs instead:\necho kept > kept.txt" in desk.model.told[-1]


def test_at_a_terminal_the_model_is_told_what_ran_instead(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [DELETES]
    with desk.terminal() as terminal:
        go(terminal)
        asked = terminal.until(ASKS)
        assert desk.hub.change(desk.told("new")["id"], "echo kept > kept.txt") == 0
        terminal.until("done.", after=asked)
    assert "You asked for:\nrm -rf build\nWhat runs instead:\necho kept > kept.txt" in desk.model.told[-1]


def test_a_no_reaches_the_model_in_the_persons_words(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [DELETES]
    with desk.unattended("--permission-mode", "acceptEdits") as claude:
        card = desk.told("new")
        assert desk.hub.pulse("reject", card["id"], "--reason", "I still need it").returncode == 0
        assert claude.wait(S_MAX) == 0
    assert desk.build().exists()
    assert "I still need it" in desk.model.results[0]


def test_what_a_skill_of_the_repository_runs_waits_for_a_yes_where_claude_asks_nobody(desk: Desk) -> None:
    skill = desk.project / ".claude" / "skills" / "tidy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: tidy\ndescription: Tidy up\nallowed-tools: Bash(rm:*)\n---\nState: !`rm -rf build`\nDo it.\n"
    )
    desk.build()
    desk.model.tools = [("Skill", {"skill": "tidy"})]
    desk.environment["IS_SANDBOX"] = "1"  # without it Claude takes no such mode from root
    with desk.unattended("--permission-mode", "bypassPermissions") as claude:
        card = desk.told("new")
        assert card["permission"]["text"] == "rm -rf build"
        assert "deletes" in card["permission"]["effects"]
        assert not card["permission"].get("options")
        assert desk.hub.pulse("reject", card["id"], "--reason", "I still need it").returncode == 0
        assert claude.wait(S_MAX) == 0
    shutil.rmtree(skill.parents[2])
    assert (desk.project / "build").exists()
    assert "I still need it" in desk.model.results[0]


@pytest.fixture
def free(desk: Desk) -> Iterator[Desk]:
    """Return a desk whose Claude asks nobody; what a test puts into the project is gone after it."""
    desk.environment["IS_SANDBOX"] = "1"  # without it Claude takes no such mode from root
    desk.build()
    yield desk
    for name in (".claude", "node_modules", "lib"):
        shutil.rmtree(desk.project / name, ignore_errors=True)
    (desk.project / ".gitignore").unlink(missing_ok=True)
    subprocess.run(["git", "rm", "-rqf", "--cached", "--ignore-unmatch", "node_modules"], cwd=desk.project, check=True)


FREELY = ("--permission-mode", "bypassPermissions")
NO = ("--reason", "I still need it")


def put(folder: Path, text: str, name: str) -> None:
    path = folder / ".claude" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def tidy(text: str) -> str:
    return f"---\nname: tidy\ndescription: Tidy up\n---\n{text}\n"


def files_on(card: dict[str, Any]) -> str:
    return " ".join(one["value"] for one in card["permission"].get("settings", ()))


def test_a_skill_that_was_written_since_claude_began_asks_for_claude_may_run_the_old_one(free: Desk) -> None:
    put(free.project, tidy("State: !`rm -rf build`"), "skills/tidy/SKILL.md")
    put(free.project, tidy("Say hello.").replace("tidy", "plain"), "skills/plain/SKILL.md")
    free.model.tools = [("Skill", {"skill": "plain"}), DELETES, ("Skill", {"skill": "tidy"})]
    with free.unattended(*FREELY) as claude:
        card = free.told("new")  # none for the plain one, which is as Claude read it
        assert card["permission"]["tool"] == "Bash", files_on(card)
        put(free.project, tidy("Say hello."), "skills/tidy/SKILL.md")
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        card = free.told("new")
        assert "changed since Claude started" in files_on(card)
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert (free.project / "build").exists()


def test_each_command_of_a_skill_is_judged_alone(free: Desk) -> None:
    put(free.project, tidy("!`echo x #'`\n\n!`echo '`\n\n!`rm -rf build #'`"), "skills/tidy/SKILL.md")
    free.model.tools = [("Skill", {"skill": "tidy"})]
    with free.unattended(*FREELY) as claude:
        card = free.told("new")
        assert "deletes" in card["permission"]["effects"]
        assert "rm -rf build #'" in json.loads(card["permission"]["text"])["commands"]
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        assert claude.wait(S_MAX) == 0


def test_what_a_package_brings_along_is_read_even_if_git_is_told_to_ignore_it(free: Desk) -> None:
    (free.project / ".gitignore").write_text("node_modules\n")
    put(free.project, tidy("Say hello."), "skills/tidy/SKILL.md")
    package = free.project / "node_modules" / "p"
    put(package, tidy("State: !`rm -rf build`").replace("tidy", "evil"), "skills/evil/SKILL.md")
    (package / "index.js").write_text("1\n")
    subprocess.run(["git", "add", "-f", "node_modules"], cwd=free.project, check=True)
    free.model.tools = [("Read", {"file_path": str(package / "index.js")}), ("Skill", {"skill": "evil"})]
    with free.unattended(*FREELY) as claude:
        card = free.told("new")
        assert card["permission"]["text"] == "rm -rf build"
        assert free.hub.pulse("approve", card["id"]).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert not (free.project / "build").exists()


def test_in_another_folder_the_helpers_of_its_project_are_looked_for_as_well(free: Desk) -> None:
    put(free.project, "---\nname: bad\ndescription: Help\nskills: tidy\n---\nHelp.\n", "agents/bad.md")
    put(free.project, tidy("State: !`rm -rf build`"), "skills/tidy/SKILL.md")
    lib = Path(free.hub.environment["HOME"]) / "lib"
    lib.mkdir(exist_ok=True)
    free.model.tools = [
        ("Bash", {"command": f"cd {lib}", "description": "Go there"}),
        ("Agent", {"description": "Help", "prompt": SUBTASK, "subagent_type": "b_ad"}),
    ]
    with free.unattended(*FREELY, "--add-dir", str(lib)) as claude:
        card = free.told("new")
        assert card["permission"]["folder"] == str(lib)
        assert [one["name"] for one in card["permission"]["unknownFields"]] == ["skills"]
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert (free.project / "build").exists()


def test_another_server_that_is_called_pulse_is_any_server(free: Desk) -> None:
    server = {"command": sys.executable, "args": [str(Path(__file__).with_name("eliciting_server.py"))]}
    servers = {"mcpServers": {"pulse": {**server, "env": {"TOOL": "notify_human"}}}}
    free.model.tools = [("mcp__pulse__notify_human", {"message": "Done"})]
    with free.unattended(*FREELY, "--mcp-config", json.dumps(servers)) as claude:
        card = free.told("new")
        assert card["permission"]["tool"] == "mcp__pulse__notify_human"
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        assert claude.wait(S_MAX) == 0


def test_a_skill_that_is_too_large_to_read_takes_a_yes_in_claudes_own_dialog_alone(free: Desk) -> None:
    put(free.project, tidy("State: !`rm -rf build`\n" + "x" * 70_000), "skills/tidy/SKILL.md")
    free.model.tools = [("Skill", {"skill": "tidy"})]
    with free.unattended(*FREELY) as claude:
        card = free.told("new")
        assert "too large to read: 70 KB" in files_on(card)
        assert card["permission"]["dialogOnly"]
        assert free.hub.pulse("approve", card["id"]).returncode != 0
        assert free.hub.pulse("reject", card["id"], *NO).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert (free.project / "build").exists()


def test_silence_is_a_no_where_nobody_sits(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [DELETES]
    assert desk.hub.pulse("connect", "claude-code", "--yes", "--wait", "10s").returncode == 0
    try:
        with desk.unattended("--permission-mode", "acceptEdits") as claude:
            desk.told("new")
            assert claude.wait(S_MAX) == 0
    finally:
        assert desk.hub.pulse("connect", "claude-code", "--yes").returncode == 0
    assert desk.build().exists()
    assert "Pulse: it would delete something." in desk.model.results[0]


def test_a_yes_from_elsewhere_closes_the_dialog(desk: Desk) -> None:
    build = desk.build()
    desk.model.tools = [DELETES]
    with desk.terminal() as terminal:
        go(terminal)
        asked = terminal.until(ASKS)
        assert desk.hub.pulse("approve", desk.told("new")["id"]).returncode == 0
        terminal.until("done.", after=asked)
    assert not build.exists()


def test_a_yes_in_the_dialog_takes_the_card_back(desk: Desk) -> None:
    build = desk.build()
    desk.model.tools = [DELETES]
    with desk.terminal() as terminal:
        go(terminal)
        asked = terminal.until(ASKS)
        card = desk.told("new")
        with terminal.pressing("1"):
            terminal.until("done.", after=asked)
        settled = desk.told("settled")
    assert (settled["id"], settled["status"]) == (card["id"], "cancelled")
    assert settled["outcome"] == "The agent says that it went on without your answer here."
    assert not build.exists()


def test_a_no_in_the_dialog_takes_the_card_back(desk: Desk) -> None:
    build = desk.build()
    desk.model.tools = [DELETES]
    with desk.terminal() as terminal:
        go(terminal)
        terminal.until(ASKS)
        card = desk.told("new")
        with terminal.pressing("\x1b"):
            settled = desk.told("settled")
    assert (settled["id"], settled["status"]) == (card["id"], "cancelled")
    assert build.exists()


@pytest.mark.parametrize(("verb", "key"), [("reject", "1"), ("confirm", "\x1b")])
def test_of_two_answers_at_once_the_card_says_what_claude_did(desk: Desk, verb: str, key: str) -> None:
    """Which of them Claude takes is its own matter; where both were taken for first, it is heard of afterwards."""
    build = desk.build()
    desk.model.tools = [DELETES]
    with desk.terminal() as terminal:
        go(terminal)
        asked = terminal.until(ASKS)
        path = f"/predictions/{desk.told('new')['id']}/{verb}"
        api(desk.hub, "POST", path)  # counts here by now, and is on its way to Claude
        with terminal.pressing(key):
            terminal.until("done.", "Interrupted", after=asked)
        settled = desk.told("settled")
        while not is_said(settled, ran=not build.exists()):
            settled = desk.told("settled")


def is_said(card: dict[str, Any], *, ran: bool) -> bool:
    """Say whether a card says what the agent did; what was broken off may have run."""
    if card["status"] != "cancelled":
        return (card["status"] == "confirmed") is ran
    return "interrupted" in card["outcome"] or ("went on" in card["outcome"]) is ran


def test_an_agent_that_is_killed_leaves_no_card(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [DELETES]
    with desk.unattended() as claude:
        card = desk.told("new")
        claude.kill()
        assert desk.told("settled")["id"] == card["id"]


def test_a_subagents_card_stays_open_while_others_end(desk: Desk) -> None:
    build = desk.build()
    desk.model.tools = list(BESIDE_A_TASK)
    desk.model.beside = {SUBTASK: [DELETES]}
    with desk.terminal("--permission-mode", "default") as terminal:
        go(terminal)
        card = desk.told("new")
        assert card["permission"]["subagentType"] == "general-purpose"
        assert card["permission"]["subagent"]
        desk.model.until_told(NOTIFIED, S_MAX)  # its own turn has ended, and then a task in the background
        assert desk.hub.pulse("approve", card["id"]).returncode == 0
        desk.model.until_told("<result>done.", S_MAX)  # the subagent's end
        assert desk.told("settled")["status"] == "confirmed"
    assert not build.exists()


def test_a_yes_after_which_it_is_killed_does_not_stay_a_yes(desk: Desk) -> None:
    begun = desk.project / "begun"
    os.mkfifo(begun)
    desk.model.tools = [("Bash", {"command": "echo begun > begun; sleep 60; rm -rf build", "description": "Delete"})]
    with desk.unattended() as claude:
        card = desk.told("new")
        assert desk.hub.pulse("approve", card["id"]).returncode == 0
        assert begun.read_text() == "begun\n"
        assert desk.told("settled")["status"] == "confirmed"
        claude.kill()
        settled = desk.told("settled")
    assert (settled["id"], settled["status"]) == (card["id"], "cancelled")
    told, _, process = settled["outcome"].partition("What it had begun still runs: process ")
    assert told == "You said yes, then the agent ended. The outcome is unknown. "
    os.kill(int(process.rstrip(".")), signal.SIGKILL)


def test_what_the_agent_starts_cannot_answer_for_its_person(desk: Desk) -> None:
    home, python = desk.hub.environment["PULSE_HOME"], sys.executable
    approve = f"cd {ROOT} && {python} -m hub approve latest --home {home}"
    desk.model.tools = [("Bash", {"command": approve, "description": "Answer my own question"})]
    with desk.unattended() as claude:
        assert desk.hub.pulse("approve", desk.told("new")["id"]).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert "from-a-run" in desk.model.results[0]


def test_a_question_is_answered_from_elsewhere(desk: Desk) -> None:
    desk.model.tools = [("AskUserQuestion", {"questions": [QUESTION]})]
    with desk.terminal() as terminal:
        go(terminal)
        card = desk.told("new")
        (question,) = card["permission"]["questions"]
        said = {"answers": {question["id"]: ["neither, write our own"]}}
        api(desk.hub, "POST", f"/predictions/{card['id']}/confirm", {"permission": said})
        terminal.until("done.")
    assert "neither, write our own" in desk.model.results[0]


def with_plans(*called: str) -> tuple[str, ...]:
    """Return what Claude is started with beside a server of tools that asks for a form."""
    server = {"command": sys.executable, "args": [str(Path(__file__).with_name("eliciting_server.py")), *called]}
    return ("--mcp-config", json.dumps({"mcpServers": {"plans": server}}), "--allowedTools", "mcp__plans")


def test_a_form_of_a_server_of_tools_is_filled_in_elsewhere(desk: Desk) -> None:
    desk.model.tools = [SIGN_UP]
    with desk.unattended(*with_plans()) as claude:
        used = desk.told("new")  # a tool that nobody knows is asked about, whatever the agent was allowed
        assert desk.hub.pulse("approve", used["id"]).returncode == 0
        card = desk.told("new")
        assert (card["permission"]["tool"], card["permission"]["act"]) == ("plans", "question")
        said = {"answers": {"plan": ["paid"], "seats": ["3"], "news": [LEFT_OUT]}}
        api(desk.hub, "POST", f"/predictions/{card['id']}/confirm", {"permission": said})
        assert claude.wait(S_MAX) == 0
    assert json.loads(json.loads(desk.model.results[0])[0]["text"]) == {
        "action": "accept",
        "content": {"plan": "paid", "seats": 3},
    }


def test_who_sits_before_it_soon_fills_a_form_in_there(desk: Desk) -> None:
    desk.build()
    desk.model.tools = [DELETES]
    called = desk.project / "called"
    os.mkfifo(called)
    with desk.terminal(*with_plans(str(called))) as terminal:
        go(terminal)
        asked = terminal.until(ASKS)
        card = desk.told("new")
        with terminal.pressing("1"):  # Claude waits while this is told; of what was typed it tells beside its turn
            done = terminal.until("done.", after=asked)
        while desk.told("settled")["id"] != card["id"]:
            pass  # those of tests before
        desk.model.tools = [SIGN_UP]
        terminal.keys("again")
        terminal.until("again", after=done)
        terminal.keys("\r")
        terminal.until(ASKS, after=done)
        desk.told("new")
        with terminal.pressing("1"):  # not on into the form: it does not open while somebody types
            assert called.read_text() == "called\n"
        assert desk.told("new")["permission"]["act"] == "question"
        terminal.until("requests your input")  # nobody has answered the card


def test_without_hooks_its_prompts_come_by_a_tool(desk: Desk) -> None:
    build = desk.build()
    server = {"command": sys.executable, "args": ["-m", "hub", "hook", "claude-code", "--tool"]}
    told = {"PULSE_HOME": desk.hub.environment["PULSE_HOME"], "PYTHONPATH": str(ROOT)}
    servers = json.dumps({"mcpServers": {"pulse": {**server, "env": told}}})
    desk.model.tools = [DELETES]
    elsewhere = {**desk.environment, "HOME": str(desk.project / "elsewhere")}
    tool = ("--permission-mode", "default", "--permission-prompt-tool", "mcp__pulse__approve", "--mcp-config", servers)
    words = [str(desk.program), *tool, "-p", "go"]
    with AgentProgram(words, cwd=desk.project, env=elsewhere, stdin=subprocess.DEVNULL) as claude:
        card = desk.told("new")
        assert (card["permission"]["agent"], card["permission"]["text"]) == ("claude-code", "rm -rf build")
        assert desk.hub.change(card["id"], "rmdir build") != 0, "by this way nobody could tell the model of it"
        assert desk.hub.pulse("approve", card["id"]).returncode == 0
        assert claude.wait(S_MAX) == 0
    assert not build.exists()


def test_while_pulse_is_away_it_is_as_if_there_were_no_hook(desk: Desk) -> None:
    build = desk.build()
    elsewhere = {**desk.environment, "HOME": str(build)}
    away = connected_to_nobody(build, closed=False)
    desk.model.tools = [("Bash", {"command": "git status --short", "description": "Look"})]
    words = [str(desk.program), "--settings", str(away), "-p", "go"]
    subprocess.run(words, cwd=desk.project, env=elsewhere, stdin=subprocess.DEVNULL, check=True, timeout=S_MAX)
    assert "build" in desk.model.results[0]


def test_connected_closed_nothing_runs_while_pulse_is_away(desk: Desk) -> None:
    build = desk.build()
    elsewhere = {**desk.environment, "HOME": str(build)}
    away = connected_to_nobody(build, closed=True)
    desk.model.tools = [("Bash", {"command": "git status --short", "description": "Look"})]
    words = [str(desk.program), "--settings", str(away), "-p", "go"]
    subprocess.run(words, cwd=desk.project, env=elsewhere, stdin=subprocess.DEVNULL, check=True, timeout=S_MAX)
    assert "Pulse could not be asked" in desk.model.results[0]


def connected_to_nobody(folder: Path, *, closed: bool) -> Path:
    """Write settings that ask a Pulse which was never started."""
    which = CONNECTIONS["claude-code"]
    connecting.keep_program(folder / "away", which)
    program = str(connecting.program_of(folder / "away", which))
    settings = folder / "settings.json"
    entries = which.entries(HookWish(program=program, fail="closed" if closed else "open"))
    settings.write_text(json.dumps({"hooks": {event: [entry] for event, entry in entries.items()}}))
    return settings
