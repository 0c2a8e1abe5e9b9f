import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState
from hub.domain.execution import RunResult
from hub.domain.first_version import MAKE_REPOSITORY, UNMAKE_REPOSITORY
from hub.domain.plan import CannotPlan, Plan, difference
from hub.domain.policy import Agent
from hub.domain.suggestion import CHECK_COMMAND, TAKE_COMMIT_BACK, Need, Work
from hub.io.agents.playbook import PLAYBOOKS
from hub.io.agents.playbook.how_to_test import plan_tests
from hub.io.agents.playbook.run_tests import RECORD_BYTES_MAX, RECORD_LINES_KEPT, record
from hub.io.agents.playbook.runner import PlaybookRunner
from hub.sense.playbooks import available
from hub.sense.run_record import RecordedRun
from hub.verify import check
from hub.verify.outcome import in_numbers
from hub.verify.runners import output_of, read
from tests.io.agents.agent_work import PYTHON, Heard, commit, git, job, repository, run, write

AGENT = Agent(name="playbook", kind="playbook", contain="none")

CHANGING = {
    "commit-work",
    "take-commit-back",
    "push-work",
    "catch-up",
    "update-lock",
    "approve-deployment",
    "reject-deployment",
    MAKE_REPOSITORY,
    UNMAKE_REPOSITORY,
}
RISKS = {
    "push-work": "medium",
    "install-packages": "medium",
    "reject-deployment": "medium",
    "approve-deployment": "high",
    "check-command": "high",
}
NEEDS_MORE = {
    "check-command",
    "show-pull-request",
    "check-code",
    "install-packages",
    "show-certificate",
    "look-at-machine",
    "look-at-folder",
}
NOW = datetime(2025, 7, 29, 14, 30, 0, 600_000, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def runner(home: Path) -> AsyncIterator[PlaybookRunner]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull}
    runner = PlaybookRunner(home, environ, lambda: NOW)
    yield runner
    await runner.close()


async def play(
    runner: PlaybookRunner, name: str, workspace: Path | None, args: tuple[str, ...] = (), prompt: str = "Do it"
) -> RunResult:
    return await run(runner, job(playbook=name, workspace=workspace, args=args, prompt=prompt), Heard())


def records(home: Path) -> list[dict[str, object]]:
    path = home / "test-runs.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


AGENT = Agent(name="playbook", kind="playbook", contain="none")
UNITTEST = """import unittest


class Sums(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(1 + 1, {})
"""


@pytest.mark.parametrize("name", PLAYBOOKS)
def test_each_playbook_says_what_it_is(name: str) -> None:
    playbook = PLAYBOOKS[name]
    assert playbook.name == name
    assert playbook.description.endswith(".")
    assert playbook.needs
    assert playbook.risk == RISKS.get(name, "low")


@pytest.mark.parametrize("name", sorted(set(PLAYBOOKS) - CHANGING - NEEDS_MORE))
async def test_no_playbook_leaves_a_trace_in_the_workspace(runner: PlaybookRunner, tmp_path: Path, name: str) -> None:
    folder = repository(tmp_path / "work", {"Makefile": "test:\n\t@true\n", "a.py": "import b.c\n", "b/c.py": ""})
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if ".git/" not in str(path)}
    result = await play(runner, name, folder)
    assert result.exit_code == 0, result.detail
    assert result.cost_microusd == 0, "no model was asked"
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*") if ".git/" not in str(path)}
    assert git(folder, "status", "--porcelain") == ""


async def test_prompt_only_is_declined_kindly(runner: PlaybookRunner) -> None:
    result = await run(runner, job(prompt="Write a poem"), Heard())
    assert (result.ended, result.cost_microusd) == ("failed-to-start", 0)
    assert "command or an openclaw agent" in result.detail


async def test_unknown_playbook_names_the_known(runner: PlaybookRunner, tmp_path: Path) -> None:
    assert "run-tests" in (await play(runner, "make-coffee", tmp_path)).detail


async def test_workspace_is_needed_and_must_be_there(runner: PlaybookRunner, tmp_path: Path) -> None:
    assert "names none" in (await play(runner, "run-tests", None)).detail
    assert "does not exist" in (await play(runner, "run-tests", tmp_path / "no")).detail


async def test_passing_tests_are_recorded(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work", {"Makefile": 'test:\n\t@echo 3 passed; test -n "$$CI"\n'})
    result = await play(runner, "run-tests", folder)
    assert (result.ended, result.exit_code) == ("exited", 0)
    assert "3 passed" in result.output
    head = git(folder, "rev-parse", "HEAD").strip()
    (kept,) = records(home)
    began, ended = kept.pop("at"), str(kept.pop("ended"))
    assert kept == {"repo": str(folder.resolve()), "head": head, "passed": True, "within": ""}
    assert began == "2025-07-29T12:30:00.600000Z" < ended
    need = Need(text="tests pass", expected_text=r"/\d+ passed/")
    assert check(need, result, by_agent=False).state is RunState.VERIFIED


async def test_failing_tests_are_recorded_too(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work", {"Makefile": "test:\n\t@echo 1 failed; exit 1\n"})
    result = await play(runner, "run-tests", folder)
    assert result.exit_code == 2
    assert [entry["passed"] for entry in records(home)] == [False]


async def test_tests_in_a_folder_below_run_there(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work", {"apps/api/Makefile": "test:\n\t@pwd; echo 3 passed\n"})
    asked = Work(playbook="run-tests", workspace=str(folder), args=("apps/api",))
    plan = await runner.plan(AGENT, asked)
    assert isinstance(plan, Plan)
    assert plan.folder == str(folder.resolve() / "apps/api")
    work = job(playbook="run-tests", workspace=folder, args=("apps/api",))
    result = await run(runner, replace(work, plan=plan), Heard())
    assert (result.exit_code, f"{plan.folder}\n" in result.output) == (0, True)
    (kept,) = records(home)
    assert (kept["repo"], kept["within"], kept["passed"]) == (str(folder.resolve()), "apps/api", True)


@pytest.mark.parametrize("named", ["gone", "..", "../work-of-others", "/etc", "link"])
async def test_a_folder_below_that_is_none_is_not_tested(runner: PlaybookRunner, tmp_path: Path, named: str) -> None:
    repository(tmp_path / "work-of-others", {"Makefile": "test:\n\ttrue\n"})
    folder = repository(tmp_path / "work", {"Makefile": "test:\n\ttrue\n"})
    (folder / "link").symlink_to(tmp_path / "work-of-others")
    plan = await runner.plan(AGENT, Work(playbook="run-tests", workspace=str(folder), args=(named,)))
    assert isinstance(plan, CannotPlan)
    assert plan.why == f"There is no folder {named} in this workspace any more."


@pytest.mark.slow
async def test_unfinished_tests_are_not_recorded(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work", {"Makefile": "test:\n\t@sleep 99\n"})
    work = job(playbook="run-tests", workspace=folder, duration_s_max=0.3)
    assert (await run(runner, work, Heard())).ended == "timeout"
    assert records(home) == []


@pytest.mark.slow
async def test_pytest_of_the_projects_own_environment(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work", {"tests/test_one.py": "def test_one():\n    assert True\n"})
    site = folder / ".venv/lib/python3.11/site-packages"
    write(folder, {".venv/lib/python3.11/site-packages/pytest/__init__.py": "", ".gitignore": ".venv\n"})
    (folder / ".venv/bin").mkdir()
    (folder / ".venv/bin/python").write_text(f'#!/bin/sh\nexec {PYTHON} -B "$@"\n')
    (folder / ".venv/bin/python").chmod(0o755)
    plan = plan_tests(folder, "/nowhere")
    assert isinstance(plan, Plan)
    assert plan.argv == (
        str(folder / ".venv/bin/python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"
    )  # fmt: skip
    result = await play(runner, "run-tests", folder)
    assert result.exit_code == 0, result.output
    assert "1 passed" in result.output
    assert records(home)[0]["passed"] is True
    assert site.exists()


def test_record_is_cut_when_long(tmp_path: Path) -> None:
    path = tmp_path / "test-runs.jsonl"
    path.write_text(("x" * 999 + "\n") * (RECORD_BYTES_MAX // 900))
    at = datetime(2025, 7, 29, 12, 30, tzinfo=UTC)
    record(path, RecordedRun(repo="/r", at=at, ended=at, head=None, passed=True))
    lines = path.read_text().splitlines()
    assert len(lines) == RECORD_LINES_KEPT + 1
    assert json.loads(lines[-1])["passed"] is True


async def test_the_days_commits(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    folder = repository(tmp_path / "work")
    commit(folder, "Yesterday", "2025-07-28T23:59:00+02:00")
    git(folder, "switch", "--quiet", "--create", "side")
    commit(folder, "Just after midnight", "2025-07-29T00:01:00+02:00")
    commit(folder, "Odd \x1b[31m \u202e subject", "2025-07-29T09:00:00+02:00")
    git(folder, "switch", "--quiet", "main")
    first = await play(runner, "summarise-commits", folder)
    note = home / "notes" / "2025-07-29-work.md"
    assert first.changed_files == (str(note),)
    text = note.read_text()
    assert first.output == text
    assert "Just after midnight" in text
    assert "Yesterday" not in text
    assert "Odd  ⟨U+202E⟩ subject" in text
    assert "## Ada" in text
    assert "2 commits by 1 person." in text
    assert await play(runner, "summarise-commits", folder) == first
    assert [path.name for path in note.parent.iterdir()] == [note.name]
    assert check(Need(text="note", changed_files=("notes/*.md",)), first, by_agent=False).state is RunState.VERIFIED


async def test_same_name_elsewhere_keeps_its_own_note(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    for parent in ("one", "two", "one"):
        await play(runner, "summarise-commits", repository(tmp_path / parent / "work"))
    assert len(list((home / "notes").iterdir())) == 2


@pytest.mark.parametrize("name", ["summarise-commits", "stale-branches", "list-todos", "dependency-graph"])
async def test_folders_without_git(runner: PlaybookRunner, tmp_path: Path, name: str) -> None:
    result = await play(runner, name, tmp_path)
    assert result.ended == "failed-to-start"
    assert "git" in result.detail


async def test_stale_branches(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work")
    git(folder, "switch", "--quiet", "--create", "old")
    commit(folder, "Old work", "2025-05-01T12:00:00+00:00")
    git(folder, "branch", "fresh", "main")
    text = (await play(runner, "stale-branches", folder)).output
    assert "`old`: last commit 2025-05-01, 89 days ago; merged" in text
    git(folder, "switch", "--quiet", "main")
    text = (await play(runner, "stale-branches", folder)).output
    assert "89 days ago; not merged" in text
    assert "`fresh`" not in text


async def test_todo_comments(runner: PlaybookRunner, tmp_path: Path) -> None:
    marks = {"a.py": "x = 1\n# TODO: tidy\n", "new.py": "# FIXME later\n", "b.bin": "\0TODO", "c.py": "TODOS = 1\n"}
    folder = repository(tmp_path / "work")
    write(folder, marks)
    text = (await play(runner, "list-todos", folder)).output
    assert "`a.py:2` # TODO: tidy" in text
    assert "`new.py:1` # FIXME later" in text
    assert "b.bin" not in text
    assert "TODOS" not in text
    write(folder, {".gitattributes": "new.py filter=git-crypt\n"})
    hidden = (await play(runner, "list-todos", folder)).output
    assert "tidy" in hidden
    assert "later" not in hidden, "it may be a secret that git holds encrypted"
    empty = await play(runner, "list-todos", repository(tmp_path / "clean"))
    assert "None." in empty.output


async def test_dependency_graph(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(
        tmp_path / "work",
        {
            "app/__init__.py": "",
            "app/main.py": "import os\nfrom app.store import files\nfrom . import web\nfrom ..nowhere import x\n",
            "app/store/files.py": "from app import web",
            "app/web.py": "",
            "broken.py": "def (",
            "package.json": '{"name": "front\\"end", "dependencies": {"react": "1"}, "devDependencies": {"jest": "2"}}',
            "core/Cargo.toml": '[package]\nname = "core"\n[dependencies]\nserde = {version = "1"}\nlog = "0.4"\n',
            "bad/Cargo.toml": "[[[",
        },
    )
    result = await play(runner, "dependency-graph", folder)
    assert result.changed_files[0].endswith("2025-07-29-work-dependencies.mmd")
    names = dict(line.strip().rstrip('"]').split('["') for line in result.output.splitlines() if '["' in line)
    edges = {
        tuple(names[end] for end in line.split(" --> "))
        for line in map(str.strip, result.output.splitlines())
        if " --> " in line
    }
    assert edges == {
        ("app.main", "app.store"),
        ("app.main", "app.web"),
        ("app.store", "app.web"),
        ("front_end", "react"),
        ("front_end", "jest"),
        ("core", "serde"),
        ("core", "log"),
    }
    assert (await play(runner, "dependency-graph", folder)).output == result.output


async def test_meeting_notes(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "work")
    commit(folder, "Ship the pilot", "2025-07-28T12:00:00+00:00")
    write(folder, {"draft.txt": "x"})
    result = await play(
        runner,
        "prepare-meeting",
        folder,
        ("Weekly: all/hands", "2025-07-29T15:00:00+02:00", "Fix the login", "Call Bo"),
    )
    assert Path(result.changed_files[0]).name == "2025-07-29-work-meeting-Weekly-all-hands.md"
    for words in (
        "# Before: Weekly: all/hands",
        "Starts 2025-07-29 15:00.",
        "- Fix the login",
        "- Call Bo",
        "Ship the pilot",
        "draft.txt",
    ):
        assert words in result.output
    alone = await play(runner, "prepare-meeting", None, prompt="Talk with Bo")
    assert "# Before: Talk with Bo" in alone.output


async def test_disk_that_takes_no_note(runner: PlaybookRunner, tmp_path: Path, home: Path) -> None:
    write(home, {"notes": "a file where the folder should be"})
    result = await play(runner, "summarise-commits", repository(tmp_path / "work"))
    assert (result.ended, result.exit_code) == ("exited", 1)
    assert "Free some space" in result.detail


def test_the_sensor_offers_what_there_is() -> None:
    everything = available(("tests", "pyproject.toml", ".git", "conftest.py"), can_test=True)
    elsewhere = {
        CHECK_COMMAND,
        TAKE_COMMIT_BACK,
        "look-at-machine",
        "look-at-folder",
        MAKE_REPOSITORY,
        UNMAKE_REPOSITORY,
    }
    assert set(everything) == set(PLAYBOOKS) - elsewhere, "what no repository suggests"


def test_a_project_may_say_how_to_test_it(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": '[tool.pulse]\ntest = ["./run", "tests"]\n', "run": "#!/bin/sh\n"})
    plan = plan_tests(tmp_path, "/nowhere")
    assert isinstance(plan, Plan)
    assert plan.argv == (str(tmp_path / "run"), "tests")


@pytest.mark.parametrize("said", ['"pytest"', "[]", "[1]", '["no-such-program"]'])
def test_what_it_says_wrongly_runs_nothing(tmp_path: Path, said: str) -> None:
    write(tmp_path, {"pyproject.toml": f"[tool.pulse]\ntest = {said}\n"})
    assert isinstance(plan_tests(tmp_path, "/nowhere"), CannotPlan)


def test_without_a_runner_it_is_said_how_to_mend_that(tmp_path: Path) -> None:
    folder = repository(tmp_path / "work", {"go.mod": "module x\n"})
    plan = plan_tests(folder, "/nowhere")
    assert isinstance(plan, CannotPlan)
    assert "go, which was not found. Install it" in plan.why


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "exit_code", "said"),
    [
        ({"tests/test_sum.py": UNITTEST.format("2")}, 0, "1 passed in under a second"),
        ({"tests/test_sum.py": UNITTEST.format("3")}, 1, "1 failed in under a second"),
        ({"Makefile": "test:\n\t@echo all is fine\n"}, 0, ""),
    ],
)
async def test_real_projects_are_tested_as_they_do(
    runner: PlaybookRunner, tmp_path: Path, files: dict[str, str], exit_code: int, said: str
) -> None:
    folder = repository(tmp_path / "work", files)
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/python").write_text(f'#!/bin/sh\nexec {PYTHON} -B "$@"\n')
    (folder / ".venv/bin/python").chmod(0o755)
    result = await play(runner, "run-tests", folder)
    assert bool(result.exit_code) == bool(exit_code), result.output
    found = read(output_of(result.output))
    assert (in_numbers(found, found.duration_s).text if found else "") == said


async def test_what_is_installed_is_what_was_asked_for_when_it_was_shown(tmp_path: Path) -> None:
    lists = {
        "requirements.txt": "-r more/base.txt\n",
        "more/base.txt": f"-c../pins.txt\n-r {'x' * 300}\nx\n",
        "pins.txt": "x<2\n",
    }
    folder = repository(
        tmp_path / "shop", {**lists, "package.json": "{}", "packages/ui/package.json": "{}", "setup.py": ""}
    )
    tools = tmp_path / "tools"
    write(tools, {"npm": "#!/bin/sh\n"})
    write(folder, {".venv/bin/python": "#!/bin/sh\n", ".venv/pyvenv.cfg": ""})
    for each in (tools / "npm", folder / ".venv" / "bin" / "python"):
        each.chmod(0o700)
    runner = PlaybookRunner(tmp_path / "home", {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(tmp_path)}, lambda: NOW)
    changed = {"requirements.txt": "more/base.txt pins.txt setup.py", "package.json": "packages/ui/package.json"}
    for manifest, names in changed.items():
        work = Work(playbook="install-packages", workspace=str(folder), args=(manifest,))
        for name in names.split():
            before = await runner.plan(AGENT, work)
            assert isinstance(before, Plan), before
            write(folder, {name: f"{(folder / name).read_text()}y\n"})
            assert difference(before, await runner.plan(AGENT, work)) == name
    await runner.close()


async def test_what_the_tests_need_is_installed_step_by_step(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"conftest.py": "", "requirements.txt": "x\n"})
    tools = tmp_path / "tools" / "bin"
    write(tools, {"python3": f"#!/bin/sh\nmkdir -p .venv/bin\ncp {tmp_path}/fake .venv/bin/python\n"})
    write(tmp_path, {"fake": '#!/bin/sh\necho "$@" > installed\n'})
    write(tmp_path / "tools", {"lib/python3.12/ensurepip/__init__.py": ""})
    for each in (tools / "python3", tmp_path / "fake"):
        each.chmod(0o700)
    environ = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(tmp_path)}
    runner = PlaybookRunner(tmp_path / "home", environ, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    work = Work(playbook="install-packages", workspace=str(folder), args=("set-up",))
    plan = await runner.plan(AGENT, work)
    assert isinstance(plan, Plan)
    assert plan.then is not None
    assert plan.argv[1:] == ("-m", "venv", ".venv")
    assert plan.then.argv[1:] == ("-m", "pip", "install", "-r", "requirements.txt", "pytest")
    assert "requirements.txt" in [file.path for file in plan.defined_by]
    assert plan.doubt, "what packages run as they are installed is seen by nobody, so it never runs alone"
    made = replace(job(playbook="install-packages", workspace=folder, args=work.args, agent=AGENT), plan=plan)
    result = await runner.run(made, Heard())
    assert result.exit_code == 0, result
    assert (folder / "installed").read_text() == "-m pip install -r requirements.txt pytest\n"
    write(folder, {"requirements.txt": "y\n"})
    (folder / ".venv" / "bin" / "python").unlink()
    assert difference(plan, await runner.plan(AGENT, work)).startswith("what runs after it")
    await runner.close()
