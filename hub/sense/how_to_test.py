"""How a project runs its own tests, told from what was read of its folder. Pure: the caller hands in what is there.

The first way that the project's files speak for wins: what it declares itself, then Python, JavaScript, Rust, Go, Java,
make. Python's tests run with the project's own interpreter, as a module: a `pytest` that lies on the path belongs to
another environment, and does not see the project's folder. Where the files speak for a way and its program is not
there, that is said with how to mend it; nothing else is run in its place.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from hub.contract.base import Value
from hub.domain.provenance import Wording, say
from hub.sense.installed import python_names

PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make takes the first that is there."""
GRADLE_FILES = ("build.gradle", "build.gradle.kts")
REQUIREMENTS = (
    "requirements.txt",
    *("requirements-dev.txt", "requirements-test.txt", "requirements-tests.txt", "requirements_dev.txt"),
    *("dev-requirements.txt", "test-requirements.txt", "requirements_test.txt"),
)
"""Where projects list what they need, and what their tests do."""
READ_FILES = (
    *PYTEST_FILES, *MAKEFILES, "package.json", "noxfile.py", "Cargo.toml", "go.mod", "pom.xml", *GRADLE_FILES,
    "setup.py", *REQUIREMENTS,
)  # fmt: skip
"""The files whose words matter here."""
LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
TOOLS = ("uv", "poetry", "tox", "nox", "npm", "pnpm", "yarn", "bun", "cargo", "go", "mvn", "gradle", "make")
NO_WAY = say(
    "No tests were found here (looked for Python, JavaScript, Rust, Go and Java, and a `test` target of make). "
    'Write how to run them in pyproject.toml, under [tool.pulse]: test = ["./run", "tests"].'
)
_MAKE_TARGET = re.compile(r"^(test|check)\s*:(?!=)", re.MULTILINE)
_RECIPE = r"^{}\s*:(?!=)[^\n]*\n((?:(?:\t[^\n]*)?(?:\n|\Z))*)"
_NPM_PLACEHOLDER = "no test specified"


class Interpreter(Value):
    """A Python: its path, the project's environment that it belongs to (empty: none), and whether it has pytest.

    `packages` are the folded names of what is installed for it; `makes_environments`: its `venv` brings pip along.
    """

    path: str
    environment: str = ""
    has_pytest: bool = False
    packages: frozenset[str] = frozenset()
    makes_environments: bool = True


class ProjectLook(Value):
    """What was read of a project's folder.

    `names` are those in its top folder, `texts` those of `READ_FILES` that are there, `tools` the full paths of `TOOLS`
    and of the first word of what is declared, `own` the environment in the folder, `common` the Python on the path.
    `python_tests` are the folders with files that pytest would collect ("" is the top folder); `imports_pytest` is
    whether one of those imports it, `is_package` whether the first of the folders is one.
    """

    names: frozenset[str]
    texts: Mapping[str, str]
    tools: Mapping[str, str]
    own: Interpreter | None = None
    common: Interpreter | None = None
    python_tests: tuple[str, ...] = ()
    imports_pytest: bool = False
    is_package: bool = False

    def text(self, name: str) -> str:
        """Return a file's text, empty if it does not exist."""
        return self.texts.get(name, "")

    @property
    def pyproject(self) -> dict[str, Any]:
        """What pyproject.toml says; nothing where it is broken."""
        try:
            return tomllib.loads(self.text("pyproject.toml"))
        except tomllib.TOMLDecodeError:
            return {}

    @property
    def tool(self) -> dict[str, Any]:
        """What pyproject.toml says in its `tool` table."""
        tool = self.pyproject.get("tool")
        return tool if isinstance(tool, dict) else {}


class WayToTest(Value):
    """How to run the tests: the argv, and what is added to the environment.

    `script` is what the command stands for, where that is a line in one of them.
    """

    argv: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = (("CI", "1"),)
    script: str = ""


class CannotTest(Value):
    """The tests cannot be run; `why` says what is missing and how to mend it."""

    why: Wording


Way = WayToTest | CannotTest


def how_to_test(project: ProjectLook) -> Way:
    """Return how this project's tests are run, or why they cannot be."""
    found = (way(project) for way in _WAYS)
    return next((way for way in found if way is not None), CannotTest(why=NO_WAY))


def declared(project: ProjectLook) -> tuple[str, ...]:
    """Return what the project itself declares: `test = ["./run", "tests"]` under `[tool.pulse]` in pyproject.toml."""
    pulse = project.tool.get("pulse")
    words = pulse.get("test") if isinstance(pulse, dict) else None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
        return ()
    return tuple(words)


def _declared(project: ProjectLook) -> Way | None:
    words = declared(project)
    return _made(project, words[0], *words[1:]) if words else None


def _python(project: ProjectLook) -> Way | None:
    """Run Python's tests: in the environment in the folder, else as its tool does, else with the Python on the path."""
    if not has_python_tests(project):
        return None
    own = _by(project, project.own)
    if own is not None:
        return own
    managed = managed_by(project) or wanted_manager(project)
    if managed is not None:
        return managed
    common = project.common
    if common is not None and fits(project, common):
        return _by(project, common)
    return _tox(project) or _nox(project) or _without_runner(project)


def wanted_manager(project: ProjectLook) -> Way | None:
    """Return the way of the tool that manages the project's environment, or that this tool was not found."""
    return _uv(project) or _poetry(project)


def managed_by(project: ProjectLook) -> WayToTest | None:
    """Return the way of a tool that itself sets up what the tests need, where the project has one that is there."""
    found = (by(project) for by in _MANAGERS)
    return next((way for way in found if isinstance(way, WayToTest)), None)


def fits(project: ProjectLook, python: Interpreter) -> bool:
    """Return True if a Python that is not the project's own has all that its tests need.

    A project whose packages lie in `src` has to be installed to be found; what its setup.py asks for is not read.
    """
    if needs_pytest(project) and not python.has_pytest:
        return False
    if is_packaged(project) and ("src" in project.names or "install_requires" in project.text("setup.py")):
        return False
    lists = "\n".join(project.text(name) for name in REQUIREMENTS)
    asked = python_names(project.text("pyproject.toml"), lists).values()
    return {name for names in asked for name in names} <= python.packages | {"pytest"}


def is_packaged(project: ProjectLook) -> bool:
    """Return True if pip can install the project itself."""
    toml = project.text("pyproject.toml")
    return "setup.py" in project.names or "[project]" in toml or "[build-system]" in toml


def needs_pytest(project: ProjectLook) -> bool:
    """Return True if its tests need pytest: unittest, which is always there, cannot run them."""
    return project.imports_pytest or not project.python_tests


def has_python_tests(project: ProjectLook) -> bool:
    """Return True if there are Python tests here, or settings for them."""
    configured = "pytest" in project.tool or "[tool:pytest]" in project.text("setup.cfg")
    named = {"pytest.ini", "conftest.py", "tox.ini", "noxfile.py"} & project.names
    return bool(project.python_tests or configured or named)


def _by(project: ProjectLook, python: Interpreter | None) -> WayToTest | None:
    """Run them with this Python: by pytest if it has that, else by unittest if they need no more."""
    if python is None:
        return None
    own = (("VIRTUAL_ENV", python.environment),) if python.environment else ()
    environment = (("CI", "1"), *own)
    if python.has_pytest:
        return WayToTest(argv=(python.path, *_PYTEST), environment=environment)
    if needs_pytest(project):
        return None
    folder = project.python_tests[0]
    where = ("-s", folder, *(("-t", ".") if project.is_package else ())) if folder else ()
    return WayToTest(argv=(python.path, "-m", "unittest", "discover", *where), environment=environment)


_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
"""Its cache would be litter in the project."""


def _uv(project: ProjectLook) -> Way | None:
    there = "uv.lock" in project.names or "uv" in project.tool
    return _made(project, "uv", "run", "python", *_PYTEST) if there else None


def _poetry(project: ProjectLook) -> Way | None:
    there = "poetry.lock" in project.names or "poetry" in project.tool
    return _made(project, "poetry", "run", "python", *_PYTEST) if there else None


def _tox(project: ProjectLook) -> Way | None:
    there = "tox.ini" in project.names or "tox" in project.tool
    return _made(project, "tox") if there else None


def _nox(project: ProjectLook) -> Way | None:
    return _made(project, "nox") if "noxfile.py" in project.names else None


_MANAGERS: tuple[Callable[[ProjectLook], Way | None], ...] = (_uv, _poetry, _tox, _nox)


def _without_runner(project: ProjectLook) -> CannotTest:
    if project.own is not None:
        return CannotTest(why=say("pytest is not installed in this project's environment. {how}", how=_INSTALL))
    if project.common is None:
        return CannotTest(why=say("No Python was found on PATH, and this project has no .venv. Install Python 3."))
    return CannotTest(
        why=say("This project has no .venv, and the Python on PATH lacks what it needs. {how}", how=_INSTALL_NEW)
    )


_INSTALL = say("Install it: .venv/bin/python -m pip install pytest")
_INSTALL_NEW = say("Create one: python3 -m venv .venv && .venv/bin/python -m pip install pytest")


def _javascript(project: ProjectLook) -> Way | None:
    """Run the test script of a package.json, unless it is the placeholder that npm writes."""
    package = _json(project.text("package.json"))
    scripts = _table(package.get("scripts"))
    script = scripts.get("test", "")
    if not script or _NPM_PLACEHOLDER in script:
        return None
    if asks_for_packages(project):
        return CannotTest(
            why=say(
                "What this project needs is not installed. Run `{program} install`.", program=_manager(project, package)
            )
        )
    lines = (scripts.get(name, "") for name in ("pretest", "test", "posttest"))
    manager = _manager(project, package)
    return _made(
        project,
        manager,
        *(("run", "test") if manager == "bun" else ("test",)),
        script="\n".join(filter(None, lines)),
    )


def js_manager(project: ProjectLook) -> str:
    """Return the package manager of a project with tests of JavaScript's; empty for any other."""
    package = _json(project.text("package.json"))
    script = _table(package.get("scripts")).get("test", "")
    return _manager(project, package) if script and _NPM_PLACEHOLDER not in script else ""


def asks_for_packages(project: ProjectLook) -> bool:
    """Return True if package.json asks for packages and none are installed."""
    package = _json(project.text("package.json"))
    is_asked = _table(package.get("dependencies")) or _table(package.get("devDependencies"))
    return bool(is_asked) and not {"node_modules", ".pnp.cjs", ".pnp.js"} & project.names


def _manager(project: ProjectLook, package: dict[str, Any]) -> str:
    """Return npm, or whichever the project names or has a lock file of."""
    named = str(package.get("packageManager", "")).partition("@")[0]
    locked = next((tool for lock, tool in LOCKS.items() if lock in project.names), "npm")
    return named if named in {"npm", *LOCKS.values()} else locked


def _cargo(project: ProjectLook) -> Way | None:
    return _made(project, "cargo", "test") if "Cargo.toml" in project.names else None


def _go(project: ProjectLook) -> Way | None:
    there = "go.mod" in project.names
    return _made(project, "go", "test", "./...") if there else None


def _maven(project: ProjectLook) -> Way | None:
    if "pom.xml" not in project.names:
        return None
    tool = "./mvnw" if "mvnw" in project.names else "mvn"
    return _made(project, tool, "-B", "-q", "test")


def _gradle(project: ProjectLook) -> Way | None:
    if not {*GRADLE_FILES} & project.names:
        return None
    tool = "./gradlew" if "gradlew" in project.names else "gradle"
    return _made(project, tool, "--console=plain", "test")


def _make(project: ProjectLook) -> Way | None:
    """Run the `test` target of the Makefile that make would take, or `check` if that is its name."""
    name = next((name for name in MAKEFILES if name in project.names), "")
    text = project.text(name) if name else ""
    targets = set(_MAKE_TARGET.findall(text))
    if not targets:
        return None
    target = "test" if "test" in targets else "check"
    recipe = re.search(_RECIPE.format(target), text, re.MULTILINE)
    lines = recipe.group(1).splitlines() if recipe else []
    script = "\n".join(line.strip() for line in lines if line.strip())
    return _made(project, "make", target, script=script)


_WAYS: tuple[Callable[[ProjectLook], Way | None], ...] = (
    _declared,
    _python,
    _javascript,
    _cargo,
    _go,
    _maven,
    _gradle,
    _make,
)


def _made(project: ProjectLook, tool: str, *arguments: str, script: str = "") -> Way:
    """Make the command, if its program is there; `CI` keeps runners from waiting for keys."""
    program = project.tools.get(tool)
    if program is None:
        return CannotTest(
            why=say("This project's tests are run with {tool}, which was not found. {how}", tool=tool, how=_mend(tool))
        )
    return WayToTest(argv=(program, *arguments), script=script)


def _mend(tool: str) -> Wording:
    if "/" in tool:
        return say("Check the path, and that it may be executed.")
    return say("Install it, or add its folder to the PATH that Pulse is started with.")


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _table(value: object) -> dict[str, str]:
    return {key: word for key, word in value.items() if isinstance(word, str)} if isinstance(value, dict) else {}
