"""Which files decide what a command runs, and where that cannot be known."""

import os
import time
from pathlib import Path

import pytest

from hub.domain.plan import CannotPlan, Plan
from hub.io.agents.deciding import held
from hub.io.agents.deciding.look import FILES_MAX
from hub.io.agents.deciding.table import RUNNERS
from hub.io.agents.defining import DEFINING_BYTES_MAX, program_digest
from tests.io.agents.agent_work import PYTHON, write

MAKE = "test:\n\t{}\n"
NPM = '{{"scripts": {{"test": "{}"}}}}'


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Programs that stand on PATH, outside of the project."""
    for name in (*RUNNERS, "python3", "python3.11", "true"):
        path = tmp_path / "tools" / name
        write(path.parent, {name: "#!/bin/sh\n"})
        path.chmod(0o755)
    return tmp_path / "tools"


def look(tools: Path, command: str, files: dict[str, str]) -> Plan:
    work = tools.parent / "work"
    write(work, files)
    work.mkdir(exist_ok=True)
    for path in (*work.glob(".venv/bin/*"), *work.glob("node_modules/.bin/*"), *work.glob("*.sh")):
        path.chmod(0o755)
    program, *rest = command.split()
    own = work / program
    argv = (str(own if own.is_file() or os.sep in program else tools / program), *rest)
    plan = held(Plan(argv=argv, folder=str(work)), f"{tools}:/usr/bin:/bin")
    assert isinstance(plan, Plan), plan
    return plan


def names(plan: Plan) -> set[str]:
    return {file.path for file in plan.defined_by if not file.path.startswith("/")}


CLEAR: dict[str, tuple[str, dict[str, str], set[str]]] = {
    "a recipe": ("make test", {"Makefile": MAKE.format("@pytest -q")}, {"Makefile"}),
    "a file of another name": ("make -f a.mk test", {"a.mk": MAKE.format("true")}, {"a.mk"}),
    "another folder": ("make -C sub test", {"sub/Makefile": MAKE.format("true")}, {"sub/Makefile"}),
    "a target that needs another": (
        "make test",
        {
            "Makefile": "include a.mk\ntest: unit | lint\nunit:\n\tsh u.sh\nother:\n\t./evil $(shell x)\n",
            "a.mk": "lint: ; true",
            "u.sh": "set -e\n# a comment\npytest\n",
        },
        {"Makefile", "a.mk", "u.sh"},
    ),
    "a variable": ("make test", {"Makefile": "PYTHON ?= python3\n" + MAKE.format("$(PYTHON) -m pytest")}, {"Makefile"}),
    "make within make": (
        "make test",
        {"Makefile": MAKE.format("$(MAKE) -C sub test"), "sub/Makefile": MAKE.format("true")},
        {"Makefile", "sub/Makefile"},
    ),
    "both branches": (
        "make test",
        {"Makefile": "test:\nifdef X\n\tsh a.sh\nelse\n\n# c\n\tsh b.sh\nendif\n", "a.sh": "", "b.sh": ""},
        {"Makefile", "a.sh", "b.sh"},
    ),
    "a line that goes on": ("make test", {"Makefile": "test: \\\n  all\nall:\n\tpytest \\\n\t  -q\n"}, {"Makefile"}),
    "npm behind make": (
        "make test",
        {
            "Makefile": MAKE.format("npm test"),
            "package.json": NPM.format("jest --ci"),
            "node_modules/.bin/jest": "#!/bin/sh\n",
            "jest.config.js": "module.exports = {setupFiles: ['./setup']}",
            "setup.js": "require('./more.js')",
            "more.js": "",
        },
        {"Makefile", "package.json", "node_modules/.bin/jest", "jest.config.js", "setup.js", "more.js"},
    ),
    "before and after": (
        "npm test",
        {
            "package.json": '{"scripts": {"pretest": "sh a.sh", "test": "true", "posttest": "sh b.sh"}}',
            "a.sh": "",
            "b.sh": "",
        },
        {"package.json", "a.sh", "b.sh"},
    ),
    "tox": (
        "tox",
        {"tox.ini": "[testenv]\ncommands =\n  pytest {posargs:tests}\n", ".tox/py/bin/pytest": ""},
        {"tox.ini"},
    ),
    "uv": (
        "uv run --frozen python -m pytest -q",
        {
            "pyproject.toml": "",
            "uv.lock": "x" * (DEFINING_BYTES_MAX + 9),
            ".venv/bin/python": "#!/bin/sh\n",
            ".venv/pyvenv.cfg": "",
        },
        {"pyproject.toml", "uv.lock", ".venv/bin/python", ".venv/pyvenv.cfg"},
    ),
    "pytest": (
        "pytest -q tests",
        {
            "conftest.py": "pytest_plugins = ['a.b']",
            "a/b.py": "",
            "tests/conftest.py": "import os",
            "tests/pytest.ini": "[pytest]",
            "setup.cfg": "[tool:pytest]\naddopts = -q -p c\n",
            "c/__init__.py": "",
            "tests/test_x.py": "",
        },
        {"conftest.py", "a/b.py", "tests/conftest.py", "tests/pytest.ini", "setup.cfg", "c/__init__.py"},
    ),
    "a module": (
        "python3 -m checks.all",
        {
            "checks/__init__.py": "",
            "checks/all.py": "import os.path\nimport helper\n",
            "helper.py": "import unittest\nunittest.main()",
        },
        {"checks/__init__.py", "checks/all.py", "helper.py"},
    ),
    "unittest": ("python3 -m unittest discover -s tests", {"tests/test_a.py": ""}, set()),
    "coverage": (
        "coverage run -m pytest",
        {".coveragerc": "[run]\n", "conftest.py": ""},
        {".coveragerc", "conftest.py"},
    ),
    "a line of a shell": ("sh -c true", {}, set()),
    "cargo": (
        "cargo test",
        {"Cargo.toml": "[package]", "build.rs": "", "rust-toolchain": "stable"},
        {"Cargo.toml", "build.rs", "rust-toolchain"},
    ),
    "go": ("go test ./...", {"go.mod": "", "go.sum": ""}, {"go.mod", "go.sum"}),
    "a folder before it": (
        "make test",
        {"Makefile": MAKE.format("cd web && npm test"), "web/package.json": NPM.format("true")},
        {"Makefile", "web/package.json"},
    ),
    "a script of the project": (
        "./check.sh",
        {"check.sh": "#!/bin/sh\nset -eu\nCI=1 python3 -m pytest\n"},
        {"check.sh"},
    ),
}


@pytest.mark.parametrize("case", CLEAR)
def test_every_file_that_decides_is_named(tools: Path, case: str) -> None:
    command, files, expected = CLEAR[case]
    plan = look(tools, command, files)
    assert plan.unclear == ""
    assert expected <= names(plan) <= expected | {".tox/py/bin/pytest"}


UNCLEAR: dict[str, tuple[str, dict[str, str], str]] = {
    "an unknown runner": ("just test", {"justfile": "test:\n"}, "was not found"),
    "a runner that is not in the table": ("true2 test", {"true2": ""}, "program of its own"),
    "an include that is computed": ("make test", {"Makefile": "include $(X).mk\n" + MAKE.format("true")}, "computed"),
    "an include of a pattern": ("make test", {"Makefile": "include *.mk\n" + MAKE.format("true")}, "computed"),
    "an include that is not there": ("make test", {"Makefile": "include a.mk\n" + MAKE.format("true")}, "a.mk"),
    "a shell at reading": ("make test", {"Makefile": "X := $(shell ./x)\n" + MAKE.format("true")}, "computes"),
    "a shell behind a comment sign": (
        "make test",
        {"Makefile": "X := $(subst \\#,,$(shell x))\n" + MAKE.format("true")},
        "computes",
    ),
    "rules that are made": ("make test", {"Makefile": "$(eval test: ; ./x)\n" + MAKE.format("true")}, "computes"),
    "another shell": ("make test", {"Makefile": "SHELL = ./evil\n" + MAKE.format("true")}, "SHELL"),
    "another shell for one target": (
        "make test",
        {"Makefile": "test: SHELL = ./evil\n" + MAKE.format("true")},
        "SHELL",
    ),
    "another path": ("make test", {"Makefile": "export PATH := bin:$(PATH)\n" + MAKE.format("pytest")}, "PATH"),
    "options from the environment": (
        "make test",
        {"Makefile": "export PYTEST_ADDOPTS = -p x\n" + MAKE.format("pytest")},
        "PYTEST_ADDOPTS",
    ),
    "all variables": ("make test", {"Makefile": "export\n" + MAKE.format("true")}, "all its variables"),
    "a program that a variable holds": ("make test", {"Makefile": "X = a\nX += b\n" + MAKE.format("$(X)")}, "shell"),
    "a Makefile that is made": (
        "make test",
        {"Makefile": "Makefile: x\n\t./configure\n" + MAKE.format("true")},
        "before it reads",
    ),
    "a Makefile by a pattern": (
        "make test",
        {"Makefile": "%: x\n\t./configure\n" + MAKE.format("true")},
        "before it reads",
    ),
    "a Makefile by a computed name": (
        "make test",
        {"Makefile": "$(X): x\n\t./x\n" + MAKE.format("true")},
        "before it reads",
    ),
    "a Makefile from a script": ("make test", {"Makefile": MAKE.format("true"), "Makefile.sh": ""}, "Makefile.sh"),
    "a Makefile from an archive": (
        "make test",
        {"Makefile": MAKE.format("true"), "RCS/Makefile,v": ""},
        "RCS/Makefile,v",
    ),
    "an include from a script": (
        "make test",
        {"Makefile": "include a.mk\n" + MAKE.format("true"), "a.mk": "", "a.mk.sh": ""},
        "a.mk.sh",
    ),
    "a target from a script": ("make test", {"Makefile": "test: all\n", "all.sh": "./evil"}, "all.sh"),
    "a suffix rule": ("make test", {"Makefile": ".x.y:\n\t./evil\n" + MAKE.format("true")}, "not a plain rule"),
    "a comment that goes on over an even backslash": (
        "make test",
        {"Makefile": "# x \\\\\ninclude $(Y)\n" + MAKE.format("true")},
        "computed",
    ),
    "a comment in a recipe that goes on": ("make test", {"Makefile": MAKE.format("# x \\\n\trm -rf src")}, "shell"),
    "a recipe behind its rule": ("make test", {"Makefile": "test: a ; ./evil\na:\n"}, "was not found"),
    "a substitution": ("make test", {"Makefile": MAKE.format("pytest `cat x`")}, "shell"),
    "a redirection": ("make test", {"Makefile": MAKE.format("true > Makefile")}, "shell"),
    "a program that writes": (
        "make test",
        {"Makefile": MAKE.format("cp evil.sh check.sh && sh check.sh"), "check.sh": ""},
        "cp",
    ),
    "a word that ends in a carriage return": (
        "make test",
        {"Makefile": "-include a.mk\r\n" + MAKE.format("true")},
        "computes",
    ),
    "a setting before a command": ("make test", {"Makefile": MAKE.format("LD_PRELOAD=./x.so pytest")}, "LD_PRELOAD"),
    "a script of node": ("npm test", {"package.json": NPM.format("node x.js"), "x.js": ""}, "program"),
    "another shell of npm": ("npm test", {"package.json": NPM.format("true"), ".npmrc": "script-shell=./x"}, "shell"),
    "arguments for a script": ("npm test -- -x", {"package.json": NPM.format("true")}, "--"),
    "bun's own tests": ("bun test", {"package.json": NPM.format("true")}, "no script"),
    "what bun loads first": (
        "bun run test",
        {"package.json": NPM.format("true"), "bunfig.toml": "preload = ['./x.ts']"},
        "preload",
    ),
    "a plugin of yarn": (
        "yarn test",
        {"package.json": NPM.format("true"), ".yarnrc.yml": "plugins:\n  - path: x"},
        "plugins",
    ),
    "a setting in JavaScript that starts something": (
        "npm test",
        {
            "package.json": NPM.format("jest"),
            "node_modules/.bin/jest": "#!/bin/sh\n",
            "jest.config.js": "require('child_process').execSync('./x')",
        },
        "child_process",
    ),
    "a setting in JavaScript that computes": (
        "npm test",
        {
            "package.json": NPM.format("jest"),
            "node_modules/.bin/jest": "#!/bin/sh\n",
            "jest.config.js": "module.exports = require('./' + process.env.X)",
        },
        "require(",
    ),
    "tox without a tox.ini": ("tox", {"pyproject.toml": "[tool.tox]\n"}, "tox.ini"),
    "what tox sets": ("tox", {"tox.ini": "[testenv]\nsetenv = PATH = x\ncommands = pytest\n"}, "PATH"),
    "a word that tox puts in": ("tox", {"tox.ini": "[testenv]\ncommands = {env:RUN}\n"}, "shell"),
    "an environment that is not there": ("uv run pytest", {"uv.lock": ""}, ".venv"),
    "a backend in the project": (
        "uv run pytest",
        {"pyproject.toml": "backend-path = ['.']", ".venv/bin/pytest": ""},
        "backend-path",
    ),
    "an option of uv": ("uv run --with ./evil pytest", {".venv/bin/pytest": "#!/bin/sh\n"}, "--with"),
    "an option of pytest": ("pytest -c ../x.ini", {}, "-c"),
    "an option that settings add": ("pytest", {"pytest.ini": "[pytest]\naddopts = --rootdir=/x\n"}, "--rootdir"),
    "tests elsewhere": ("pytest ../other", {}, "outside"),
    "tests elsewhere by settings": ("pytest", {"pytest.ini": "[pytest]\ntestpaths = ../other\n"}, "out of the folder"),
    "plugins that are computed": (
        "pytest",
        {"conftest.py": "import os\npytest_plugins = os.environ['X'].split()\n"},
        "computes",
    ),
    "plugins that are computed later": (
        "pytest",
        {"conftest.py": "pytest_plugins = ['a']\nif 1:\n    pytest_plugins = x()\n"},
        "computes",
    ),
    "code on the command line": ("python3 -c pass", {}, "-c"),
    "a module of nobody's": ("python3 -m http.server", {}, "http.server"),
    "a module that starts programs": ("python3 -m run", {"run.py": "import subprocess"}, "subprocess"),
    "a module by os": ("python3 -m run", {"run.py": "import os\nos.system('./x')"}, "os.system"),
    "a module by another name": ("python3 -m run", {"run.py": "import os\nx = os\nx.system('./x')"}, "uses os"),
    "a module by an alias": ("python3 -m run", {"run.py": "import os as x\nx.system('./x')"}, "uses os"),
    "a module by another module": ("python3 -m run", {"run.py": "import pathlib\npathlib.os.system('x')"}, "system"),
    "a module by what another imports": ("python3 -m run", {"run.py": "from pathlib import os\nos.path"}, "pathlib.os"),
    "a module by a frame": ("python3 -m run", {"run.py": "().__class__.__base__.__subclasses__()"}, "__"),
    "a module by a pattern": (
        "python3 -m run",
        {"run.py": "match x:\n    case object(__globals__=g): pass"},
        "pattern",
    ),
    "a module that writes": (
        "python3 -m run",
        {"run.py": "import pathlib\npathlib.Path('Makefile').write_text('')"},
        "write_text",
    ),
    "a module that cannot be read": ("python3 -m run", {"run.py": "("}, "cannot be read"),
    "a file that imports": ("python3 run.py", {"run.py": "import importlib"}, "importlib"),
    "a project's own pytest": ("python3 -m pytest", {"pytest.py": "import subprocess"}, "subprocess"),
    "an own script that is named as a runner": (
        "./make test",
        {"make": "#!/bin/sh\n./evil\n", "Makefile": MAKE.format("true")},
        "evil",
    ),
    "a script by an odd interpreter": ("./check.sh", {"check.sh": "#!./evil\n"}, "program of its own"),
    "a script without an interpreter": ("./check.sh", {"check.sh": "true\n"}, "program of its own"),
    "a shell with a profile": ("sh -l check.sh", {"check.sh": ""}, "shell"),
    "a wrapper of rustc": (
        "cargo test",
        {"Cargo.toml": "", ".cargo/config.toml": "[build]\nrustc-wrapper = './x'"},
        "rustc",
    ),
    "an option of cargo": ("cargo test --config ./x.toml", {"Cargo.toml": ""}, "--config"),
    "an option of go": ("go test -exec ./x ./...", {"go.mod": ""}, "-exec"),
    "nox": ("nox", {"noxfile.py": ""}, "program"),
    "Gradle": ("gradle test", {"build.gradle": ""}, "program"),
    "Maven": ("mvn test", {"pom.xml": ""}, "program"),
    "a hook of git": (
        "git merge --ff-only @{upstream}",
        {".git/hooks/post-merge": "", ".git/config": ""},
        "post-merge",
    ),
    "hooks elsewhere": ("git merge --ff-only @{upstream}", {".git/config": "[core]\nhooksPath = x"}, "hookspath"),
    "a circle": ("make test", {"Makefile": MAKE.format("make test")}, "more commands"),
    "a folder outside": ("make test", {"Makefile": MAKE.format("cd .. && make test")}, "outside"),
    "variables that name each other": (
        "make test",
        {"Makefile": "A = $(B)$(B)\nB = $(A)$(A)\n" + MAKE.format("$(A)")},
        "shell",
    ),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_what_cannot_be_known_is_said(tools: Path, case: str) -> None:
    command, files, why = UNCLEAR[case]
    plan = look(tools, command, files)
    assert why in plan.unclear


NODE_TEST = {"package.json": NPM.format("node --test")}
AT_HOME: dict[str, tuple[str, dict[str, str], str, str, str]] = {
    "git": ("git commit -m x", {".git/config": ""}, ".gitconfig", "[core]\nhooksPath = /x", "hookspath"),
    "git, below .config": ("git commit -m x", {".git/config": ""}, ".config/git/config", "[include]", "[include"),
    "npm": ("npm test", {"package.json": NPM.format("pytest")}, ".npmrc", "script-shell=/x", "shell"),
    "yarn": ("yarn test", {"package.json": NPM.format("pytest")}, ".yarnrc.yml", "plugins:", "plugins"),
    "bun": ("bun run test", {"package.json": NPM.format("pytest")}, ".bunfig.toml", 'preload = ["/x"]', "preload"),
    "go": ("go test ./...", {"go.mod": ""}, ".config/go/env", "GOFLAGS=-toolexec=/x", "flags"),
    "cargo": ("cargo test", {"Cargo.toml": ""}, ".cargo/config.toml", '[build]\nrustdoc = "/x"', "rustdoc"),
    "mypy": ("mypy .", {}, ".mypy.ini", "[mypy]\nplugins = /x.py", "plugins"),
    "tox": ("tox", {"tox.ini": "[testenv]\n"}, ".config/tox/config.ini", "override = testenv.commands=/x", "override"),
    "a program of node's that npm starts": ("npm test", NODE_TEST, ".npmrc", "node-options=--require /x", "node"),
    "gradle": ("gradle test", {"build.gradle": ""}, ".gradle/init.d/x.gradle", "println 1", "program"),
    "maven": ("mvn test", {"pom.xml": ""}, ".m2/settings.xml", "<settings/>", "program"),
    "rspec": ("rspec", {}, ".rspec", "--require /x", "program"),
}


@pytest.mark.parametrize("case", AT_HOME)
def test_a_persons_own_settings_decide_as_well(tools: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command, files, name, starts, why = AT_HOME[case]
    home = tools.parent / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    before = look(tools, command, files)
    write(home, {name: "# nothing\n"})
    after = look(tools, command, files)
    assert {file.path for file in after.defined_by} - {file.path for file in before.defined_by} == {str(home / name)}
    assert before.unclear == after.unclear
    write(home, {name: starts})
    then = look(tools, command, files)
    assert why in then.unclear
    assert then.defined_by != after.defined_by


@pytest.mark.parametrize("place", ["home/.config", "elsewhere"])
def test_settings_are_looked_for_where_they_may_be_kept(
    tools: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tools.parent / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tools.parent / "elsewhere"))
    write(tools.parent / place, {"git/config": "[core]\nhooksPath = /x\n"})
    plan = look(tools, "git commit -m x", {".git/config": ""})
    assert "hookspath" in plan.unclear
    assert str(tools.parent / place / "git/config") in {file.path for file in plan.defined_by}


def test_the_program_of_a_persons_own_yarn_decides(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tools.parent / "home"
    monkeypatch.setenv("HOME", str(home))
    write(home, {".yarnrc.yml": "yarnPath: own/yarn.cjs\n", "own/yarn.cjs": ""})
    plan = look(tools, "yarn test", {"package.json": NPM.format("pytest")})
    assert str(home / "own/yarn.cjs") in {file.path for file in plan.defined_by}


def test_a_text_that_is_a_link_out_of_the_folder_is_hashed_and_unclear(tools: Path) -> None:
    write(tools.parent, {"other/Makefile": MAKE.format("true")})
    (tools.parent / "work").mkdir()
    (tools.parent / "work/Makefile").symlink_to(tools.parent / "other/Makefile")
    plan = look(tools, "make test", {})
    assert "Makefile" in names(plan)
    assert "leads out" in plan.unclear


def test_a_folder_that_is_a_link_out_of_the_project_is_unclear_to_pytest(tools: Path) -> None:
    write(tools.parent, {"other/conftest.py": ""})
    (tools.parent / "work").mkdir()
    (tools.parent / "work/tests").symlink_to(tools.parent / "other")
    assert "tests is a link" in look(tools, "pytest", {}).unclear


def test_a_project_that_is_reached_by_a_link_is_the_same(tools: Path) -> None:
    write(tools.parent, {"real/.venv/bin/python": "#!/bin/sh\n", "real/conftest.py": ""})
    (tools.parent / "real/.venv/bin/python").chmod(0o755)
    link = tools.parent / "link"
    link.symlink_to(tools.parent / "real")
    plan = held(Plan(argv=(f"{link}/.venv/bin/python", "-m", "pytest"), folder=os.path.realpath(link)), str(tools))
    assert isinstance(plan, Plan)
    assert (plan.unclear, names(plan)) == ("", {".venv/bin/python", "conftest.py"})


def test_a_change_at_the_end_of_a_large_program_is_seen(tmp_path: Path) -> None:
    program = tmp_path / "program"
    with program.open("wb") as file:
        file.truncate(40_000_000)
    before = program_digest(program)
    with program.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"x")
    assert before != program_digest(program) != ""


def test_a_text_that_is_too_long_gives_no_plan(tools: Path) -> None:
    write(tools.parent / "work", {"Makefile": "include a.mk", "a.mk": "#" * (DEFINING_BYTES_MAX + 1)})
    plan = held(Plan(argv=(str(tools / "make"),), folder=str(tools.parent / "work")), str(tools))
    assert isinstance(plan, CannotPlan)
    assert "a.mk is longer than 1024 KiB" in plan.why


def test_more_files_than_anybody_looks_through_are_unclear(tools: Path) -> None:
    plan = look(tools, "pytest", {f"t{number}/conftest.py": "" for number in range(FILES_MAX + 1)})
    assert "files decide" in plan.unclear
    assert len(plan.defined_by) == FILES_MAX


HANGS_S = 30
"""Of the processor's time, so that other work beside it does not count; what does not grow too fast takes one."""


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"A{n} = $(A{n + 1})$(A{n + 1})$(A{n + 1})\n" for n in range(60)) + MAKE.format("$(A0)"),
        "test: " + " ".join(f"t{n}" for n in range(20_000)) + "\n",
        "\n".join(f"t{n}: t{n + 1}" for n in range(20_000)),
        "a" * 500_000,
        "x = " + "$(" * 100_000,
        "%" * 2_000 + ": a\n\ttrue\n" + MAKE.format("true"),
    ],
)
def test_no_makefile_holds_the_look_up(tools: Path, text: str) -> None:
    began_s = time.process_time()
    look(tools, "make", {"Makefile": text})
    assert time.process_time() - began_s < HANGS_S


def test_the_real_interpreter_is_held_whole(tmp_path: Path) -> None:
    write(tmp_path, {"conftest.py": ""})
    plan = held(Plan(argv=(PYTHON, "-m", "pytest"), folder=str(tmp_path)), str(Path(PYTHON).parent))
    assert isinstance(plan, Plan)
    assert os.path.realpath(PYTHON) in {file.path for file in plan.defined_by}
