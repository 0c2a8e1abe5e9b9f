"""What each idea presses: every signal names a drive that there is, and what no signal found names none."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.domain.drives import BUILT_IN_DRIVES
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Candidate, Guess
from hub.what import ideas
from hub.what.asked import from_guess, from_hint
from hub.what.ideas import rate
from hub.what.signals import ALL, Signal, disk
from tests.rooms.what.scenes import AFTERNOON, MIND, meeting, modules, quiet_repository, situation, talk, task

DRIVES = {name for name, _ in BUILT_IN_DRIVES}
BUSY = situation(
    AFTERNOON,
    replace(quiet_repository(), changed_modules=modules("hub/a")),
    tasks=(task(age=timedelta(days=3)),),
    meetings=(meeting(timedelta(minutes=30)),),
    conversations=(talk(timedelta(hours=2)),),
)


@pytest.mark.parametrize("signal", ALL, ids=lambda signal: signal.KIND)
def test_every_signal_names_a_drive_that_there_is(signal: Signal) -> None:
    assert signal.DRIVE in DRIVES


def test_an_idea_says_what_it_presses_and_what_saw_it() -> None:
    found = {idea.kind: (idea.drive, idea.sensor) for idea in ideas(BUSY, MIND)}
    assert found == {
        "run-tests": ("unfinished", "git"),
        "stale-task": ("goals", "tasks"),
        "prepare-meeting": ("social", "calendar"),
        "open-question": ("social", "transcripts"),
    }


def test_a_candidate_that_names_a_drive_itself_presses_that() -> None:
    idea = replace(ideas(BUSY, MIND)[0], drive="emotions")
    assert rate(idea, disk, BUSY, MIND).drive == "emotions"


def test_what_a_person_asks_for_or_a_model_thinks_of_presses_nothing() -> None:
    guess = Guess(
        prompt=ModelText("Paint the shed red"), channel="", confidence=0.9, reasoning=ModelText("why not"), model="m"
    )
    made = (from_hint("Paint the shed red", (), BUSY, MIND), from_guess(guess, (), BUSY, MIND))
    for each in made:
        assert isinstance(each, Candidate)
        assert (each.drive, each.sensor) == ("", "")
