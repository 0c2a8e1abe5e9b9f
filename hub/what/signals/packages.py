"""A manifest asks for packages that are not installed, or the tests need some first. Urgency: 0.5."""

from collections.abc import Iterator

from hub.contract.words import Risk
from hub.domain.provenance import counted, say
from hub.domain.situation import NotInstalled, NotSetUp, Repository, Situation
from hub.domain.suggestion import INSTALL_PACKAGES, SET_UP, Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in
from hub.what.text import listed

KIND = INSTALL_PACKAGES
SENSOR = "git"
DRIVE = "system"
FITS: Hours = {"morning": 0.8, "afternoon": 0.9, "evening": 0.5, "night": 0.3}
URGENCY = 0.5


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per manifest; another package that is missing is more of it.

    A lock file that is out of date comes first: what is installed from it would lack the same. Where a run of the tests
    was seen, somebody has what they need elsewhere.
    """
    for repository in repositories(situation):
        if repository.set_up is not None and repository.last_test_run_at is None and not repository.conflicts:
            yield _set_up(situation, repository, repository.set_up)
            continue
        behind = {each.manifest for each in repository.stale_locks}
        for each in () if repository.conflicts else repository.not_installed:
            if each.manifest not in behind:
                yield _idea(situation, repository, each)


def _set_up(situation: Situation, repository: Repository, missing: NotSetUp) -> Candidate:
    place = of(situation, repository)
    asked = say("what {manifest}{of} asks for", manifest=missing.manifest, of=place)
    what = asked if missing.manifest else say("what the tests{of} need", of=place)
    how = say("Create .venv and install") if missing.makes_environment else say("Install")
    there_is_none, not_there = say("there is no environment here yet"), say("it is not installed here yet")
    where = there_is_none if missing.makes_environment else not_there
    return Candidate(
        kind=KIND,
        reason_key=f"{repository_key(KIND, repository)}:{SET_UP}",
        signature=state(f"{missing.manifest} {missing.makes_environment}"),
        prompt=say("{how} {what}", how=how, what=what),
        reasoning=say(
            "The tests cannot run yet: {where}. Packages may run code while they are installed.", where=where
        ),
        urgency=URGENCY,
        affinity="code",
        need=Need(text="It is installed (the installer reports no error)."),
        work=work_in(repository, KIND),
        args=(say("{all}", all=SET_UP),),
        risk=Risk.MEDIUM,
    )


def _idea(situation: Situation, repository: Repository, missing: NotInstalled) -> Candidate:
    count = counted(len(missing.names), "package")
    return Candidate(
        kind=KIND,
        reason_key=f"{repository_key(KIND, repository)}:{missing.manifest}",
        signature=state(missing.manifest, missing.names),
        prompt=say(
            "Install {count} that {manifest}{of} asks for",
            count=count,
            manifest=missing.manifest,
            of=of(situation, repository),
        ),
        reasoning=say(
            "{manifest} asks for {names}, which {is_not} installed here.",
            manifest=missing.manifest,
            names=listed(missing.names),
            is_not=say("is not") if len(missing.names) == 1 else say("are not"),
        ),
        urgency=URGENCY,
        affinity="code",
        need=Need(text="The packages are installed (the installer reports no error)."),
        work=work_in(repository, KIND),
        args=(say("{manifest}", manifest=missing.manifest),),
        risk=Risk.MEDIUM,
    )
