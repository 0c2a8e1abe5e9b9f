"""An agent has finished and left changes that nobody has looked at. Urgency: 0.55.

What lay there before its turn, and what was written after it, is not its work: a turn that only answered is no news.
"""

from collections.abc import Iterator
from datetime import timedelta

from hub.domain.provenance import TranscriptText, Wording, counted, say
from hub.domain.situation import Conversation, Repository, Situation
from hub.domain.suggestion import Candidate, Need
from hub.what.day import Hours
from hub.what.reasons import digest, state
from hub.what.sighting import REVIEW, at_time, of, repositories, work_in
from hub.what.text import HOUR, clean, listed

KIND = "agent-finished"
SENSOR = "transcripts"
DRIVE = "unfinished"
FITS: Hours = {"morning": 0.8, "afternoon": 0.8, "evening": 0.7, "night": 0.4}
URGENCY = 0.55
QUIET_MIN = timedelta(minutes=1)
"""An agent that says something between two steps goes on within this."""
NEWS_MAX = 8 * HOUR
NAMES = {TranscriptText("claude-code"): "Claude Code", TranscriptText("codex"): "Codex"}


def look(situation: Situation) -> Iterator[Candidate]:
    """Yield one idea per repository in which an agent ended last, without a question, and something is uncommitted."""
    for repository in repositories(situation):
        talk = max(_finished(situation, repository), key=lambda talk: talk.last_at, default=None)
        if talk is not None and repository.to_commit and not repository.conflicts:
            yield _idea(situation, repository, talk)


def turns(situation: Situation) -> Iterator[timedelta]:
    """Yield when one that ended has been quiet for long enough, and when that is no news any more."""
    for talk in situation.conversations or ():
        if talk.is_done:
            yield talk.last_at - situation.at + QUIET_MIN
            yield talk.last_at - situation.at + NEWS_MAX


def agent_of(talk: Conversation) -> Wording:
    """Return the agent's name, to be shown."""
    name = NAMES.get(talk.source)
    return say("An agent") if name is None else say("{name}", name=name)


def is_in(talk: Conversation, repository: Repository) -> bool:
    """Say whether a conversation is about a repository: the agent works in it."""
    return talk.folder == repository.path or talk.folder.startswith(f"{repository.path}/")


def _finished(situation: Situation, repository: Repository) -> Iterator[Conversation]:
    for talk in situation.conversations or ():
        quiet = situation.at - talk.last_at
        if (
            is_in(talk, repository)
            and talk.is_done
            and not clean(talk.open_question)
            and QUIET_MIN <= quiet <= NEWS_MAX
            and _has_changed(talk, repository)
        ):
            yield talk


def _has_changed(talk: Conversation, repository: Repository) -> bool:
    """Return True if something was written or committed in the last turn, or if the times are unknown."""
    begun, ended = talk.person_at, talk.last_at + QUIET_MIN  # a command that it left running may write a little longer
    if begun is None or not repository.written_at:
        return True
    committed = () if repository.head_at is None else (repository.head_at,)
    return any(begun <= at <= ended for at in (*repository.written_at, *committed))


def _idea(situation: Situation, repository: Repository, talk: Conversation) -> Candidate:
    agent, files = agent_of(talk), counted(len(repository.to_commit), "file")
    return Candidate(
        kind=KIND,
        reason_key=f"{KIND}:{digest(repository.path)}",
        signature=state(f"{repository.head} {talk.id!r}", (talk.last_at,)),
        prompt=say("Show what {agent} did in{of}", agent=agent, of=of(situation, repository, "")),
        reasoning=say(
            "{agent} finished {when}, and {files} not committed: {names} (+{added} -{removed}).",
            agent=agent,
            when=at_time(situation, talk.last_at),
            files=say("{files} is", files=files) if len(repository.to_commit) == 1 else say("{files} are", files=files),
            names=listed(repository.to_commit),
            added=repository.added,
            removed=repository.removed,
        ),
        urgency=URGENCY,
        affinity="code",
        need=Need(text="The note with the changes is written."),
        work=work_in(repository, REVIEW),
        details=say("{diff}", diff=repository.diff),
    )
