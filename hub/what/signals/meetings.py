"""A meeting that starts within the hour. Urgency: 0.6 at 60 min before, rising to 1 at its start."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import quoted, say
from hub.domain.situation import Meeting, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.sighting import PREPARE, TITLE_CHARS_MAX, note_work
from hub.what.text import HOUR, clean

KIND = PREPARE
SENSOR = "calendar"
DRIVE = "social"
FITS: Hours = {"morning": 1.0, "afternoon": 1.0, "evening": 1.0, "night": 0.5}
AHEAD = timedelta(minutes=60)
ALL_DAY = timedelta(hours=20)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per meeting ahead; days-long entries (holidays, birthdays) are no meetings."""
    for meeting in sorted(situation.meetings or (), key=lambda meeting: (meeting.starts_at, meeting.uid)):
        left = meeting.starts_at - situation.at
        if timedelta(0) < left <= AHEAD and meeting.ends_at - meeting.starts_at < ALL_DAY:
            yield _idea(situation, meeting, left)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when a meeting comes near, and when it begins."""
    for meeting in situation.meetings or ():
        yield meeting.starts_at - situation.at - AHEAD
        yield meeting.starts_at - situation.at


def _idea(situation: Situation, meeting: Meeting, left: timedelta) -> Candidate:
    title = clean(meeting.title, TITLE_CHARS_MAX)
    start = meeting.starts_at.astimezone(situation.local.tzinfo)
    minutes, clock = max(int(left.total_seconds() // 60), 1), f"{start:%H:%M}"
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(meeting.uid, meeting.starts_at)}",
        signature=state(meeting.starts_at),
        prompt=say("Prepare for {name} at {time}", name=quoted(title), time=clock)
        if title
        else say("Prepare for the meeting at {time}", time=clock),
        reasoning=say('"{title}" starts in {minutes} min, at {time}.', title=title, minutes=minutes, time=clock)
        if title
        else say("The meeting starts in {minutes} min, at {time}.", minutes=minutes, time=clock),
        urgency=ramp((AHEAD - left) / HOUR, 0.0, AHEAD / HOUR, 0.6, 1.0),
        affinity="research",
        need=Need(text="A note with the context is written."),
        work=note_work(situation),
        args=(say("{title}", title=title) if title else say("the meeting"), say("{start}", start=start.isoformat())),
    )
