"""What a card about a deployment says: exactly which commit would go where, and what is odd about it."""

from collections.abc import Iterator

from hub.contract.words import Risk
from hub.domain.provenance import Wording, quoted, say
from hub.domain.situation import Deployment, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.reasons import repository_key, state
from hub.what.sighting import repositories, work_in
from hub.what.text import clean

COMMIT_CHARS = 12
"""Of the commit in the first line; the whole of it stands in the reason, in the details and in what would run."""


def waiting(situation: Situation, playbook: str) -> Iterator[tuple[Repository, Deployment]]:
    """Yield the deployments that can be answered here.

    One whose environment cannot be shown to the letter is left to GitHub's own page, and no agent is ever handed one.
    """
    for repository in repositories(situation):
        if playbook in repository.playbooks:
            for one in repository.deployments or ():
                if one.environment and clean(one.environment) == one.environment:
                    yield repository, one


def answer_to(
    situation: Situation,
    repository: Repository,
    one: Deployment,
    *,
    kind: str,
    verb: Wording,
    risk: Risk,
    urgency: float,
) -> Candidate:
    """Return one answer to a deployment. It quotes the world, so it is always asked about."""
    several = len(situation.repositories or ()) > 1
    return Candidate(
        kind=kind,
        reason_key=f"{repository_key(kind, repository)}:{one.run}:{one.environment_id}",
        signature=state(f"{one.attempt} {one.commit}"),
        prompt=say(
            "{verb} the deployment of {name} to {environment}, commit {commit}",
            verb=verb,
            name=one.repository if several else one.repository.partition("/")[2],
            environment=quoted(one.environment),
            commit=one.commit[:COMMIT_CHARS],
        ),
        reasoning=_reason(one),
        urgency=urgency,
        affinity="code",
        need=Need(text="GitHub accepted the answer (gh reports no error)."),
        work=work_in(repository, kind),
        args=tuple(
            say("{part}", part=part)
            for part in (one.repository, one.run, one.attempt, one.commit, one.environment_id, one.environment)
        ),
        risk=risk,
        is_exact=True,
        details=_details(one),
    )


def _reason(one: Deployment) -> Wording:
    told = say(
        "“{workflow}” is waiting for your review before it deploys commit {commit} to “{environment}”.",
        workflow=clean(one.workflow),
        commit=one.commit,
        environment=one.environment,
    )
    if not one.fork:
        return told
    return say("{told} The commit is from another repository, {fork}.", told=told, fork=clean(one.fork))


def _details(one: Deployment) -> Wording:
    return say(
        "Repository: {name}\nEnvironment: {environment}\nCommit: {commit}\nBranch: {branch}\nStarted by: {actor}\n"
        "Title: {title}\nhttps://github.com/{name}/actions/runs/{run}",
        name=one.repository,
        environment=one.environment,
        commit=one.commit,
        branch=clean(one.branch),
        actor=clean(one.actor),
        title=clean(one.title),
        run=one.run,
    )
