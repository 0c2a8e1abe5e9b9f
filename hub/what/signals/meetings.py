"""A meeting that starts within the hour. Urgency: 0.6 at 60 min before, rising to 1 at its start."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.situation import Meeting, Situation
from hub.domain.suggestion import Work
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import TITLE_CHARS_MAX, Sighting, repositories
from hub.what.text import HOUR, clean

KIND = "prepare-meeting"
AHEAD = timedelta(minutes=60)
ALL_DAY = timedelta(hours=20)


def look(situation: Situation) -> Iterator[Sighting]:
    """Yield one sighting per meeting ahead; days-long entries (holidays, birthdays) are no meetings."""
    for meeting in sorted(situation.meetings or (), key=lambda meeting: (meeting.starts_at, meeting.uid)):
        left = meeting.starts_at - situation.at
        if timedelta(0) < left <= AHEAD and meeting.ends_at - meeting.starts_at < ALL_DAY:
            yield _sighting(situation, meeting, left)


def _sighting(situation: Situation, meeting: Meeting, left: timedelta) -> Sighting:
    title = clean(meeting.title, TITLE_CHARS_MAX) or "the meeting"
    start = meeting.starts_at.astimezone(situation.local.tzinfo)
    minutes = max(int(left.total_seconds() // 60), 1)
    return Sighting(
        kind=KIND,
        reason_key=f"{KIND}:{digest(meeting.uid, meeting.starts_at)}",
        signature=state(meeting.starts_at),
        prompt=f'Prepare the context for "{title}", which starts at {start:%H:%M}',
        reasoning=f'"{title}" starts in {minutes} min, at {start:%H:%M}.',
        urgency=ramp((AHEAD - left) / HOUR, 0.0, AHEAD / HOUR, 0.6, 1.0),
        affinity="research",
        need="A note with the context is written (exit code 0).",
        work=_work(situation, title, start.isoformat()),
    )


def _work(situation: Situation, title: str, start: str) -> Work:
    for repository in repositories(situation):
        if KIND in repository.playbooks:
            return Work(playbook=KIND, workspace=repository.path, args=(title, start))
    return Work()
