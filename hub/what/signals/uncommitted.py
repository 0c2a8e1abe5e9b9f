"""Work to be committed: its tests passed (urgency 0.65), or it lies there for 4 h (0.4, rising to 0.8 at 24 h).

Where there are no tests to run first, as with pages, drawings and texts, half an hour is enough.
"""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.plan import Became
from hub.domain.provenance import Wording, counted, say
from hub.domain.situation import LeftOut, LeftOutFor, Repository, Situation
from hub.domain.suggestion import RUN_TESTS, Candidate, Need
from hub.kit.text import file_size
from hub.what.day import Hours
from hub.what.reasons import branch_of, repository_key, state
from hub.what.scoring import ramp
from hub.what.sighting import at_time, of, repositories, work_in
from hub.what.text import HOUR, clean, listed

KIND = "commit-work"
SENSOR = "git"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.6, "afternoon": 0.7, "evening": 0.9, "night": 0.6}
AGE_H_MIN = 4.0
AGE_UNTESTABLE_H_MIN = 0.5
AGE_H_HIGH = 24.0
URGENCY_TESTED = 0.65
BY_AN_AGENT = say(" on a branch of their own, with a message that says what they do")
PROPOSED = Wording()
"""In the place of the message: it is proposed from what is there when the card is made."""
NOT_ONLY_CHANGED: dict[Became, Wording] = {"added": say("added"), "renamed": say("renamed"), "deleted": say("deleted")}
LEFT_OUT_NAMED_MAX = 4
LEFT_OUT_FOR: dict[LeftOutFor, Wording] = {
    "private": say("may hold secrets"),
    "kind": say("of a kind that is not suggested"),
    "size": say("larger than 1 MB"),
    "tools": say("made by tools"),
    "name": say("a name that is not text"),
}
FILES_MAX = 20
"""More than so many files are no one commit; what to do with them is an agent's to say."""


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository; the matter ends with the next commit, not with the next saved file.

    That the tests pass is a new reason. What nobody would commit (a log, a build) is none, and there is none amid a
    merge, a bisect or the like, or while the last run failed. Younger work is offered to a person who asks, and to
    nobody else.
    """
    for repository in repositories(situation):
        since = repository.uncommitted_since
        if not repository.to_commit or since is None or repository.operation or repository.conflicts:
            continue
        if repository.last_test_run_passed is not False:
            yield _idea(situation, repository, situation.at - since)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when the oldest change has lain for long enough."""
    for repository in situation.repositories or ():
        if repository.uncommitted_since is not None:
            yield repository.uncommitted_since - situation.at + _age_min(repository)


def _is_tested(repository: Repository) -> bool:
    """Say whether the last run passed with just these changes: program text was changed, and none since."""
    return repository.last_test_run_passed is True and not repository.changed_modules and _began_before(repository)


def _age_min(repository: Repository) -> timedelta:
    """Return how old work must be: where there is no way to run tests, and none ever ran, no run need come first."""
    is_untestable = RUN_TESTS not in repository.playbooks and repository.last_test_run_at is None
    return (AGE_UNTESTABLE_H_MIN if is_untestable else AGE_H_MIN) * HOUR


def _began_before(repository: Repository) -> bool:
    run, since = repository.last_test_run_at, repository.uncommitted_since
    return run is not None and since is not None and since <= run


def _idea(situation: Situation, repository: Repository, age: timedelta) -> Candidate:
    is_tested = _is_tested(repository)
    paths = repository.to_commit
    is_on_branch = repository.branch is not None  # a commit on a detached HEAD is lost with the next checkout
    is_whole = bool(repository.message) and 0 < len(paths) <= FILES_MAX and not repository.truncated
    can_commit = is_on_branch and is_whole
    files = counted(len(repository.work) or len(paths), "file")
    work = work_in(repository, KIND if can_commit else None)
    place = of(situation, repository)
    age_min = _age_min(repository)
    return Candidate(
        kind=KIND,
        reason_key=repository_key(KIND, repository),
        signature=state(f"{branch_of(repository)} {repository.head}", ("lies", "tested") if is_tested else ("lies",)),
        prompt=say(
            "Commit {files}{of}{became}{how}",
            files=files,
            of=place,
            became=_became(repository),
            how=Wording() if work.playbook else BY_AN_AGENT,
        ),
        reasoning=_reasoning(situation, repository, is_tested=is_tested, by_agent=not work.playbook),
        urgency=URGENCY_TESTED if is_tested else ramp(age / HOUR, age_min / HOUR, AGE_H_HIGH, 0.4, 0.8),
        affinity="code",
        need=Need(text="The files are committed (git reports no error)."),
        work=work,
        args=(PROPOSED, *(say("{path}", path=path) for path in paths)) if work.playbook else (),
        details=Wording() if work.playbook else say("{diff}", diff=repository.diff),
        comes="unasked" if is_tested or age >= age_min else "when asked",
    )


def _became(repository: Repository) -> Wording:
    """Say of how many files more is done than to change them, as in " (1 added, 2 deleted)"."""
    told = Wording()
    for became, word in NOT_ONLY_CHANGED.items():
        count = sum(each.became == became for each in repository.work)
        if count:
            one = say("{count} {became}", count=count, became=word)
            told = say("{told}, {one}", told=told, one=one) if told.text else one
    return say(" ({told})", told=told) if told.text else told


def _reasoning(situation: Situation, repository: Repository, *, is_tested: bool, by_agent: bool) -> Wording:
    """Say why now, what is left out, and which files it is about: what becomes of each stands with the command."""
    run = repository.last_test_run_at
    changed = repository.uncommitted_since
    why = (
        say("The tests passed with these changes {when}", when=at_time(situation, run))
        if is_tested and run
        else say("Not committed; the oldest change was made {when}", when=at_time(situation, changed or situation.at))
    )
    lines = f" (+{repository.added} -{repository.removed})" if repository.added or repository.removed else ""
    message = Wording()
    if by_agent and repository.message:
        message = say(" Proposed message: “{message}”.", message=repository.message)
    left_out = _left_out(repository.left_out)
    names = listed(repository.to_commit)
    return say(
        "{why}: {names}{lines}.{message}{left_out}",
        why=why, names=names, lines=lines, message=message, left_out=left_out,
    )  # fmt: skip


def _left_out(files: tuple[LeftOut, ...]) -> Wording:
    told = Wording()
    for number, each in enumerate(files[:LEFT_OUT_NAMED_MAX]):
        size = "" if each.size is None else f"{file_size(each.size)}, "
        one = say("{path} ({size}{why})", path=clean(each.path), size=size, why=LEFT_OUT_FOR[each.reason])
        told = say("{told}, {one}", told=told, one=one) if number else one
    rest = len(files) - LEFT_OUT_NAMED_MAX
    more = say(" and {rest} more", rest=rest) if rest > 0 else Wording()
    return say(" Left out: {told}{more}.", told=told, more=more) if files else told
