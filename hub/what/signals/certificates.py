"""A certificate is about to end. Urgency: 0.45 at 21 days, rising to 0.85 at its end."""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.dates import day_said
from hub.domain.provenance import say
from hub.domain.situation import SeenCertificate, Situation
from hub.domain.suggestion import Candidate, Need, Work
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.scoring import ramp
from hub.what.text import DAY, clean

KIND = "renew-certificate"
SENSOR = "certificates"
DRIVE = "system"
FITS: Hours = {"morning": 0.9, "afternoon": 0.8, "evening": 0.4, "night": 0.2}
SHOW = "show-certificate"
"""The playbook that writes down what the certificate is for."""
DAYS_AHEAD = 21.0
STEPS_DAYS = (21.0, 7.0, 1.0, 0.0)
ENDED_MAX = timedelta(days=7)
"""One that lies in a repository and ended longer ago is nobody's any more; one that the settings name still is."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per certificate; each step that is passed (21, 7, 1 days, the end) is a new reason."""
    for each in situation.certificates or ():
        left = each.ends_at - situation.at
        if left <= DAYS_AHEAD * DAY and (each.workspace is None or left >= -ENDED_MAX):
            yield _idea(situation, each, left)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when each passes a step, and when one that ended is nobody's any more."""
    for each in situation.certificates or ():
        left = each.ends_at - situation.at
        yield from (left - step * DAY for step in STEPS_DAYS)
        yield left + ENDED_MAX


def _idea(situation: Situation, certificate: SeenCertificate, left: timedelta) -> Candidate:
    days = left / DAY
    local = certificate.ends_at.astimezone(situation.local.tzinfo)
    date = day_said(local.date())
    ends = say("expires") if days > 0 else say("expired")
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(certificate.path)}",
        signature=state(certificate.ends_at.isoformat(), (step for step in STEPS_DAYS if days <= step)),
        prompt=say("Check the certificate that {ends} on {date}", ends=ends, date=date),
        reasoning=say(
            "{name} {ends} on {date}. After that, connections that check it are refused.",
            name=clean(certificate.name),
            ends=ends,
            date=date,
        ),
        urgency=ramp(-days, -DAYS_AHEAD, 0.0, 0.45, 0.85),
        affinity="code",
        need=Need(text="The note on the certificate is written."),
        work=Work(playbook=SHOW, workspace=certificate.workspace),
        args=(say("{path}", path=certificate.path),),
    )
