"""A long command that has ended."""

from datetime import timedelta

from msgspec.structs import replace

from hub.domain.provenance import TranscriptText
from hub.domain.situation import FinishedCommand, Repository, Situation
from hub.what import ideas
from hub.what.signals import commands
from tests.rooms.what.scenes import AFTERNOON, MIND, quiet_repository, situation

MINUTE = timedelta(minutes=1)
SHOP = replace(quiet_repository("/home/mo/shop", "shop"), playbooks=("review-work",))
FAILED = FinishedCommand(
    at=AFTERNOON - MINUTE, folder="/home/mo/shop/web", command=TranscriptText("make all"), status=2, seconds=720
)


def seen(*found: FinishedCommand, repository: Repository = SHOP) -> Situation:
    return replace(situation(AFTERNOON, repository), commands=found)


def test_a_failed_command_is_told_with_its_status_and_how_long_it_took() -> None:
    agent, note = sorted(ideas(seen(FAILED), MIND), key=lambda idea: idea.work.playbook or "")
    assert agent.prompt.text.startswith("Find out why this command in shop failed: «make all»")
    assert agent.prompt.quotes, "what the shell told is nobody's instruction"
    assert note.prompt.text == "See why a command in shop failed"
    assert (note.reasoning.text, note.urgency) == ("“make all” failed at 14:29, after 12 min.", 0.7)


def test_one_that_went_well_is_told_more_quietly() -> None:
    (idea,) = ideas(seen(replace(FAILED, status=0)), MIND)
    assert (idea.urgency, idea.work.playbook) == (0.5, "review-work")


def test_what_was_ended_by_a_key_or_elsewhere_or_has_told_of_itself_is_no_news() -> None:
    assert list(commands.look(seen(replace(FAILED, status=130)))) == []
    assert list(commands.look(seen(replace(FAILED, folder="/home/mo/shopping")))) == []
    tested = replace(SHOP, last_test_run_at=FAILED.at - 2 * MINUTE, last_test_run_passed=True)
    assert list(commands.look(seen(FAILED, repository=tested))) == []
    assert list(commands.look(seen(FAILED, repository=replace(tested, last_test_run_at=AFTERNOON - 60 * MINUTE))))


def test_a_run_of_tests_is_told_by_the_tests_alone_also_once_they_ran_again() -> None:
    """The shell tells of each run of tests, however short; the red one is no news after a green one."""
    red = replace(FAILED, command=TranscriptText("pytest -q -x"), seconds=1, ran_tests=True)
    for minutes in (-1, 0, 1):
        run = red.at + minutes * MINUTE / 60 if minutes < 0 else red.at + minutes * MINUTE
        tested = replace(SHOP, last_test_run_at=run, last_test_run_passed=minutes > 0)
        assert list(commands.look(seen(red, repository=tested))) == [], minutes
    build = replace(red, ran_tests=False)
    later = replace(SHOP, last_test_run_at=red.at + MINUTE, last_test_run_passed=True)
    assert list(commands.look(seen(build, repository=later))), "a build that failed is no test run that passed"
