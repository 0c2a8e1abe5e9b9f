import json
import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from hub.domain.readings import GitReading
from hub.domain.situation import Repository
from hub.io.sensors.ci import CiSource
from hub.io.sensors.command import Output
from hub.io.sensors.git import GitSensor
from hub.io.sensors.git_program import Git
from hub.sense.run_traces import in_base_36
from tests.fakes.plain_words import plain
from tests.io.sensors.git_repo import Repo

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def read(sensor: GitSensor, now: datetime = NOW) -> Repository:
    body = (await sensor.read(now)).body
    assert isinstance(body, GitReading), body
    (found,) = body.repositories
    return found


def sensor_of(repo: Repo, record: Path | None = None, *, watched: bool = True, ci: CiSource | None = None) -> GitSensor:
    sources = {repo.path: ci} if ci else {}
    return GitSensor([repo.path], zone=UTC, record=record, ci=sources, is_watched=lambda: watched)


async def test_a_clean_repository(repo: Repo) -> None:
    found = await read(sensor_of(repo))
    assert plain((found.path, found.name, found.branch)) == (str(repo.path), "work", "main")
    assert found.head == repo.git("rev-parse", "HEAD")
    assert found.head_at == NOW - timedelta(days=3)
    assert (found.uncommitted, found.uncommitted_since, found.unpushed, found.commits_today) == ((), None, None, 0)
    assert (found.truncated, found.ci) == (False, "unknown")


async def test_uncommitted_work_and_since_when(repo: Repo) -> None:
    repo.write("README.md", "changed", at=NOW - 2 * HOUR)
    repo.write("new/ü file.py", at=NOW - 5 * HOUR)
    found = await read(sensor_of(repo))
    assert plain(found.uncommitted) == ("README.md", "new/ü file.py")
    assert found.uncommitted_since == NOW - 5 * HOUR


async def test_a_deleted_file_is_uncommitted_without_a_time(repo: Repo) -> None:
    (repo.path / "README.md").unlink()
    found = await read(sensor_of(repo))
    assert plain((found.uncommitted, found.uncommitted_since)) == (("README.md",), None)


@pytest.mark.slow
async def test_unpushed_commits_are_counted_against_the_upstream(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "-q", "--bare", str(tmp_path / "far.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "far.git"))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.commit("a.py")
    repo.commit("b.py")
    assert (await read(sensor_of(repo))).unpushed == 2


@pytest.mark.slow
async def test_stale_branches_are_unmerged_and_old(repo: Repo) -> None:
    repo.git("branch", "merged")
    repo.git("checkout", "-q", "-b", "feature/old")
    repo.commit("old.py", at=NOW - timedelta(days=45))
    repo.git("checkout", "-q", "-b", "young", "main")
    repo.commit("young.py", at=NOW - timedelta(days=2))
    repo.git("checkout", "-q", "main")
    (stale,) = (await read(sensor_of(repo))).stale_branches
    assert plain((stale.name, stale.last_commit_at)) == ("feature/old", NOW - timedelta(days=45))


@pytest.mark.slow
async def test_the_current_branch_is_never_stale(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "long")
    repo.commit("x.py", at=NOW - timedelta(days=45))
    assert (await read(sensor_of(repo))).stale_branches == ()


@pytest.mark.slow
async def test_todos_added_on_the_branch_uncommitted_and_in_new_files(repo: Repo) -> None:
    repo.commit("m.py", "# TODO: old\n")
    repo.git("checkout", "-q", "-b", "work")
    repo.commit("m.py", "# TODO: old\nx = 1  # FIXME: committed\n")
    repo.write("m.py", "# TODO: old\nx = 1  # FIXME: committed\n# TODO: uncommitted\n")
    repo.write("n.py", "\n# TODO: new file\n")
    found = {(each.path, each.line, each.text) for each in (await read(sensor_of(repo))).todos_added}
    assert plain(found) == {
        ("m.py", 2, "# FIXME: committed"),
        ("m.py", 3, "# TODO: uncommitted"),
        ("n.py", 2, "# TODO: new file"),
    }


@pytest.mark.slow
async def test_commits_of_today_are_those_since_the_persons_midnight(repo: Repo) -> None:
    for hours in (20, 14, 13, 1):
        repo.commit(f"{hours}.py", at=NOW - hours * HOUR)
    # Noon in UTC is 21 h in Tokyo, so today began 21 hours ago there, and 12 hours ago in UTC.
    assert (await read(GitSensor([repo.path], zone=ZoneInfo("Asia/Tokyo")))).commits_today == 4
    assert (await read(sensor_of(repo))).commits_today == 1


def record_run(
    path: Path, repo: Repo, at: datetime, head: str | None, *, passed: bool = True, within: str = ""
) -> None:
    line = json.dumps({"repo": str(repo.path), "at": at.isoformat(), "head": head, "passed": passed, "within": within})
    with path.open("a") as file:
        file.write(line + "\n")


@pytest.mark.slow
async def test_modules_changed_since_the_recorded_run(repo: Repo, tmp_path: Path) -> None:
    tested = repo.commit("a/one.py", at=NOW - 5 * HOUR)
    repo.write("b/before.py", at=NOW - 4 * HOUR)
    record = tmp_path / "runs.jsonl"
    record_run(record, repo, NOW - 3 * HOUR, tested, passed=False)
    repo.commit("c/two.py", at=NOW - 2 * HOUR)
    repo.write("c/three.py", at=NOW - HOUR)
    repo.write("a/one.py", "changed", at=NOW - HOUR)
    repo.write("docs/readme.md", at=NOW - HOUR)
    found = await read(sensor_of(repo, record))
    assert plain([(each.path, each.files) for each in found.changed_modules]) == [("c", 2), ("a", 1)]
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW - 3 * HOUR, False)


@pytest.mark.slow
async def test_a_recorded_commit_that_is_gone_falls_back_to_times(repo: Repo, tmp_path: Path) -> None:
    record = tmp_path / "runs.jsonl"
    record_run(record, repo, NOW - 3 * HOUR, "f" * 40)
    repo.commit("old/x.py", at=NOW - 6 * HOUR)
    repo.commit("new/x.py", at=NOW - HOUR)
    assert [plain(each.path) for each in (await read(sensor_of(repo, record))).changed_modules] == ["new"]


@pytest.mark.slow
async def test_traces_of_other_test_programs_count(repo: Repo) -> None:
    repo.write(".gitignore", ".pytest_cache\n", at=NOW - 9 * HOUR)
    repo.write(".pytest_cache/v/cache/nodeids", at=NOW - 3 * HOUR)
    repo.commit("a/x.py", at=NOW - HOUR)
    repo.write("b/y.py", at=NOW - 4 * HOUR)
    found = await read(sensor_of(repo))
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW - 3 * HOUR, True)
    assert [plain(each.path) for each in found.changed_modules] == ["a"]


@pytest.mark.slow
@pytest.mark.parametrize("path", [".nyc_output/out.json", "coverage.xml", "target/debug/.fingerprint/x/test-lib"])
async def test_what_git_keeps_is_no_trace_of_a_run(repo: Repo, path: str) -> None:
    repo.commit("a/x.py", at=NOW - 2 * HOUR)
    repo.commit(path, at=NOW - HOUR)
    assert (await read(sensor_of(repo))).last_test_run_at is None


@pytest.mark.slow
async def test_a_failed_run_by_hand_is_seen_as_soon_as_its_trace_is_there(repo: Repo, tmp_path: Path) -> None:
    repo.write(".gitignore", ".pytest_cache\n")
    repo.commit("tests/test_a.py", at=NOW - 2 * HOUR)
    record = tmp_path / "runs.jsonl"
    run = {"repo": str(repo.path), "at": (NOW - HOUR).isoformat(), "head": None, "passed": True}
    record.write_text(json.dumps(run) + "\n")
    sensor = sensor_of(repo, record)
    before = await read(sensor)
    assert (before.last_test_run_passed, before.was_test_run_ours) == (True, True)
    cache = ".pytest_cache/v/cache"
    repo.write(f"{cache}/nodeids", "[]", at=NOW)
    repo.write(f"{cache}/lastfailed", '{"tests/test_a.py::test_x": true, "tests/test_gone.py::test_y": true}', at=NOW)
    found = await read(sensor)
    assert (found.last_test_run_at, found.last_test_run_passed, found.was_test_run_ours) == (NOW, False, False)
    assert [plain(name) for name in found.failed_tests] == ["tests/test_a.py::test_x"]


@pytest.mark.slow
async def test_the_trace_of_a_run_of_pulses_own_is_no_other_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit("tests/a.test.js", at=NOW - 2 * HOUR)
    record = tmp_path / "runs.jsonl"
    at, ended = ((NOW - HOUR + timedelta(minutes=one)).isoformat() for one in (0, 5))
    record.write_text(
        json.dumps({"repo": str(repo.path), "at": at, "ended": ended, "head": None, "passed": False}) + "\n"
    )
    report = '<testsuite tests="1" failures="1"><testcase name="a"><failure/></testcase></testsuite>'
    repo.write("junit.xml", report, at=NOW - HOUR + timedelta(minutes=5))
    assert (await read(sensor_of(repo, record))).was_test_run_ours
    repo.write("junit.xml", report, at=NOW)
    found = await read(sensor_of(repo, record))
    assert (found.last_test_run_at, found.was_test_run_ours) == (NOW, False)


async def test_without_a_known_run_only_what_is_not_committed_has_changed(repo: Repo) -> None:
    repo.commit("old/x.py", at=NOW - timedelta(days=9))
    repo.commit("mine/x.py", at=NOW - HOUR)
    sensor = sensor_of(repo)
    assert (await read(sensor)).changed_modules == (), "a clone that was just made is nobody's work"
    repo.write("mine/x.py", "y\n", at=NOW)
    sensor.invalidate(repo.path)
    found = await read(sensor)
    assert (found.last_test_run_at, [plain(each.path) for each in found.changed_modules]) == (None, ["mine"])


async def test_a_report_that_came_with_the_clone_is_no_run(repo: Repo) -> None:
    report = '<testsuite tests="1" failures="1"><testcase name="a"><failure/></testcase></testsuite>'
    repo.write("junit.xml", report, at=NOW - HOUR)
    repo.write("coverage.xml", "<coverage/>", at=NOW - HOUR)
    repo.commit("a.py", at=NOW)
    found = await read(sensor_of(repo))
    assert (found.last_test_run_at, found.last_test_run_passed, found.changed_modules) == (None, None, ())


async def test_a_run_that_the_shell_told_of_is_a_run(repo: Repo, tmp_path: Path) -> None:
    record, commands = tmp_path / "test-runs.jsonl", tmp_path / "commands.jsonl"
    repo.commit("a.js", at=NOW - 5 * HOUR)
    repo.write("a.js", "y\n", at=NOW - 2 * HOUR)
    line = {"folder": str(repo.path), "seconds": 2}
    told = [
        {**line, "at": (NOW - HOUR).isoformat(), "command": "npx tape 'test/*.js'", "status": 1},
        {**line, "at": NOW.isoformat(), "command": "npm install", "status": 0},
        {**line, "at": NOW.isoformat(), "command": "npx tape", "status": 130},
        {**line, "at": NOW.isoformat(), "command": "npx tape", "status": 0, "folder": "/elsewhere"},
    ]
    commands.write_text("".join(json.dumps(each) + "\n" for each in told))
    found = await read(sensor_of(repo, record))
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW - HOUR - timedelta(seconds=2), False)
    assert (found.changed_modules, found.was_test_run_ours) == ((), False)
    report = '<testsuite tests="1" failures="0"><testcase name="a"/></testsuite>'
    repo.write("junit.xml", report, at=NOW - HOUR)
    again = await read(sensor_of(repo, record))
    assert (again.last_test_run_at, again.last_test_run_passed) == (NOW - HOUR, True), "its own report says more"


async def test_what_cargo_and_jest_leave_are_runs(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repo.write(".gitignore", "target\n", at=NOW - 9 * HOUR)
    repo.commit("src/lib.rs", at=NOW - 9 * HOUR)
    repo.write("src/lib.rs", "y\n", at=NOW - 8 * HOUR)
    repo.write("target/debug/.fingerprint/shop-1/test-lib-shop", at=NOW - 7 * HOUR)
    found = await read(sensor_of(repo))
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW - 7 * HOUR, None)
    assert found.changed_modules == ()
    folder = tmp_path / f"jest_{in_base_36(os.geteuid())}"
    folder.mkdir()
    cache = folder / "perf-cache-1"
    cache.write_text(json.dumps({f"{repo.path}/a.test.js": [0, 12], "/elsewhere/b.test.js": [1, 3]}))
    os.utime(cache, (NOW.timestamp(), NOW.timestamp()))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = await read(sensor_of(repo))
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW, False)


@pytest.mark.slow
async def test_a_branch_whose_upstream_was_deleted_is_read_like_one_without(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "-q", "--bare", str(tmp_path / "far.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "far.git"))
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("mine/x.py", "one\n", at=NOW - 2 * HOUR)
    repo.git("push", "-q", "-u", "origin", "topic")
    repo.git("push", "-q", "origin", ":topic")
    repo.git("fetch", "-q", "--prune", "origin")
    repo.commit("more/y.py", "two\n", at=NOW - HOUR)
    repo.write("mine/x.py", "three\n", at=NOW - HOUR)
    found = await read(sensor_of(repo))
    assert (found.upstream, found.unpushed, found.behind, found.truncated) == (None, None, None, False)
    assert sorted(plain(each.path) for each in found.changed_modules) == ["mine"], (
        "what is committed is no news where no run is known"
    )
    assert plain(found.to_commit) == ("mine/x.py",)


@pytest.mark.slow
async def test_a_merge_that_stopped_and_commits_on_both_sides(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.py", "one\n")
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "origin.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    repo.git("fetch", "-q", "origin")
    repo.git("branch", "--set-upstream-to=origin/main")
    repo.commit("a.py", "theirs\n")
    repo.git("push", "-q", "origin", "main")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    sensor = sensor_of(repo)
    found = await read(sensor)
    assert (plain(found.upstream), found.unpushed, found.behind) == ("origin/main", 0, 1)
    repo.commit("a.py", "mine\n")
    found = await read(sensor)
    assert (found.unpushed, found.behind, found.conflicts, found.operation) == (1, 1, (), "")
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "-q", "origin/main")
    found = await read(sensor)
    assert ([plain(path) for path in found.conflicts], found.operation) == (["a.py"], "merge")


def stopped(repo: Repo, *arguments: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        repo.git(*arguments)


def diverged(repo: Repo) -> None:
    """Have `main` and `side` change one file, and `side` a second one in a commit of its own."""
    repo.commit("a.py", "base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("a.py", "theirs\n")
    repo.commit("b.py", "theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("a.py", "ours\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "operation"),
    [
        (("merge", "side"), "merge"),
        (("rebase", "side"), "rebase"),
        (("rebase", "--apply", "side"), "rebase"),
        (("cherry-pick", "main..side"), "cherry-pick"),
        (("revert", "HEAD~1", "--no-edit"), "revert"),
        (("am", "-3", "theirs.patch"), "am"),
    ],
)
async def test_what_stopped_with_a_conflict_has_its_own_name(
    repo: Repo, arguments: tuple[str, ...], operation: str
) -> None:
    diverged(repo)
    (repo.path / ".git/info/exclude").write_text("theirs.patch\n")
    repo.write("theirs.patch", repo.git("format-patch", "--stdout", "main..side") + "\n")
    stopped(repo, *arguments)
    found = await read(sensor_of(repo))
    assert ([plain(path) for path in found.conflicts], found.operation) == (["a.py"], operation)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cherry-pick", "revert"])
async def test_between_two_steps_of_a_series_it_is_still_under_way(repo: Repo, kind: str) -> None:
    diverged(repo)
    commits = ("main..side",) if kind == "cherry-pick" else ("--no-edit", "HEAD~1", "HEAD")
    sensor = sensor_of(repo)
    stopped(repo, kind, *commits)
    repo.write("a.py", "resolved\n")
    repo.git("commit", "-qam", "resolved")
    assert not list((repo.path / ".git").glob("*_HEAD")), "git itself says that it is under way"
    found = await read(sensor)
    assert (found.operation, found.conflicts) == (kind, ())
    repo.git(kind, "--quit")
    assert (await read(sensor)).operation == ""


@pytest.mark.slow
async def test_a_bisect_is_under_way_until_its_reset(repo: Repo, tmp_path: Path) -> None:
    for number in range(4):
        repo.commit("a.py", "x" * number + "\n")
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(linked))
    sensor = sensor_of(repo)
    assert (await read(sensor)).operation == ""
    repo.git("bisect", "start", "HEAD", "HEAD~3")
    assert (await read(sensor)).operation == "bisect"
    assert (await read(GitSensor([linked], zone=UTC))).operation == ""
    repo.git("bisect", "reset")
    assert (await read(sensor)).operation == ""


async def test_what_the_uncommitted_change_is(repo: Repo) -> None:
    repo.commit("shop/cart.py", "def total():\n    return 0\n")
    repo.write("shop/cart.py", "def total():\n    return 1\n\n\ndef empty():\n    pass\n")
    found = await read(sensor_of(repo))
    assert (found.added, found.removed, plain(found.message)) == (5, 1, "Add empty to cart.py")


@pytest.mark.slow
async def test_a_merge_that_ends_amid_a_look_is_no_conflict_without_a_merge(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("a.py", "theirs\n")
    repo.git("checkout", "-q", "main")
    repo.commit("a.py", "ours\n")
    with pytest.raises(subprocess.CalledProcessError):
        repo.git("merge", "side")
    ask = Git.ask

    async def then_commits(self: Git, *arguments: str, cwd: Path | None = None, bytes_max: int | None = None) -> Output:
        said = await ask(self, *arguments, cwd=cwd, bytes_max=bytes_max)
        if arguments[0] == "status" and (repo.path / ".git/MERGE_HEAD").exists():
            repo.commit("a.py", "both\n")
        return said

    monkeypatch.setattr(Git, "ask", then_commits)
    found = await read(sensor_of(repo))
    assert (found.conflicts, found.operation, found.uncommitted) == ((), "", ())
    assert found.head == repo.git("rev-parse", "HEAD")


@pytest.mark.slow
async def test_a_lock_file_that_lacks_a_dependency(repo: Repo) -> None:
    repo.commit("package.json", '{"name": "a", "dependencies": {"left": "^1"}}')
    repo.commit("package-lock.json", '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"left": "^1"}}}}')
    assert (await read(sensor_of(repo))).stale_locks == ()
    repo.write("package.json", '{"name": "a", "dependencies": {"left": "^1", "right": "^2"}}')
    (stale,) = (await read(sensor_of(repo))).stale_locks
    assert (stale.manifest, stale.lock) == ("package.json", "package-lock.json")


@pytest.mark.slow
async def test_playbooks_are_found(repo: Repo) -> None:
    repo.write("package.json", '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}')
    assert "run-tests" not in (await read(sensor_of(repo))).playbooks
    for name, text in (("Makefile", "VAR := x\ntest: all\n\tpytest\n"), ("tests/test_it.py", "")):
        written = repo.write(name, text)
        assert (await read(sensor_of(repo))).playbooks[0] == "run-tests"
        written.unlink()


PYTEST_BELOW = {"api/pyproject.toml": "[tool.pytest.ini_options]\n", "api/tests/test_a.py": "", "api/src/pkg/a.py": ""}
NPM_BELOW = {"web/package.json": '{"scripts": {"test": "node --test"}}', "web/src/a.js": ""}
LOOSE_BELOW = {"jobs/tests/test_a.py": "", "jobs/deep/a.py": "", "jobs/deep/test_deep.py": ""}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "tests_in"),
    [
        (("api/src/pkg/a.py",), "api"),
        (("api/tests/test_a.py",), "api"),
        (("web/src/a.js", "top.py"), "web"),
        (("jobs/deep/a.py",), "jobs"),
        (("svc/cmd/main.go",), "svc"),
        (("web/src/a.js", "web/src/b.js", "api/src/pkg/a.py"), "web"),
        (("top.py", "docs/conf.py"), ""),
        (("api/README.md",), ""),
    ],
)
async def test_tests_below_the_top_are_those_of_what_was_changed(
    repo: Repo, changed: tuple[str, ...], tests_in: str
) -> None:
    for name, text in {**PYTEST_BELOW, **NPM_BELOW, **LOOSE_BELOW, "svc/Makefile": "test:\n\ttrue\n"}.items():
        repo.write(name, text)
    repo.commit("top.py", at=NOW - timedelta(days=3))
    for name in changed:
        repo.write(name, "changed\n", at=NOW)
    found = await read(sensor_of(repo))
    assert (plain(found.tests_in), "run-tests" in found.playbooks) == (tests_in, bool(tests_in))
    repo.write("Makefile", "test:\n\ttrue\n")
    found = await read(sensor_of(repo))
    assert (plain(found.tests_in), "run-tests" in found.playbooks) == ("", True)


@pytest.mark.slow
async def test_a_run_of_one_project_says_nothing_of_another(repo: Repo, tmp_path: Path) -> None:
    for name, text in {**PYTEST_BELOW, **NPM_BELOW}.items():
        repo.write(name, text, at=NOW - timedelta(days=3))
    head = repo.commit("top.txt", at=NOW - timedelta(days=3))
    for name in ("api/src/pkg/a.py", "web/src/a.js"):
        repo.write(name, "changed\n", at=NOW - 3 * HOUR)
    record = tmp_path / "runs.jsonl"
    record_run(record, repo, NOW - 2 * HOUR, head, within="web")
    found = await read(sensor_of(repo, record))
    assert ([plain(each.path) for each in found.changed_modules], plain(found.tests_in)) == (["api/src/pkg"], "api")
    assert (found.last_test_run_at, found.last_test_run_passed) == (NOW - 2 * HOUR, True)
    record_run(record, repo, NOW - HOUR, head, passed=False, within="api")
    found = await read(sensor_of(repo, record))
    assert (found.changed_modules, found.last_test_run_passed) == ((), False)
    repo.write("web/src/a.js", "again\n", at=NOW)
    found = await read(sensor_of(repo, record))
    assert ([plain(each.path) for each in found.changed_modules], plain(found.tests_in)) == (["web/src"], "web")


@pytest.mark.slow
async def test_the_result_of_ci(repo: Repo) -> None:
    repo.write("ci.json", '{"status": "failed", "detail": "lint"}')
    sensor = sensor_of(repo, ci=CiSource(file=Path("ci.json")))
    found = await read(sensor)
    assert plain((found.ci, found.ci_detail)) == ("failed", "lint")
    repo.write("ci.json", "passed")
    assert (await read(sensor)).ci == "passed"
    assert (await read(sensor_of(repo, ci=CiSource(command=("echo", "running"))))).ci == "running"
    assert (await read(sensor_of(repo, ci=CiSource(command=("false",))))).ci == "unknown"
    missing = await read(sensor_of(repo, ci=CiSource(command=("no-such-program-here",))))
    assert (missing.ci, "could not be started" in plain(missing.ci_detail)) == ("unknown", True)


async def test_an_empty_repository_and_a_detached_head(make_repo: Callable[[str], Repo]) -> None:
    empty = make_repo("empty")
    found = await read(sensor_of(empty))
    assert plain((found.branch, found.head, found.head_at, found.truncated)) == ("main", None, None, False)
    empty.commit("x.py")
    empty.git("checkout", "-q", "--detach")
    assert (await read(sensor_of(empty))).branch is None


async def test_a_linked_work_tree_and_a_folder_within(repo: Repo, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "side", str(linked))
    (linked / "sub").mkdir()
    found = await read(GitSensor([linked / "sub"], zone=UTC))
    assert plain((found.path, found.branch)) == (str(linked), "side")
