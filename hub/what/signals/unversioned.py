"""A folder that is worked in, and that nothing keeps versions of. Urgency: 0.65, and only once."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.dates import day_said
from hub.domain.first_version import FIRST_MESSAGE, IGNORED, MAKE_REPOSITORY
from hub.domain.provenance import counted, say
from hub.domain.situation import DocumentFolder, Situation, Unversioned
from hub.domain.suggestion import Candidate, Need, Work
from hub.kit.text import file_size
from hub.what.day import Hours
from hub.what.reasons import digest, state

KIND = MAKE_REPOSITORY
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.6, "afternoon": 0.6, "evening": 0.6, "night": 0.3}
URGENCY = 0.65
DAYS_MIN = 3
FILES_MIN = 5
AGE_MIN = timedelta(days=7)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per folder; there is never a new reason, so each folder is told of once."""
    for folder in situation.folders or ():
        found = folder.unversioned
        if found is not None and found.files >= FILES_MIN and _is_worked_in(found):
            yield _idea(situation, folder, found)


def _is_worked_in(found: Unversioned) -> bool:
    """Return True for a folder of several days' edits, or with work that goes back a while."""
    return found.days >= DAYS_MIN or (found.days > 0 and found.newest_at - found.oldest_at >= AGE_MIN)


def _idea(situation: Situation, folder: DocumentFolder, found: Unversioned) -> Candidate:
    oldest = found.oldest_at.astimezone(situation.local.tzinfo)
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(folder.path)}",
        signature=state("unversioned"),
        prompt=say("Put this folder under version control with git: {files}", files=counted(found.files, "file")),
        reasoning=say(
            "Its files go back to {day}, and no repository keeps their earlier versions. "
            "A first commit holds its {size}, without large media and possible secrets. It stays on this "
            "machine, and undo removes it again.",
            day=day_said(oldest.date()),
            size=file_size(found.size),
        ),
        urgency=URGENCY,
        affinity="docs",
        need=Need(text="The folder is a repository with a first commit (git reports no error)."),
        work=Work(playbook=MAKE_REPOSITORY, workspace=folder.path),
        details=say(
            "git init\ngit add --all\ngit commit --quiet --message '{message}'\n\n"
            "with this .gitignore, unless it has one:\n\n{ignored}",
            message=FIRST_MESSAGE,
            ignored=IGNORED,
        ),
    )
