"""A dependency manifest was changed. Urgency: 0.35."""

from collections.abc import Iterator
from datetime import date

from hub.domain.provenance import RepositoryText, counted, say, untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import repository_key, state
from hub.what.sighting import of, repositories, work_in
from hub.what.text import listed

KIND = "dependency-graph"
SENSOR = "git"
DRIVE = "curiosity"
FITS: Hours = {"morning": 0.4, "afternoon": 0.6, "evening": 0.5, "night": 0.3}
URGENCY = 0.35
MANIFESTS = frozenset(
    {
        "pyproject.toml",
        "requirements.txt",
        "setup.cfg",
        "setup.py",
        "Pipfile",
        "package.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Gemfile",
        "composer.json",
    }
)


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository; the matter is one day's change of these manifests."""
    for repository in repositories(situation):
        manifests = tuple(sorted({*_uncommitted(repository), *_lately(situation, repository)}))
        if manifests:
            yield _idea(situation, repository, manifests)


def _idea(situation: Situation, repository: Repository, manifests: tuple[RepositoryText, ...]) -> Candidate:
    verb = say("has") if len(manifests) == 1 else say("have")
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(_day(situation, repository), manifests),
        prompt=say(
            "Refresh the dependency graph{of}: {number} {verb} changed",
            of=of(situation, repository),
            number=counted(len(manifests), "manifest"),
            verb=verb,
        ),
        reasoning=say(
            "{names} {verb} changed; the graph in the notes may be out of date.", names=listed(manifests), verb=verb
        ),
        urgency=URGENCY,
        affinity="memory",
        need=Need(text="The dependency graph is updated."),
        work=work_in(repository, KIND),
        comes="once liked",
    )


def _uncommitted(repository: Repository) -> Iterator[RepositoryText]:
    return (path for path in repository.uncommitted if _is_manifest(untrusted(path)))


def _lately(situation: Situation, repository: Repository) -> Iterator[RepositoryText]:
    root = repository.path.rstrip("/") + "/"
    for path in situation.files.changed if situation.files else ():
        if untrusted(path).startswith(root) and _is_manifest(untrusted(path)):
            yield path.map(lambda words: words.removeprefix(root))


def _is_manifest(path: str) -> bool:
    return path.rsplit("/", 1)[-1] in MANIFESTS


def _day(situation: Situation, repository: Repository) -> date | None:
    last = situation.files.last_change_at if situation.files else None
    changed_at = repository.uncommitted_since if any(_uncommitted(repository)) else last
    return changed_at.astimezone(situation.local.tzinfo).date() if changed_at else None
