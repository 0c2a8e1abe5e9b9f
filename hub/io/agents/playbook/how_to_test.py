"""Reading what tells how a project's tests are run (hub/sense/how_to_test.py says how), and making a plan of it."""

from pathlib import Path

from hub.domain.plan import AnyPlan, Plan, cannot
from hub.io.agents.deciding import held
from hub.io.agents.defining import real
from hub.io.sensors.project_look import project_look
from hub.sense.how_to_test import CannotTest, WayToTest, how_to_test

SCRIPT_CHARS_MAX = 2_000
DECLARING = ("pyproject.toml",)
"""Where a project may say itself how its tests are run."""


def plan_tests(workspace: Path, search_path: str | None) -> AnyPlan:
    """Tell what running the tests of a folder would start."""
    way = how_to_test(project_look(workspace, search_path))
    if isinstance(way, CannotTest):
        return cannot(way.why)
    plan = Plan(
        playbook="run-tests",
        argv=way.argv,
        folder=real(workspace),
        environment=tuple(f"{name}={value}" for name, value in sorted(way.environment)),
        script=_script(way),
    )
    return held(plan, search_path, DECLARING)


def _script(way: WayToTest) -> str:
    rest = len(way.script) - SCRIPT_CHARS_MAX
    return f"{way.script[:SCRIPT_CHARS_MAX]}\n({rest} more characters)" if rest > 0 else way.script
