"""Sources changed since the last recorded test run. Urgency: 0.4 plus 0.1 per module up to 0.8, 0.1 if it failed.

The title counts nothing: the card stands while more is changed, and what a person answers must be what it said.
"""

from collections.abc import Iterator

from hub.domain.provenance import RepositoryText, Wording, counted, say, untrusted
from hub.domain.situation import Module, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import at_time, of, repositories, work_in
from hub.what.text import clean, listed

KIND = "run-tests"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.7, "afternoon": 1.0, "evening": 0.6, "night": 0.3}
MODULES_COUNTED_MAX = 4
RESULTS = {True: say(" It passed."), False: say(" It failed."), None: Wording()}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository with changed modules that has tests; what is in conflict cannot be tested."""
    for repository in repositories(situation):
        ran_elsewhere = repository.last_test_run_at is not None and not repository.was_test_run_ours
        has_tests = KIND in repository.playbooks or ran_elsewhere
        if repository.changed_modules and has_tests and not repository.conflicts:
            yield _idea(situation, repository)


def _idea(situation: Situation, repository: Repository) -> Candidate:
    modules = _modules(repository)
    work, within = work_in(repository, KIND), repository.tests_in
    args = (say("{within}", within=within),) if work.playbook and untrusted(within) else ()
    where = say(" in {within}", within=clean(within)) if args else Wording()
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(repository.last_test_run_at, (module.path for module in modules)),
        prompt=say("Run the tests{where}{of}: the code has changed", where=where, of=of(situation, repository)),
        reasoning=_reasoning(situation, repository),
        urgency=_urgency(repository),
        affinity="code",
        need=Need(text="All tests pass."),
        work=work,
        args=args,
    )


def _modules(repository: Repository) -> tuple[Module, ...]:
    """Return the changed modules that are tested: those of the folder that the tests are in."""
    within = untrusted(repository.tests_in)
    changed = repository.changed_modules
    return tuple(each for each in changed if not within or f"{untrusted(each.path)}/".startswith(f"{within}/"))


def _urgency(repository: Repository) -> float:
    failed = 0.1 if repository.last_test_run_passed is False else 0.0
    return 0.4 + 0.1 * min(len(repository.changed_modules), MODULES_COUNTED_MAX) + failed


def _reasoning(situation: Situation, repository: Repository) -> Wording:
    modules, last = _modules(repository), repository.last_test_run_at
    what = {
        "files": counted(sum(module.files for module in modules), "file"),
        "modules": counted(len(modules), "module"),
        "names": listed(tuple(_name(module.path) for module in sorted(modules, key=lambda module: module.path))),
    }
    if last is None:
        return say("{files} in {modules} changed: {names}. No test run is known yet.", **what)
    return say(
        "{files} in {modules} changed since the last run {when}: {names}.{result}",
        when=at_time(situation, last),
        result=RESULTS[repository.last_test_run_passed],
        **what,
    )


def _name(path: RepositoryText) -> RepositoryText | Wording:
    return say("the top folder") if untrusted(path).strip("/") in {"", "."} else path
