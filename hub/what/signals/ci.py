"""The last CI result is a failure. Urgency: 0.9."""

from collections.abc import Iterator

from hub.domain.provenance import Wording, say
from hub.domain.situation import Situation
from hub.domain.suggestion import Candidate
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import mended, of, repositories, work_in
from hub.what.text import TEXT_CHARS_MAX, clean

KIND = "fix-ci"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.9, "afternoon": 1.0, "evening": 0.5, "night": 0.2}
URGENCY = 0.9


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository whose CI failed; a new commit that still fails is a new reason."""
    for repository in repositories(situation):
        if repository.ci != "failed":
            continue
        detail = clean(repository.ci_detail, TEXT_CHARS_MAX)
        branch = say(" on {branch}", branch=clean(repository.branch)) if repository.branch else Wording()
        yield Candidate(
            kind=KIND,
            reason_key=repository_key(KIND, repository),
            signature=state(repository.head),
            prompt=say("Find out why CI{of} fails, and fix it", of=of(situation, repository)),
            reasoning=say("The last CI result{branch} is a failure", branch=branch)
            if not detail
            else say("The last CI result{branch} is a failure: {detail}", branch=branch, detail=detail),
            urgency=URGENCY,
            affinity="code",
            need=mended(repository),
            work=work_in(repository),
        )
