"""The answer to a deployment that waits at GitHub: its arguments, and the one command that they stand for.

Who plans it and who rules on it read the same: what is not this command to the letter is no answer to a deployment.
"""

import re

from hub.domain.provenance import CiText
from hub.domain.situation import Deployment

APPROVE_DEPLOYMENT, REJECT_DEPLOYMENT = "approve-deployment", "reject-deployment"
ANSWERS = {APPROVE_DEPLOYMENT: "approved", REJECT_DEPLOYMENT: "rejected"}
"""What GitHub is told, by the playbook that tells it."""
HOST = "github.com"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
NUMBER = re.compile(r"[1-9][0-9]{0,15}")
ARGUMENTS = 6


def deployment_named(args: tuple[str, ...]) -> Deployment | None:
    """Read a work's arguments: name, run, attempt, commit, environment's number and name; None where they are others.

    Nothing of them reaches an address that is no name, number or commit.
    """
    if len(args) != ARGUMENTS:
        return None
    name, run, attempt, commit, environment_id, environment = args
    numbers = (run, attempt, environment_id)
    if not (NAME.fullmatch(name) and COMMIT.fullmatch(commit) and all(map(NUMBER.fullmatch, numbers))):
        return None
    if name.partition("/")[2] in {".", ".."}:
        return None
    nothing = CiText("")
    return Deployment(
        repository=name,
        run=int(run),
        attempt=int(attempt),
        commit=commit,
        environment=CiText(environment),
        environment_id=int(environment_id),
        branch=nothing,
        workflow=nothing,
        title=nothing,
        actor=nothing,
        fork=nothing,
    )


def answering(playbook: str, one: Deployment) -> tuple[str, ...]:
    """Return what `gh` is started with to give the answer of a playbook."""
    answer = ANSWERS[playbook]
    return (
        *("api", "--hostname", HOST, "--silent", "--method", "POST"),
        f"repos/{one.repository}/actions/runs/{one.run}/pending_deployments",
        *("--field", f"environment_ids[]={one.environment_id}"),
        *("--raw-field", f"state={answer}"),
        *("--raw-field", f"comment={answer.capitalize()} in Pulse, for commit {one.commit}."),
    )
