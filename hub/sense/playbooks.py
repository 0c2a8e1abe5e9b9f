"""Which built-in playbooks a workspace can use, told from the names in its top folder."""

from collections.abc import Collection

GIT_PLAYBOOKS = (
    *("summarise-commits", "stale-branches", "list-todos"),
    *("commit-work", "push-work", "catch-up", "update-lock", "review-work", "show-pull-request"),
    *("check-code", "install-packages", "approve-deployment", "reject-deployment"),
)
MANIFESTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod"})
TESTED_BY_TOOL = frozenset({"Cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts"})
PYTHON_TEST_FILES = frozenset({"pytest.ini", "tox.ini", "conftest.py", "noxfile.py"})
PYTHON_MANIFESTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"})
TEST_FOLDERS = frozenset({"test", "tests"})
TEST_COMMANDS = frozenset({"test", "check"})


def available(
    listing: Collection[str],
    package_json_scripts: Collection[str],
    make_targets: Collection[str] = (),
    in_test_folders: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the names of the usable playbooks, in a fixed order.

    Args:
        listing: the names in the workspace's top folder.
        package_json_scripts: the names under "scripts" of its package.json, without npm's placeholder test.
        make_targets: the targets of its Makefile.
        in_test_folders: the names in those of its folders that hold tests.
    """
    names = frozenset(listing)
    found: list[str] = []
    if has_tests(names, package_json_scripts, make_targets) or any(map(_is_python_test, in_test_folders)):
        found.append("run-tests")
    if ".git" in names:
        found.extend(GIT_PLAYBOOKS)
    if names & MANIFESTS:
        found.append("dependency-graph")
    found.extend(("prepare-meeting", "show-certificate"))
    return tuple(found)


def has_tests(names: frozenset[str], package_json_scripts: Collection[str], make_targets: Collection[str]) -> bool:
    """Tell whether there is a known way to run the project's tests: one of Python, npm, cargo, go, Java or make."""
    if "test" in package_json_scripts or names & TESTED_BY_TOOL:
        return True
    if TEST_COMMANDS & frozenset(make_targets):
        return True
    if any(map(_is_python_test, names)):
        return True
    return bool(names & PYTHON_TEST_FILES) or bool(names & TEST_FOLDERS and names & PYTHON_MANIFESTS)


def _is_python_test(name: str) -> bool:
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
