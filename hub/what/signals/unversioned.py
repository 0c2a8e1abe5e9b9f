"""A folder that is edited day by day, and that nothing keeps versions of. Urgency: 0.46, just worth a card; once."""

from collections.abc import Iterator

from hub.domain.first_version import FIRST_MESSAGE, IGNORED, MAKE_REPOSITORY
from hub.domain.provenance import say
from hub.domain.situation import DocumentFolder, Situation, Unversioned
from hub.domain.suggestion import Candidate, Need, Work
from hub.kit.text import counted, file_size
from hub.what.day import Hours
from hub.what.reasons import digest, state

KIND = MAKE_REPOSITORY
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.6, "afternoon": 0.6, "evening": 0.6, "night": 0.3}
URGENCY = 0.46
DAYS_MIN = 3
FILES_MIN = 5


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per folder; there is never a new reason, so each folder is told of once."""
    for folder in situation.folders or ():
        found = folder.unversioned
        if found is not None and found.days >= DAYS_MIN and found.files >= FILES_MIN:
            yield _idea(folder, found)


def _idea(folder: DocumentFolder, found: Unversioned) -> Candidate:
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(folder.path)}",
        signature=state("unversioned"),
        prompt=say("Keep the versions of this folder with git: {files}", files=counted(found.files, "file")),
        reasoning=say(
            "It was edited on {days} of the last 14 days, and no repository keeps what its files were before. "
            "A first commit holds its {size}; large media and what may be secret is left out. It stays on this "
            "machine, and undo takes it away again.",
            days=found.days,
            size=file_size(found.size),
        ),
        urgency=URGENCY,
        affinity="docs",
        need=Need(text="The folder is a repository with a first commit (git ends without an error)."),
        work=Work(playbook=MAKE_REPOSITORY, workspace=folder.path),
        details=say(
            "git init\ngit add --all\ngit commit --quiet --message '{message}'\n\n"
            "with this .gitignore, unless it has one:\n\n{ignored}",
            message=FIRST_MESSAGE,
            ignored=IGNORED,
        ),
    )
