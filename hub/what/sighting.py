"""How signals read repositories, name them and their times, and name playbooks."""

import re
from datetime import datetime
from typing import Literal

from msgspec.structs import replace

from hub.domain.dates import MONTHS
from hub.domain.provenance import Wording, WorldText, quoted, say, untrusted
from hub.domain.situation import DocumentFolder, Repository, Situation
from hub.domain.suggestion import RUN_TESTS, Candidate, Need, Work
from hub.what.text import clean

TITLE_CHARS_MAX = 120
REVIEW = "review-work"
"""The playbook that only looks: for what needs a mind, where no agent has one."""
PREPARE = "prepare-meeting"
"""The playbook that writes down where things stand; it needs no folder."""
LOOK = "look-at-machine"
"""The playbook that says what fills the disk or the memory, and how a program stands; it needs no folder."""
LOOK_FOLDER = "look-at-folder"
"""The playbook that says which links lead nowhere, how versions differ, and what changed since a backup."""
ONE_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""A folder's name that says nothing but a name."""


def repositories(situation: Situation) -> tuple[Repository, ...]:
    """Return the repositories that could be read, in a stable order."""
    return tuple(sorted(situation.repositories or (), key=lambda repository: repository.path))


def at_path(situation: Situation, path: str | None) -> Repository | None:
    """Return the repository whose work tree is at a path; None where there is none."""
    return next((each for each in situation.repositories or () if each.path == path), None)


def folder_at(situation: Situation, path: str | None) -> DocumentFolder | None:
    """Return the folder of texts and pictures at a path; None where there is none."""
    return next((each for each in situation.folders or () if each.path == path), None)


def named_folder(situation: Situation, path: str | None) -> tuple[str, str]:
    """Return the name of what is watched at a path, and of its branch, to be shown; empty where there is none."""
    repository, folder = at_path(situation, path), folder_at(situation, path)
    if repository is None:
        return "" if folder is None else untrusted(clean(folder.name)), ""
    return named_place(repository)


def named_place(repository: Repository) -> tuple[str, str]:
    """Return a repository's and its branch's name, to be shown; the branch's is empty where none is checked out."""
    branch = clean(repository.branch) if repository.branch else None
    return untrusted(clean(repository.name)), untrusted(branch) if branch else ""


def of(situation: Situation, repository: Repository, word: Literal["of", "in", "into", ""] = "of") -> Wording:
    """Return " of NAME", or with another word, as " in NAME", or without one.

    The person chose the folder, so a name of one plain word is theirs. One that could be a sentence is quoted, and left
    out where no other repository is watched: what quotes others never runs by itself.
    """
    name = clean(repository.name)
    plain = ONE_WORD.fullmatch(untrusted(name))
    if not plain and len(situation.repositories or ()) <= 1:
        return Wording()
    shown = plain[0] if plain else quoted(name)
    match word:
        case "of":
            return say(" of {name}", name=shown)
        case "in":
            return say(" in {name}", name=shown)
        case "into":
            return say(" into {name}", name=shown)
        case "":
            return say(" {name}", name=shown)


def at_time(situation: Situation, moment: datetime) -> Wording:
    """Return "at 14:30", or "on 2 March at 14:30" of another day: true however long the card waits."""
    local = moment.astimezone(situation.local.tzinfo)
    said = moment_said(situation, moment)
    return say("at {clock}", clock=said) if local.date() == situation.local.date() else say("on {day}", day=said)


def moment_said(situation: Situation, moment: datetime) -> Wording:
    """Return "14:30", or "2 March at 14:30" of another day."""
    local = moment.astimezone(situation.local.tzinfo)
    clock = f"{local:%H:%M}"
    if local.date() == situation.local.date():
        return say("{clock}", clock=clock)
    return say("{day} {month} at {clock}", day=local.day, month=MONTHS[local.month - 1], clock=clock)


def work_in(repository: Repository, playbook: str | None = None) -> Work:
    """Return the work in a repository: by the playbook if it has it there, else by an agent with the prompt."""
    return Work(playbook=playbook if playbook in repository.playbooks else None, workspace=repository.path)


def note_work(situation: Situation) -> Work:
    """Return the work of writing down where things stand, in the first repository that is watched, if there is one."""
    found = (each for each in repositories(situation) if PREPARE in each.playbooks)
    return next((Work(playbook=PREPARE, workspace=each.path) for each in found), Work(playbook=PREPARE))


def noted(situation: Situation, idea: Candidate, about: Wording, title: WorldText) -> Candidate:
    """Return the same matter as a note on where it stands, for a person without an agent that works on it."""
    return replace(
        idea,
        prompt=say("See where things stand for the {about} {title}", about=about, title=quoted(title)),
        need=Need(text="The status note is written."),
        work=note_work(situation),
        args=(say("{title}", title=title),),
    )


def looked_at(idea: Candidate, prompt: Wording, *args: Wording) -> Candidate:
    """Return the same matter of this machine as a note that needs no agent."""
    need = Need(text="The note on what was found is written.")
    return replace(idea, prompt=prompt, need=need, work=Work(playbook=LOOK), args=args)


def looked_at_folder(
    folder: DocumentFolder,
    *,
    kind: str,
    reason_key: str,
    signature: str,
    prompt: Wording,
    reasoning: Wording,
    urgency: float,
    args: tuple[Wording, ...],
) -> Candidate:
    """Return a matter of a folder of texts and pictures: a note, for whatever is done about it is the person's own."""
    return Candidate(
        kind=kind,
        reason_key=reason_key,
        signature=signature,
        prompt=prompt,
        reasoning=reasoning,
        urgency=urgency,
        affinity="docs",
        need=Need(text="The note on what was found is written."),
        work=Work(playbook=LOOK_FOLDER, workspace=folder.path),
        args=args,
    )


def mended(repository: Repository) -> Need:
    """Return what proves a cause fixed: the tests, which are run afterwards; where they cannot be, the agent's word."""
    if RUN_TESTS in repository.playbooks and not untrusted(repository.tests_in):
        return Need(text="The tests pass afterwards.", tests="after")
    return Need(text="The agent reports no error.")
