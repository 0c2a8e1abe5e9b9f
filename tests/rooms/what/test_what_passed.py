"""What a card was made from has passed only when it was looked for and does not exist any more."""

from datetime import timedelta

import msgspec
import pytest

from hub.domain.provenance import RepositoryText
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Proposal
from hub.what import has_passed, ideas, propose
from tests.rooms.what.scenes import AFTERNOON, HOUR, MIND, POLICY, meeting, modules, quiet_repository, situation, talk

change = msgspec.structs.replace
RUN_AT = AFTERNOON - 2 * HOUR


def changed(*names: str) -> Repository:
    return change(quiet_repository(), changed_modules=modules(*names), last_test_run_at=RUN_AT)


def proposed(scene: Situation) -> Proposal:
    made = propose(scene, POLICY, MIND, known={}, open_keys=())
    assert made is not None
    return made.proposal


def passed(proposal: Proposal, scene: Situation) -> bool:
    return has_passed(proposal, ideas(scene, MIND), scene)


def test_it_stands_while_the_state_is_the_same_or_has_grown_or_shrunk() -> None:
    card = proposed(situation(AFTERNOON, changed("hub/a", "hub/b")))
    for names in (("hub/a", "hub/b"), ("hub/a", "hub/b", "hub/c"), ("hub/b",)):
        assert not passed(card, situation(AFTERNOON + HOUR, changed(*names)))


@pytest.mark.parametrize(
    "now",
    [
        change(changed("hub/a"), changed_modules=()),
        change(changed("hub/a"), last_test_run_at=RUN_AT + HOUR),
    ],
    ids=["nothing is changed any more", "the tests were run since, and it changed again"],
)
def test_it_has_passed_when_the_matter_is_gone_or_another(now: Repository) -> None:
    assert passed(proposed(situation(AFTERNOON, changed("hub/a"))), situation(AFTERNOON, now))


def test_what_could_not_be_read_has_not_passed() -> None:
    card = proposed(situation(AFTERNOON, changed("hub/a")))
    elsewhere = quiet_repository("/home/mo/shop", "shop")
    cut = change(quiet_repository(), truncated=True)
    for scene in (
        Situation(at=AFTERNOON, local=AFTERNOON, unknown=("git",)),
        situation(AFTERNOON, elsewhere),
        situation(AFTERNOON, cut),
    ):
        assert not passed(card, scene)


def test_a_meeting_that_has_begun_has_passed() -> None:
    card = proposed(situation(AFTERNOON, meetings=(meeting(HOUR / 2),)))
    assert not passed(card, situation(AFTERNOON + HOUR / 4, meetings=(meeting(HOUR / 2),)))
    assert passed(card, situation(AFTERNOON + HOUR, meetings=(meeting(HOUR / 2),)))


def test_an_agents_work_has_not_passed_while_its_repository_cannot_be_read() -> None:
    left = change(quiet_repository(), to_commit=(RepositoryText("a.py"),))
    done = change(talk(HOUR, ""), folder=left.path, is_done=True)
    card = proposed(situation(AFTERNOON, left, conversations=(done,)))
    assert card.kind == "agent-finished"
    assert not passed(card, situation(AFTERNOON, conversations=(done,)))
    assert passed(card, situation(AFTERNOON, quiet_repository(), conversations=(done,)))


def test_what_no_signal_found_does_not_pass() -> None:
    hint = propose(situation(), POLICY, MIND, known={}, open_keys=(), hint="Water the plants")
    assert hint is not None
    assert not passed(hint.proposal, situation(AFTERNOON + timedelta(days=2), quiet_repository()))


@pytest.mark.parametrize("by_program", [False, True])
def test_what_somebody_asked_for_in_words_passes_by_no_look(*, by_program: bool) -> None:
    scene = situation(AFTERNOON, quiet_repository())
    made = propose(scene, POLICY, MIND, known={}, open_keys=(), hint="Look at the log", by_program=by_program)
    assert made is not None
    assert not passed(made.proposal, situation(AFTERNOON + HOUR, quiet_repository()))
