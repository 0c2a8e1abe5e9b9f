"""An agent that waits, and one that has finished: told soon, where it works in a watched repository."""

from datetime import timedelta

import msgspec
import pytest

from hub.domain.provenance import RepositoryText, TranscriptText
from hub.domain.situation import Conversation, Repository
from hub.domain.suggestion import Candidate
from hub.what import ideas
from hub.what.reasons import is_known
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, quiet_repository, situation, talk

change = msgspec.structs.replace
MINUTE = timedelta(minutes=1)
CHANGED = change(
    quiet_repository(),
    playbooks=("review-work",),
    to_commit=(RepositoryText("a.py"),),
    added=3,
    diff=RepositoryText("+x"),
)
HERE = {"folder": "/home/mo/pulse/hub", "source": TranscriptText("claude-code"), "is_done": True}


def told(one: Conversation, *, repository: Repository = CHANGED) -> list[Candidate]:
    return list(ideas(situation(AFTERNOON, repository, conversations=(one,)), MIND))


def done(age: timedelta, **more: object) -> Conversation:
    return change(talk(age, ""), **{**HERE, **more})


def test_an_agent_that_waits_is_told_at_once_with_its_question() -> None:
    (idea,) = told(change(talk(MINUTE), **HERE))
    assert idea.prompt.text.splitlines()[:2] == [
        "Claude Code asks in pulse: «Which cache shall I use?»",
        "Show where it stands.",
    ]
    assert idea.reasoning.text.endswith("waits in its own window; answer there, or say yes to see where it stands.")
    assert (idea.kind, idea.work.playbook) == ("open-question", "review-work")
    (elsewhere,) = told(change(talk(MINUTE), **{**HERE, "folder": "/home/mo/pulse-two"}))
    assert elsewhere.work.playbook is None


def test_an_agent_that_has_finished_is_told_with_what_it_left() -> None:
    (idea,) = told(done(5 * MINUTE))
    assert idea.prompt.text == "Show what Claude Code did in pulse"
    assert idea.reasoning.text == "Claude Code finished at 14:25, and 1 file is not committed: a.py (+3 -0)."
    assert idea.details.text == "+x"
    (again,) = told(done(2 * MINUTE))
    assert not is_known(again.signature, idea.signature)


@pytest.mark.parametrize(
    ("written", "head", "is_told"),
    [
        ((6 * MINUTE,), HOUR, True),
        ((2 * HOUR,), HOUR, False),
        ((MINUTE,), HOUR, False),
        ((2 * HOUR, 6 * MINUTE), HOUR, True),
        ((2 * HOUR,), 6 * MINUTE, True),
        ((), HOUR, True),
    ],
    ids=["written in it", "before it", "after it", "one in it", "committed in it", "not known"],
)
def test_only_a_turn_that_changed_something_is_told(
    written: tuple[timedelta, ...], head: timedelta, *, is_told: bool
) -> None:
    repository = change(CHANGED, written_at=tuple(AFTERNOON - age for age in written), head_at=AFTERNOON - head)
    turn = done(5 * MINUTE, person_at=AFTERNOON - 10 * MINUTE)
    assert bool(told(turn, repository=repository)) is is_told
    assert told(done(5 * MINUTE), repository=repository), (
        "where its begin was not seen, what lies there may be its work"
    )


@pytest.mark.parametrize(
    ("one", "repository"),
    [
        (done(MINUTE / 2), CHANGED),
        (done(9 * HOUR), CHANGED),
        (done(5 * MINUTE, is_done=False), CHANGED),
        (done(5 * MINUTE, folder=""), CHANGED),
        (done(5 * MINUTE), change(CHANGED, to_commit=())),
        (done(5 * MINUTE), change(CHANGED, conflicts=(RepositoryText("a.py"),), to_commit=())),
    ],
    ids=["just now", "long ago", "works on", "elsewhere", "nothing left", "in conflict"],
)
def test_what_is_no_news(one: Conversation, repository: Repository) -> None:
    assert "agent-finished" not in [idea.kind for idea in told(one, repository=repository)]
