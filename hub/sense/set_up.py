"""What has to be installed before a project's tests can run, and by which commands. Pure: the caller hands in files.

| project | what is missing | the commands |
|---|---|---|
| Python | an environment in its folder | `python3 -m venv .venv`, then pip: itself, requirements, pytest |
| Python | pytest in that environment | pip there |
| JavaScript | `node_modules` | its manager's `install` |

Where tests run without (no package is asked for, or those of the Python on the path suffice), and where a tool sets it
up itself (uv, poetry, tox, nox), nothing is missing. What a manifest asks for is never put into a command but as the
name of a file, an extra or a plain requirement.
"""

import re
from typing import Any

from hub.contract.base import Value
from hub.sense.how_to_test import (
    REQUIREMENTS,
    ProjectLook,
    asks_for_packages,
    fits,
    has_python_tests,
    is_packaged,
    js_manager,
    managed_by,
    needs_pytest,
    wanted_manager,
)

ENVIRONMENT = ".venv"
EXTRAS = ("test", "tests", "testing", "dev")
REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?:\[[A-Za-z0-9,._-]{1,80}\])?(?: ?[<>=!~]=? ?[\w.*,<>=!~]{1,80})?"
)
"""A name with a version: no address, no path, no option."""
REQUIREMENTS_MAX = 20


class SetUpSteps(Value):
    """The commands in their order, the file that speaks for them, and whether an environment is made."""

    manifest: str
    steps: tuple[tuple[str, ...], ...]
    makes_environment: bool = False


def set_up(project: ProjectLook) -> SetUpSteps | None:
    """Return what has to be installed; None where nothing is missing, or nobody can tell how."""
    if has_python_tests(project):
        return _python(project)
    package = js_manager(project)
    if package and asks_for_packages(project) and package in project.tools:
        return SetUpSteps(manifest="package.json", steps=((project.tools[package], "install"),))
    return None


def _python(project: ProjectLook) -> SetUpSteps | None:
    targets = _targets(project)
    if project.own is not None:
        is_missing = needs_pytest(project) and not project.own.has_pytest
        steps = ((project.own.path, "-m", "pip", "install", *targets),)
        return SetUpSteps(manifest=_manifest(project), steps=steps) if is_missing else None
    python = project.common
    if managed_by(project) or python is None or not python.makes_environments:
        return None
    if wanted_manager(project) is None and fits(project, python):
        return None
    made = (python.path, "-m", "venv", ENVIRONMENT)
    filled = (f"{ENVIRONMENT}/bin/python", "-m", "pip", "install", *targets)
    return SetUpSteps(manifest=_manifest(project), steps=(made, filled), makes_environment=True)


def _targets(project: ProjectLook) -> tuple[str, ...]:
    """Return what pip is to install: the project itself, the files of requirements, and a runner."""
    pyproject = project.pyproject
    extra = _first(pyproject.get("project", {}), "optional-dependencies")
    group = _group(pyproject)
    files = tuple(name for name in REQUIREMENTS if name in project.names)
    own = ("-e", f".[{extra}]" if extra else ".") if is_packaged(project) else ()
    listed = tuple(word for name in files for word in ("-r", name))
    words = (*own, *listed, *group)
    named = extra and _names_pytest(pyproject, extra)
    by_file = any("pytest" in project.text(name) for name in files)
    has_runner = named or by_file or any(each.startswith("pytest") for each in group)
    return (*words, "pytest") if needs_pytest(project) and not has_runner else words


def _first(table: object, key: str) -> str:
    extras = table.get(key) if isinstance(table, dict) else None
    return next((name for name in EXTRAS if isinstance(extras, dict) and name in extras), "")


def _names_pytest(pyproject: dict[str, Any], extra: str) -> bool:
    asked = pyproject["project"]["optional-dependencies"][extra]
    return isinstance(asked, list) and any(str(each).lower().startswith("pytest") for each in asked)


def _group(pyproject: dict[str, Any]) -> tuple[str, ...]:
    """Return the plain requirements of the group for tests (PEP 735)."""
    groups = pyproject.get("dependency-groups")
    name = next((name for name in EXTRAS if isinstance(groups, dict) and name in groups), "")
    asked = groups.get(name) if isinstance(groups, dict) and name else None
    plain = (each for each in asked if isinstance(each, str) and REQUIREMENT.fullmatch(each)) if asked else ()
    return tuple(plain)[:REQUIREMENTS_MAX]


def _manifest(project: ProjectLook) -> str:
    known = ("pyproject.toml", "setup.cfg", "setup.py", *REQUIREMENTS)
    return next((name for name in known if name in project.names), "")
