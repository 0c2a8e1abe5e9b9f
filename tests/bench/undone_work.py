"""Repositories as people leave them: a history of weeks, and one thing not done yet. Made here, or of real sources."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

DAY_S = 86_400
HOUR_S = 3_600
WHO = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
}
MARK = {".py": "#", ".toml": "#", ".md": "<!-- -->", ".rst": "..", ".yml": "#", ".txt": ""}
"""How a line of comment begins, where it is not `//`."""


class Left:
    """A work tree under somebody's hands."""

    def __init__(self, folder: Path, sources: Path | None, files: Mapping[str, str]) -> None:
        self.folder = folder
        if sources is not None:
            shutil.copytree(sources, folder, symlinks=True)
        for name, text in {} if sources else files.items():
            self.write(name, text)
        self.git("init", "-q", "-b", "main")
        self.commit("Import", days_ago=40)
        self.edit(self.a_source(), "Say what is meant", days_ago=12)
        self.edit(self.a_source(1), "Keep the limit in one place", days_ago=3)

    def git(self, *arguments: str, days_ago: float = 0.0, check: bool = True) -> str:
        at = f"{time.time() - days_ago * DAY_S:.0f} +0000"
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        said = subprocess.run(
            ("git", *arguments),
            cwd=self.folder,
            env={**os.environ, **WHO, **dates},
            check=False,
            capture_output=True,
            text=True,
        )
        if check and said.returncode:
            raise RuntimeError(f"git {arguments}: {said.stderr}")
        return said.stdout.strip()

    def write(self, name: str, text: str, *, hours_ago: float = 0.0) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.touch(name, hours_ago)

    def touch(self, name: str, hours_ago: float) -> None:
        at = time.time() - hours_ago * HOUR_S
        os.utime(self.folder / name, (at, at))

    def commit(self, message: str, *, days_ago: float) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, days_ago=days_ago)

    def edit(self, name: str, words: str, *, days_ago: float) -> None:
        self.change(name, words, hours_ago=days_ago * 24)
        self.commit(words, days_ago=days_ago)

    def change(self, name: str, words: str, *, hours_ago: float = 0.2) -> None:
        """Change a file as an editor would; a file without a comment gets a line."""
        text = (self.folder / name).read_text(encoding="utf-8", errors="surrogateescape")
        sign = MARK.get(Path(name).suffix, "//")
        path = self.folder / name
        path.write_text(f"{text}{sign} {words}\n", encoding="utf-8", errors="surrogateescape")
        self.touch(name, hours_ago)

    def a_source(self, number: int = 0, suffixes: tuple[str, ...] = ()) -> str:
        """Return one of its files of program text, or of text where there is none."""
        wanted = suffixes or (".py", ".js", ".ts", ".rs", ".go", ".c", ".java")
        found = [name for name in self.git("ls-files").splitlines() if name.endswith(wanted) and "test" not in name]
        texts = found or [
            name for name in self.git("ls-files").splitlines() if name.endswith((".md", ".rst", ".txt", ".dbk"))
        ]
        return sorted(texts)[number % len(texts)]

    def upstream(self) -> None:
        """Give it a remote, beside it, that has all of it."""
        remote = self.folder.parent / f"{self.folder.name}-origin.git"
        self.git("clone", "-q", "--bare", ".", str(remote))
        self.git("remote", "add", "origin", str(remote))
        self.git("fetch", "-q", "origin")
        self.git("branch", "-q", "--set-upstream-to=origin/main")

    def theirs(self, name: str, words: str) -> None:
        """Have a colleague push a commit, which is then fetched."""
        before = self.git("rev-parse", "HEAD")
        self.edit(name, words, days_ago=0.2)
        self.git("push", "-q", "origin", "main")
        self.git("reset", "-q", "--hard", before)
        self.git("fetch", "-q", "origin")

    def tests_ran(self, *failed: str, hours_ago: float) -> None:
        """Leave what pytest leaves."""
        cache = ".pytest_cache/v/cache"
        self.write(".pytest_cache/.gitignore", "*\n")
        self.write(f"{cache}/nodeids", "[]", hours_ago=hours_ago)
        self.write(f"{cache}/lastfailed", json.dumps(dict.fromkeys(failed, True)), hours_ago=hours_ago)


def tests_not_run(work: Left) -> None:
    work.tests_ran(hours_ago=30)
    work.change(work.a_source(), "Round half up, not to even")


def run_failed(work: Left) -> None:
    test = min(name for name in work.git("ls-files").splitlines() if "test" in name and name.endswith(".py"))
    work.tests_ran(f"{test}::test_one", hours_ago=0.3)


def new_dependency(work: Left) -> None:
    manifest = work.folder / "package.json"
    asked = json.loads(manifest.read_text())
    asked.setdefault("dependencies", {})["left-pad"] = "^1.3.0"
    work.write("package.json", json.dumps(asked, indent=2) + "\n", hours_ago=0.5)


def lying_since_yesterday(work: Left) -> None:
    work.change(work.a_source(), "Tell why it was refused", hours_ago=20)


def tested_and_not_committed(work: Left) -> None:
    work.change(work.a_source(), "Tell why it was refused", hours_ago=1)
    work.tests_ran(hours_ago=0.2)


def stopped_merge(work: Left) -> None:
    name = work.a_source()
    work.git("checkout", "-q", "-b", "faster")
    work.edit(name, "Look it up once", days_ago=1)
    work.git("checkout", "-q", "main")
    work.edit(name, "Look it up when it is needed", days_ago=0.5)
    work.git("merge", "faster", check=False)


def not_pushed(work: Left) -> None:
    work.upstream()
    work.tests_ran(hours_ago=1)
    work.edit(work.a_source(), "Close what was opened", days_ago=0.15)
    work.tests_ran(hours_ago=1)


def behind(work: Left) -> None:
    work.upstream()
    work.theirs(work.a_source(), "Follow the new format")


def gone_apart(work: Left) -> None:
    work.upstream()
    work.theirs(work.a_source(), "Follow the new format")
    work.edit(work.a_source(1), "Name the limit", days_ago=0.02)


def never_run(work: Left) -> None:
    work.change(work.a_source(), "Do not read past the end")


def report_failed(work: Left) -> None:
    suite = '<testsuite name="Csv" tests="12" failures="1" errors="0"><testcase name="quotes"/></testsuite>'
    work.write("target/surefire-reports/TEST-Csv.xml", suite, hours_ago=0.3)


class Case(NamedTuple):
    """One repository: what it is made of, what is left undone, and the beginnings of the cards that are true."""

    name: str
    files: Mapping[str, str]
    leave: Callable[[Left], None]
    true: tuple[str, ...]


PYTHON = {
    "pyproject.toml": '[project]\nname = "tidyinv"\nversion = "0.3"\n[tool.pytest.ini_options]\n',
    "tidyinv/price.py": "def total(items):\n    return sum(items)\n",
    "tidyinv/cart.py": "def empty():\n    return []\n",
    "tests/test_price.py": "from tidyinv.price import total\n\n\ndef test_one():\n    assert total([1]) == 1\n",
    ".gitignore": ".pytest_cache/\n__pycache__/\n",
}
NPM_LOCK = {"name": "shop", "lockfileVersion": 3, "packages": {"": {"name": "shop", "devDependencies": {"tap": "^18"}}}}
JAVASCRIPT = {
    "package.json": '{"name": "shop", "scripts": {"test": "node --test"}, "devDependencies": {"tap": "^18"}}\n',
    "package-lock.json": json.dumps(NPM_LOCK),
    "lib/parse.js": "exports.parse = (line) => line.split(',')\n",
    "lib/write.js": "exports.write = (rows) => rows.join('\\n')\n",
    ".gitignore": "node_modules/\n.pytest_cache/\n",
}
GO = {"go.mod": "module example.org/errs\n\ngo 1.21\n", "errs.go": "package errs\n", "stack.go": "package errs\n"}
RUST = {
    "Cargo.toml": '[package]\nname = "quick"\nversion = "0.1.0"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "quick"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub fn one() -> u8 { 1 }\n",
    "src/two.rs": "pub fn two() -> u8 { 2 }\n",
    ".gitignore": "target/\n.pytest_cache/\n",
}
C = {"Makefile": "test:\n\t@true\n", "src/json.c": "int parse(void) { return 0; }\n", "src/utf8.c": "int n;\n"}
JAVA = {
    "pom.xml": "<project><modelVersion>4.0.0</modelVersion></project>\n",
    "src/main/java/Csv.java": "class Csv {}\n",
    "src/main/java/Row.java": "class Row {}\n",
    ".gitignore": "target/\n",
}
DOCS = {"docs/start.md": "# Start\n", "docs/usage.md": "# Usage\n", "README.md": "# Handbook\n"}
RUN, COMMIT = "Run the tests of", "Commit 1 file of"
CASES = (
    Case("tidyinv", PYTHON, tests_not_run, (RUN,)),
    Case("ledger", PYTHON, run_failed, (RUN,)),
    Case("rates", PYTHON, tested_and_not_committed, (COMMIT,)),
    Case("shop", JAVASCRIPT, new_dependency, ("Update package-lock.json of", "Install", COMMIT)),
    Case("parser", JAVASCRIPT, lying_since_yesterday, (COMMIT, RUN)),
    Case("errs", GO, stopped_merge, ("Show the conflict in 1 file of",)),
    Case("flags", GO, behind, ("Bring",)),
    Case("quick", RUST, not_pushed, ("Push 1 commit of", RUN)),
    Case("json", C, never_run, (RUN,)),
    Case("terminal", C, gone_apart, ("Compare the branch", RUN)),
    Case("csv", JAVA, report_failed, (RUN, "See why the tests of csv fail")),
    Case("handbook", DOCS, lying_since_yesterday, (COMMIT,)),
)


def make(case: Case, folder: Path, sources: Path | None = None) -> Left:
    """Make the repository of a case, of these sources instead of its own if they are given."""
    work = Left(folder, sources, case.files)
    case.leave(work)
    return work
