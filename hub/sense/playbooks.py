"""Which built-in playbooks a workspace can use."""

from collections.abc import Collection

GIT_PLAYBOOKS = (
    *("summarise-commits", "stale-branches", "list-todos"),
    *("commit-work", "push-work", "catch-up", "update-lock", "review-work", "show-pull-request"),
    *("check-code", "install-packages", "approve-deployment", "reject-deployment"),
)
MANIFESTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod"})


def available(listing: Collection[str], *, can_test: bool) -> tuple[str, ...]:
    """Return the names of the usable playbooks, in a fixed order.

    Args:
        listing: the names in the workspace's top folder.
        can_test: there is a known way to run its tests, and all that it takes is there.
    """
    names = frozenset(listing)
    found: list[str] = ["run-tests"] if can_test else []
    if ".git" in names:
        found.extend(GIT_PLAYBOOKS)
    if names & MANIFESTS:
        found.append("dependency-graph")
    found.extend(("prepare-meeting", "show-certificate"))
    return tuple(found)
