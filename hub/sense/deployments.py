"""Which runs of GitHub Actions wait for leave to deploy: `actions/runs?status=waiting`, and what each waits for."""

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta

from hub.contract.base import Value
from hub.domain.deploying import COMMIT
from hub.domain.provenance import CiText
from hub.domain.situation import Deployment

TEXT_CHARS_MAX = 200
Number = Annotated[int, Meta(ge=1, le=2**53)]


class _Named(Value):
    login: str = ""
    full_name: str = ""


class WaitingRun(Value):
    """A run that waits, as GitHub tells of it."""

    id: Number
    head_sha: str
    run_attempt: Number = 1
    name: str | None = ""
    head_branch: str | None = ""
    display_title: str | None = ""
    triggering_actor: _Named | None = None
    head_repository: _Named | None = None
    status: str | None = ""


class _Runs(Value):
    workflow_runs: tuple[WaitingRun, ...]


class _Environment(Value):
    id: Number
    name: str


class _Pending(Value):
    environment: _Environment
    current_user_can_approve: bool = False


def waiting_runs(raw: bytes) -> tuple[WaitingRun, ...] | None:
    """Read the list of runs; None where it is not as published."""
    try:
        found = msgspec.json.decode(raw, type=_Runs).workflow_runs
    except msgspec.DecodeError:
        return None
    return tuple(each for each in found if COMMIT.fullmatch(each.head_sha))


def deployments(name: str, run: WaitingRun, raw: bytes) -> tuple[Deployment, ...] | None:
    """Read what a run waits for, as far as the person may answer it; None where that is not as published.

    Args:
        name: "owner/name" of the repository.
        run: the run.
        raw: GitHub's list of its pending deployments.
    """
    try:
        found = msgspec.json.decode(raw, type=tuple[_Pending, ...])
    except msgspec.DecodeError:
        return None
    return tuple(_deployment(name, run, each.environment) for each in found if each.current_user_can_approve)


def why_not(raw_run: bytes, raw_pending: bytes, wanted: Deployment) -> str:
    """Say why a deployment is no longer the one that was shown; empty where it is, to the letter."""
    try:
        run = msgspec.json.decode(raw_run, type=WaitingRun)
    except msgspec.DecodeError:
        return "GitHub's answer could not be read."
    waiting = deployments(wanted.repository, run, raw_pending)
    if waiting is None:
        return "GitHub's answer could not be read."
    if (run.id, run.head_sha, run.run_attempt) != (wanted.run, wanted.commit, wanted.attempt):
        return "The run is no longer what the card showed: it was restarted, or is for another commit."
    if not _is_among(wanted, waiting):
        return "It is no longer waiting for you: it was answered elsewhere, or has ended."
    return ""


def _is_among(wanted: Deployment, waiting: Collection[Deployment]) -> bool:
    return any(
        (each.environment_id, each.environment) == (wanted.environment_id, wanted.environment) for each in waiting
    )


def _deployment(name: str, run: WaitingRun, environment: _Environment) -> Deployment:
    origin = run.head_repository.full_name if run.head_repository else ""
    return Deployment(
        repository=name,
        run=run.id,
        attempt=run.run_attempt,
        commit=run.head_sha,
        environment=CiText(environment.name),
        environment_id=environment.id,
        branch=_text(run.head_branch),
        workflow=_text(run.name),
        title=_text(run.display_title),
        actor=_text(run.triggering_actor.login if run.triggering_actor else ""),
        fork=_text(origin if origin.casefold() != name.casefold() else ""),
    )


def _text(words: str | None) -> CiText:
    return CiText((words or "")[:TEXT_CHARS_MAX])
