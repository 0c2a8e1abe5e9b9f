"""A command of git that would bring settings of agents asks first; one that brings none of them does not."""

import json
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.agents.hooks.asking import about_to, first_word
from hub.io.agents.hooks.checkouts import ADDS, CHANGES, MAY_CHANGE, TAKES, BroughtFiles
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.step import At, HookStep, Word

pytestmark = pytest.mark.slow
SETTINGS = ".claude/settings.json"
OFF = '{"disableAllHooks": true}\n'
WHOSE = "7-1"
PATCH = f"""diff --git a/{SETTINGS} b/{SETTINGS}
new file mode 100644
--- /dev/null
+++ b/{SETTINGS}
@@ -0,0 +1 @@
+{OFF}"""


class Repository:
    """A repository with a branch `evil` that brings settings, and one, `plain`, that brings a text."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.room = folder / "shop", folder / "room"
        self.folder.mkdir()
        self.brought = BroughtFiles()
        self.git("init", "-q", "-b", "main")
        self.commit("a.txt", "a\n")
        self.branch("evil", SETTINGS, OFF)
        self.branch("plain", "b.txt", "b\n")

    def git(self, *words: str) -> str:
        """Run git."""
        known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always")
        ran = subprocess.run(("git", *known, *words), cwd=self.folder, check=True, capture_output=True, text=True)
        return ran.stdout

    def commit(self, name: str, text: str) -> None:
        """Commit a file."""
        self.write(name, text)
        self.git("add", "-f", name)
        self.git("commit", "-q", "-m", name)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def branch(self, branch: str, name: str, text: str, *, of: str = "main") -> None:
        """Make a branch with one commit more, and go back."""
        self.git("checkout", "-q", "-b", branch, of)
        self.commit(name, text)
        self.git("checkout", "-q", "main")

    def upstream(self) -> Path:
        """Return a remote that has this repository's branches, and that its main branch follows."""
        there = self.folder.with_name("there.git")
        self.git("clone", "-q", "--bare", ".", str(there))
        self.git("remote", "add", "origin", str(there))
        self.git("fetch", "-q", "origin")
        self.git("branch", "-q", "--set-upstream-to=origin/main")
        return there

    async def step(self, command: str, event: str = "PreToolUse") -> HookStep:
        """Return a step that is about to run a command, with what that brings."""
        said = {"session_id": "s", "hook_event_name": event, "cwd": str(self.folder), "tool_name": "Bash"}
        step = CLAUDE_CODE.read(json.dumps({**said, "tool_input": {"command": command}}).encode())
        assert isinstance(step, HookStep)
        return await self.brought.with_files(WHOSE, CLAUDE_CODE, step, self.room)

    async def asked(self, command: str) -> dict[str, str]:
        """Return the files of which a command asks, each with what it does to them; none where it does not ask."""
        step = await self.step(command)
        says = first_word(CLAUDE_CODE, step, stopped=lambda: False).says
        assert says == ("ask" if step.brought else "none"), command
        asked = about_to(CLAUDE_CODE, step)
        assert asked is not None
        shown = {one.name: json.loads(one.value) for one in asked.unknown_fields}
        assert shown == {one.path: one.deed for one in step.brought}
        return shown

    async def ran(self, command: str) -> str:
        """Return what is said once a command has run."""
        step = await self.step(command)
        return await self.brought.did(WHOSE, CLAUDE_CODE, step, self.room)


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "git checkout evil",
        "git switch evil",
        "git merge evil",
        "git rebase evil",
        "git cherry-pick evil",
        "git cherry-pick main..evil",
        "git checkout -b new evil",
        "git checkout --detach evil~0",
        "git worktree add .worktrees/x evil",
        "cd . && git checkout evil",
        "git branch x evil && git checkout x",
        "git checkout plain && git merge evil",
        "mkdir d && git -C d checkout evil",
        "sh -c 'git checkout evil'",
    ],
)
async def test_what_brings_settings_asks_and_names_them(shop: Repository, command: str) -> None:
    assert await shop.asked(command) == {SETTINGS: ADDS}


@pytest.mark.parametrize(
    "command",
    [
        "git checkout plain",
        "git switch -",
        "git merge plain",
        "git rebase plain",
        "git cherry-pick plain",
        "git stash",
        "git stash -u",
        "git stash && npm test; git stash pop",
        "git checkout -b new",
        "git branch new && git checkout new",
        "git checkout plain && git merge main",
        "git worktree add .worktrees/x plain",
        "git commit -am x",
        "git status",
        "git pull",
        "git fetch && git rebase origin/main",
        "git submodule update --init",
    ],
)
async def test_what_touches_none_is_silent(shop: Repository, command: str) -> None:
    shop.upstream()
    shop.git("checkout", "-q", "plain")
    shop.git("checkout", "-q", "main")
    shop.write("a.txt", "other\n")
    assert await shop.asked(command) == {}


async def test_to_change_settings_or_take_them_away_asks_as_well(shop: Repository) -> None:
    shop.git("checkout", "-q", "evil")
    shop.branch("changed", SETTINGS, "{}\n", of="evil")
    shop.git("checkout", "-q", "evil")
    assert await shop.asked("git checkout main") == {SETTINGS: TAKES}
    assert await shop.asked("git checkout changed") == {SETTINGS: CHANGES}
    assert await shop.asked("git revert HEAD") == {SETTINGS: TAKES}
    assert await shop.asked("git merge main") == {}


async def test_a_branch_that_only_a_remote_has_is_looked_into(shop: Repository) -> None:
    shop.upstream()
    shop.git("branch", "-q", "-D", "evil")
    assert await shop.asked("git checkout evil") == {SETTINGS: ADDS}
    assert await shop.asked("git pull origin evil") == {SETTINGS: ADDS}


async def test_the_whole_way_by_a_patch_ends_at_a_question(shop: Repository) -> None:
    shop.write("x.patch", PATCH)
    step = await shop.step("git apply --cached x.patch")
    assert first_word(CLAUDE_CODE, step, stopped=lambda: False).says == "ask"
    shop.git("apply", "--cached", "x.patch")
    assert await shop.asked("git checkout-index -a") == {SETTINGS: ADDS}
    shop.git("commit", "-q", "-m", "x")
    assert await shop.asked("git stash push") == {SETTINGS: ADDS}


async def test_what_is_stashed_and_what_comes_of_a_stash(shop: Repository) -> None:
    shop.write(SETTINGS, OFF)
    assert await shop.asked("git stash -u") == {SETTINGS: TAKES}
    assert await shop.asked("git stash") == {}
    shop.git("stash", "-q", "-u")
    shop.write("a.txt", "other\n")
    shop.git("stash", "-q")
    assert await shop.asked("git stash pop") == {}
    assert await shop.asked("git stash pop 1") == {SETTINGS: ADDS}
    assert await shop.asked("git stash apply stash@{1}") == {SETTINGS: ADDS}


async def test_each_link_on_the_way_to_settings_counts(shop: Repository) -> None:
    (shop.folder / ".claude").mkdir(exist_ok=True)
    (shop.folder / "real").mkdir()
    (shop.folder / "real" / "base.json").write_text("{}")
    (shop.folder / "real" / "settings.json").symlink_to("base.json")
    (shop.folder / "tools").symlink_to("real")
    (shop.folder / ".claude" / "settings.json").unlink(missing_ok=True)
    (shop.folder / ".claude" / "settings.json").symlink_to("../tools/settings.json")
    shop.git("add", "-A")
    shop.git("commit", "-q", "-m", "links")
    for path in ("real/settings.json", "tools"):
        shop.git("checkout", "-q", "-b", f"evil-{path.replace('/', '-')}")
        (shop.folder / path).unlink()
        (shop.folder / path).symlink_to("other")
        shop.git("commit", "-q", "-a", "-m", "evil")
        shop.git("checkout", "-q", "-")
        assert path in await shop.asked(f"git checkout evil-{path.replace('/', '-')}"), path


async def test_a_link_among_the_settings_leads_to_more_of_them(shop: Repository) -> None:
    shop.write("agents/settings.json", "{}\n")
    (shop.folder / ".claude").symlink_to("agents")
    shop.git("add", "-f", ".")
    shop.git("commit", "-q", "-m", "links")
    shop.branch("linked", "agents/settings.json", OFF)
    assert await shop.asked("git checkout linked") == {"agents/settings.json": CHANGES}


@pytest.mark.parametrize(
    "command",
    [
        "git checkout $X",
        "git checkout $(git rev-parse evil)",
        "cd $X && git pull",
        "git checkout nothing-of-this-name",
        "git branch x $(git rev-parse evil) && git checkout x",
        "git branch -m plain x && git checkout x",
        "git checkout main...plain",
        "git stash pop; git stash pop",
    ],
)
async def test_what_nobody_can_look_up_asks(shop: Repository, command: str) -> None:
    assert await shop.asked(command)


async def test_what_was_put_away_before_comes_back_where_there_is_nothing_to_put_away(shop: Repository) -> None:
    shop.write(SETTINGS, OFF)
    shop.git("stash", "-q", "-u")
    assert await shop.asked("git stash && npm test; git stash pop") == {SETTINGS: ADDS}


async def test_before_the_first_commit_all_is_brought(shop: Repository) -> None:
    shop.commit("c.txt", "c\n")
    shop.git("checkout", "-q", "evil")
    shop.commit("d.txt", "d\n")
    shop.git("checkout", "-q", "--orphan", "none")
    shop.git("rm", "-rqf", ".")
    assert await shop.asked("git checkout evil") == {SETTINGS: ADDS}
    assert await shop.asked("git checkout plain") == {}


async def test_what_is_fetched_asks_where_git_tracks_settings(shop: Repository) -> None:
    shop.upstream()
    shop.git("checkout", "-q", "evil")
    for command in ("git pull", "git fetch && git checkout plain", "git bisect bad", "gh pr checkout 12"):
        assert (await shop.asked(command))[SETTINGS] in {MAY_CHANGE, TAKES}, command


async def test_elsewhere_it_is_looked_at_as_soon_as_it_has_run(shop: Repository) -> None:
    there = shop.upstream()
    assert await shop.asked("git pull") == {}
    assert await shop.ran("git pull") == ""
    shop.git("-C", str(there), "update-ref", "refs/heads/main", "refs/heads/evil")
    pull = await shop.step("git pull")
    shop.git("pull", "-q")
    said = await shop.brought.did(WHOSE, CLAUDE_CODE, pull, shop.room)
    assert SETTINGS in said
    told = CLAUDE_CODE.write(replace(pull, at=At.AFTER), Word(says="deny", reason=said))
    assert json.loads(told.text) == {"continue": False, "stopReason": said}
    # the next tool asks, whichever it is, until a person let one go on
    look = await shop.step("ls")
    assert [one.path for one in look.brought] == [SETTINGS]
    assert await shop.brought.did(WHOSE, CLAUDE_CODE, look, shop.room) == ""
    assert (await shop.step("ls")).brought == ()


async def test_a_yes_counts_for_what_was_shown(shop: Repository) -> None:
    shown = (await shop.step("git checkout evil")).brought
    assert (await shop.step("git checkout evil")).brought == shown
    shop.git("checkout", "-q", "evil")
    shop.commit(SETTINGS, "{}\n")
    shop.git("checkout", "-q", "main")
    later = (await shop.step("git checkout evil")).brought
    assert later != shown
    assert [(one.path, one.deed) for one in later] == [(SETTINGS, ADDS)]


async def test_looking_runs_nothing_of_the_repositorys_and_writes_nothing(shop: Repository) -> None:
    shop.upstream()
    ran = shop.folder.with_name("ran")
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "core.sshCommand",
    ):
        shop.git("config", key, f"touch {ran};")
    shop.write(".git/info/attributes", "* filter=x diff=x\n")
    shop.write("a.txt", "other\n")
    before = {path: path.stat().st_mtime_ns for path in (shop.folder / ".git").rglob("*")}
    for command in ("git checkout plain", "git stash -u", "git pull", "git rebase evil", "git stash pop"):
        await shop.step(command)
    assert not ran.exists()
    assert {path: path.stat().st_mtime_ns for path in (shop.folder / ".git").rglob("*")} == before


async def test_where_there_is_no_repository_nothing_is_brought(shop: Repository, tmp_path: Path) -> None:
    shop.folder = tmp_path / "none"
    shop.folder.mkdir()
    assert await shop.asked("git checkout evil") == {}
