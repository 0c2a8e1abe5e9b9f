"""What a signal saw, before it is rated; and how signals read repositories and name playbooks."""

from hub.contract.base import Value
from hub.contract.words import Risk
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Work
from hub.what.text import clean

TITLE_CHARS_MAX = 120


class Sighting(Value):
    """Something worth doing and why; `need` says in words what must be true afterwards (and the exit code is 0)."""

    kind: str
    reason_key: str
    signature: str
    prompt: str
    reasoning: str
    urgency: float
    affinity: str | None
    need: str
    work: Work = Work()
    risk: Risk = Risk.LOW
    last_resort: bool = False


def repositories(situation: Situation) -> tuple[Repository, ...]:
    """Return the repositories that could be read, in a stable order."""
    return tuple(sorted(situation.repositories or (), key=lambda repository: repository.path))


def of(situation: Situation, repository: Repository) -> str:
    """Return " of NAME" where more than one repository is watched, else nothing."""
    return f" of {clean(repository.name)}" if len(situation.repositories or ()) > 1 else ""


def work_in(repository: Repository, playbook: str | None = None) -> Work:
    """Return the work in a repository: by the playbook if it has it there, else by an agent with the prompt."""
    return Work(playbook=playbook if playbook in repository.playbooks else None, workspace=repository.path)
