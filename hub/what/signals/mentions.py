"""Somebody mentioned the person on Discord, and they have not answered. Urgency: 0.4 at once, up to 0.6 after 4 h."""

from collections.abc import Iterator
from datetime import timedelta

from hub.contract.mentions import MENTION_LASTS, MENTIONS_SENSOR
from hub.domain.provenance import counted, say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import state
from hub.what.scoring import ramp
from hub.what.sighting import at_time
from hub.what.text import HOUR

KIND = "answer-mentions"
SENSOR = MENTIONS_SENSOR
DRIVE = "social"
FITS: Hours = {"morning": 0.8, "afternoon": 0.8, "evening": 0.6, "night": 0.1}
AGE_H_HIGH = 4.0


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea for all of them; another mention is a new reason, one that was answered is none."""
    waiting = [each for each in situation.mentions or () if situation.at - each.last_at <= MENTION_LASTS]
    count = sum(each.count for each in waiting)
    if not count:
        return
    last_at = max(each.last_at for each in waiting)
    oldest_h = (situation.at - min(each.last_at for each in waiting)) / HOUR
    mentions = counted(count, "mention")
    where = say("in {channels}", channels=counted(len(waiting), "channel"))
    yield Candidate(
        kind=KIND,
        reason_key=KIND,
        signature=state("mentions", (f"{each.channel} {each.last_at.isoformat()}" for each in waiting)),
        prompt=say(
            "Read the {mentions} of me on Discord {where}, and note what an answer needs; send nothing",
            mentions=mentions,
            where=where,
        ),
        reasoning=say(
            "{mentions} on Discord {where} that you have not answered, the latest {when}.",
            mentions=mentions,
            where=where,
            when=at_time(situation, last_at),
        ),
        urgency=ramp(oldest_h, 0.0, AGE_H_HIGH, 0.4, 0.6),
        affinity="research",
        need=Need(text="What an answer needs is written down (the agent reports no error)."),
    )


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when those in a channel are too old to be waited for."""
    yield from (each.last_at - situation.at + MENTION_LASTS for each in situation.mentions or ())
