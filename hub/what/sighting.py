"""How signals read repositories and name playbooks."""

import re

from hub.domain.provenance import Wording, quoted, say, untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Work
from hub.what.text import clean

TITLE_CHARS_MAX = 120
ONE_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""A folder's name that says nothing but a name."""


def repositories(situation: Situation) -> tuple[Repository, ...]:
    """Return the repositories that could be read, in a stable order."""
    return tuple(sorted(situation.repositories or (), key=lambda repository: repository.path))


def of(situation: Situation, repository: Repository) -> Wording:
    """Return " of NAME" where more than one repository is watched, else nothing.

    The person chose the folder, so a name of one plain word is theirs; one that could be a sentence is quoted.
    """
    if len(situation.repositories or ()) <= 1:
        return Wording()
    name = clean(repository.name)
    plain = ONE_WORD.fullmatch(untrusted(name))
    return say(" of {name}", name=plain[0] if plain else quoted(name))


def work_in(repository: Repository, playbook: str | None = None) -> Work:
    """Return the work in a repository: by the playbook if it has it there, else by an agent with the prompt."""
    return Work(playbook=playbook if playbook in repository.playbooks else None, workspace=repository.path)
