"""What GitHub's own program says of open pull requests: `gh pr list --json …`."""

import re

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import CheckState, PullRequest
from hub.kit.text import one_line

FIELDS = "number,title,isDraft,mergeable,reviewDecision,statusCheckRollup"
TITLE_CHARS_MAX = 120
GITHUB = re.compile(
    r"(?:https://(?:[^/@\s]{1,200}@)?github\.com/|(?:ssh://)?git@github\.com[:/])"
    r"([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?/?"
)
FAILED = frozenset({"FAILURE", "ERROR", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED", "STARTUP_FAILURE"})
PASSED = frozenset({"SUCCESS", "NEUTRAL", "SKIPPED"})


class _Check(Value, rename="camel"):
    """One check: runs have a conclusion, commit statuses a state."""

    conclusion: str | None = None
    state: str | None = None


class _Listed(Value, rename="camel"):
    number: int
    title: str = ""
    is_draft: bool = False
    mergeable: str = ""
    review_decision: str = ""
    status_check_rollup: tuple[_Check, ...] | None = ()


def github_name(url: str) -> str:
    """Return "owner/name" of a remote's address at github.com; empty for any other."""
    found = GITHUB.fullmatch(url.strip())
    return f"{found[1]}/{found[2]}" if found and found[2] not in {".", ".."} else ""


def pull_requests(raw: bytes, *, is_mine: bool) -> tuple[PullRequest, ...]:
    """Read a list; what is not as expected says nothing.

    Args:
        raw: what the program printed.
        is_mine: whether these are the person's own; else their review was asked for.
    """
    try:
        found = msgspec.json.decode(raw, type=tuple[_Listed, ...])
    except msgspec.DecodeError:
        return ()
    return tuple(_read(each, is_mine=is_mine) for each in found if not each.is_draft)


def _read(found: _Listed, *, is_mine: bool) -> PullRequest:
    return PullRequest(
        number=found.number,
        title=RepositoryText(one_line(found.title, TITLE_CHARS_MAX)),
        checks=_checks(found.status_check_rollup or ()),
        can_merge=found.review_decision == "APPROVED" and found.mergeable == "MERGEABLE",
        is_mine=is_mine,
    )


def _checks(checks: tuple[_Check, ...]) -> CheckState:
    words = {each.conclusion or each.state or "" for each in checks}
    if words & FAILED:
        return "failed"
    if not words:
        return "none"
    return "passed" if words <= PASSED else "running"
