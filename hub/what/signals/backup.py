"""Much was changed since the last backup, or the last commit. Urgency: 0.5 after 3 days, rising to 0.75 after 14.

Of a repository of texts and pictures whose changes are too many for one commit that could be proposed, its files count.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hub.domain.provenance import counted, say
from hub.domain.situation import DocumentFolder, Repository, SinceBackup, Situation
from hub.domain.suggestion import Candidate, Need
from hub.kit.text import file_size
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import REVIEW, at_path, at_time, looked_at_folder, work_in
from hub.what.text import DAY

KIND = "back-up"
SENSOR = "folders"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.5, "afternoon": 0.7, "evening": 0.9, "night": 0.5}
STEPS_DAYS = (3.0, 7.0, 14.0)
FILES_MIN = 20
BYTES_MIN = 100 * 1024 * 1024


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per folder; a backup ends it, and each step that is passed (3, 7, 14 days) is a new reason."""
    for folder in situation.folders or ():
        since = folder.since_backup
        if since is not None and (since.files >= FILES_MIN or since.size >= BYTES_MIN):
            days = (situation.at - since.backup_at) / DAY
            if days >= STEPS_DAYS[0]:
                yield _idea(situation, folder, since, days)
        repository = at_path(situation, folder.path)
        if repository is not None and repository.head_at is not None and len(repository.uncommitted) > FILES_MIN:
            days = (situation.at - repository.head_at) / DAY
            if days >= STEPS_DAYS[0]:
                yield _uncommitted(situation, repository, repository.head_at, days)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when each folder's last backup is so many days old."""
    for folder in situation.folders or ():
        if folder.since_backup is not None:
            yield from (folder.since_backup.backup_at - situation.at + step * DAY for step in STEPS_DAYS)
        repository = at_path(situation, folder.path)
        if repository is not None and repository.head_at is not None:
            yield from (repository.head_at - situation.at + step * DAY for step in STEPS_DAYS)


def _uncommitted(situation: Situation, repository: Repository, head_at: datetime, days: float) -> Candidate:
    files = counted(len(repository.uncommitted), "file")
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:commit:{digest(repository.path)}",
        signature=state(repository.head, (step for step in STEPS_DAYS if days >= step)),
        prompt=say("Review {files} that are not committed", files=files),
        reasoning=say(
            "The last commit was made {at}; {files}, changed or new, are not in it: too many to propose a commit.",
            at=at_time(situation, head_at),
            files=files,
        ),
        urgency=_urgency(days),
        affinity="docs",
        need=Need(text="The note on what was found is written."),
        work=work_in(repository, REVIEW),
    )


def _urgency(days: float) -> float:
    return ramp(days, STEPS_DAYS[0], STEPS_DAYS[-1], 0.5, 0.75)


def _idea(situation: Situation, folder: DocumentFolder, since: SinceBackup, days: float) -> Candidate:
    files = counted(since.files, "file")
    return looked_at_folder(
        folder,
        kind=KIND,
        reason_key=f"{KIND}:{digest(folder.path)}",
        signature=state(since.backup_at.isoformat(), (step for step in STEPS_DAYS if days >= step)),
        prompt=say("Review {files} changed since the last backup", files=files),
        reasoning=say(
            "The last backup was made {at}; since then {files} ({size}) changed.",
            at=at_time(situation, since.backup_at),
            files=files,
            size=file_size(since.size),
        ),
        urgency=_urgency(days),
        args=(say("backup"), say("{at}", at=since.backup_at.isoformat())),
    )
