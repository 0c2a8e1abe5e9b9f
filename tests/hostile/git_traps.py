"""A repository full of traps: every way known by which one can make git start a program, each leaving its own mark."""

import asyncio
import os
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from hub.io.agents.changes import changed_since, look_before
from hub.io.agents.git import GitFolder
from hub.io.agents.playbook import PLAYBOOKS, git_steps
from hub.io.agents.playbook.runner import PlaybookRunner
from hub.io.sensors.git import GitSensor
from tests.io.agents.agent_work import Heard, job, run

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
PROGRAM_KEYS = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy"),
    *("core.alternateRefsCommand", "sequence.editor", "credential.helper", "credential.https://x.helper"),
    *("gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand"),
    *("diff.external", "diff.evil.command", "diff.evil.textconv", "difftool.evil.cmd", "interactive.diffFilter"),
    *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "filter.a=b.Clean", "filter.evil2.clean"),
    *("merge.evil.driver", "mergetool.evil.cmd", "trailer.evil.command", "trailer.evil.cmd"),
    *("pager.status", "pager.log", "pager.diff", "pager.grep", "pager.branch", "pager.config", "pager.ls-files"),
    *("alias.status", "alias.log", "alias.rev-parse", "alias.grep", "browser.evil.cmd", "man.evil.cmd"),
    *("remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs", "uploadpack.packObjectsHook"),
    *("sendemail.smtpServer", "imap.tunnel", "instaweb.httpd", "web.browser", "guitool.evil.cmd"),
    *("submodule.sub.update", "hook.evil.command", "maintenance.strategy", "core.hooksPath"),
)
SETTINGS = {
    "log.showSignature": "true",
    "submodule.recurse": "true",
    "diff.tool": "evil",
    "fetch.recurseSubmodules": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "extensions.worktreeConfig": "true",
    "remote.origin.promisor": "true",
    "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    "gc.auto": "1",
    "core.untrackedCache": "true",
    "core.splitIndex": "false",
    "index.version": "4",
}
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n*.py filter=a=b\n*.md filter=evil2\n"
HOOKS = (
    *("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc"),
    *("post-rewrite", "pre-commit", "post-commit", "post-merge", "query-watchman"),
)
SIGNED = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n"


class Trapped:
    """One repository, with traps for these keys; `sprung` tells which were run."""

    def __init__(self, folder: Path, keys: Iterable[str] = PROGRAM_KEYS) -> None:
        self.path = folder / "repository"
        self.home = folder / "home"
        self._marks = folder / "marks"
        self._traps = folder / "traps"
        self._touched = 0
        self._marks.mkdir(parents=True)
        self._traps.mkdir()
        self._make()
        self._set_traps(tuple(keys))

    def sprung(self) -> set[str]:
        """Return the traps that were run since the last call."""
        found = {path.name for path in self._marks.iterdir()}
        for name in found:
            (self._marks / name).unlink()
        return found

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run git as a person would, on whom traps close."""
        env = {**os.environ, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
        env |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_TERMINAL_PROMPT": "0"}
        argv = ("git", *arguments)
        nothing = subprocess.DEVNULL
        return subprocess.run(
            argv, cwd=self.path, env=env, check=False, stdin=nothing, capture_output=True, text=True, timeout=30
        )

    def touch(self) -> None:
        """Change files without changing their sizes, so that git must look inside and would filter them."""
        for name in ("README.md", "code.py", "data.bin"):
            file = self.path / name
            file.write_text(f"{file.read_text()[:-2]}{self._touched % 10}\n")
        self._touched += 1

    def _trap(self, name: str) -> Path:
        """Make a program that leaves its mark and otherwise does nothing to what passes through it."""
        program = self._traps / name.replace("/", "_")
        goes_on = "exec cat" if name.endswith(("clean", "Clean", "smudge")) else "exit 0"
        program.write_text(f'#!/bin/sh\ntouch "{self._marks / program.name}"\n{goes_on}\n')
        program.chmod(0o755)
        return program

    def _make(self) -> None:
        self.path.mkdir()
        self.git("init", "-q", "-b", "main")
        for name in ("README.md", "code.py", "data.bin", "lost.txt"):
            (self.path / name).write_text(f"{name} # TODO look\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")
        (self.path / "lost.txt").write_text("second\n")
        self.git("commit", "-q", "-a", "-m", "second")
        self.git("branch", "old", "HEAD~1")
        tree, parent = (self.git("rev-parse", ref).stdout.strip() for ref in ("HEAD^{tree}", "HEAD"))
        who = "a <a@example.com> 1781000000 +0000"
        signed = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n{SIGNED}"
        (self.path / ".git/signed").write_text(signed)
        head = self.git("hash-object", "-t", "commit", "-w", ".git/signed").stdout.strip()
        self.git("update-ref", "refs/heads/main", head)
        blob = self.git("rev-parse", "HEAD~1:lost.txt").stdout.strip()
        (self.path / ".git/objects" / blob[:2] / blob[2:]).unlink()

    def _set_traps(self, keys: tuple[str, ...]) -> None:
        git = self.path / ".git"
        values = {key: str(self._trap(key)) for key in keys}
        hooks = self.path / "own-hooks"
        hooks.mkdir()
        if "core.hooksPath" in values:
            values["core.hooksPath"] = str(hooks)
        for folder in (hooks, git / "hooks"):
            folder.mkdir(exist_ok=True)
            for name in HOOKS:
                (folder / name).unlink(missing_ok=True)
                (folder / name).symlink_to(self._trap(f"hook-{name}"))
        (git / "info").mkdir(exist_ok=True)
        (git / "info/attributes").write_text(ATTRIBUTES)
        (self.path / ".gitattributes").write_text(ATTRIBUTES)
        required = {"filter.evil.required": "true"} if any(key.startswith("filter.evil.") for key in keys) else {}
        settings = {**SETTINGS, **required, "remote.origin.url": f"ext::{self._trap('remote.origin.url')}"}
        for key, value in settings.items():
            self.git("config", key, value)
        included = git / "more"
        for number, (key, value) in enumerate(values.items()):  # half of them by a file that is included
            where = ("--file", str(included)) if number % 2 else ("--file", str(git / "config"))
            self.git("config", *where, key, value)
        with (git / "config").open("a") as file:
            file.write(f'[include]\n\tpath = more\n[includeIf "gitdir:{self.path}/"]\n\tpath = more\n')
        self.touch()
        self.sprung()


async def look_at(trapped: Trapped) -> None:
    """Let everything of ours that asks git look at the repository: the sensor, playbooks, a session's changes.

    What a person says yes to is no look: those steps start git as the person would, whose settings hold there.
    """
    sensor = GitSensor([trapped.path], zone=UTC, room=trapped.home / "git")
    await sensor.read(NOW)
    environ = {"PATH": os.environ["PATH"], "HOME": str(trapped.home)}
    runner = PlaybookRunner(trapped.home, environ, lambda: NOW)
    steps = {step.name for step in git_steps.PLAYBOOKS}
    for name in PLAYBOOKS.keys() - steps:
        await run(runner, job(playbook=name, workspace=trapped.path, args=("Meeting",), execution_id=name), Heard())
    git = GitFolder(trapped.home, environ, trapped.path)
    mark = trapped.home / "mark"
    mark.touch()
    before = await look_before(git, mark)
    trapped.touch()
    changed = await changed_since(git, trapped.path, before)
    assert "code.py" in changed, changed


def sprung_by_us(folder: Path, keys: Iterable[str] = PROGRAM_KEYS) -> set[str]:
    """Return which traps of a fresh repository were run by Pulse."""
    trapped = Trapped(folder, keys)
    asyncio.run(look_at(trapped))
    return trapped.sprung()
