from msgspec.structs import replace

from hub.contract.words import Origin
from hub.domain.drives import DriveRules
from hub.domain.situation import Situation, WatchedProgram
from hub.what import ended, ideas, wants
from tests.rooms.what.scenes import AFTERNOON, MIND, situation


def scene(**running: bool) -> Situation:
    programs = tuple(WatchedProgram(name=name, is_running=runs) for name, runs in running.items())
    return replace(situation(AFTERNOON), programs=programs)


def test_a_program_that_runs_is_no_reason() -> None:
    assert ideas(scene(nginx=True), MIND) == ()


def test_one_that_does_not_is_an_alert_of_the_system_drive() -> None:
    idea, note = ideas(scene(nginx=False, bot=True), MIND)
    assert (note.prompt.text, [one.text for one in note.args]) == ("See how nginx stands", ["program", "nginx"])
    assert idea.prompt.text == "Find out why nginx is not running, and say how to start it; change nothing"
    assert (idea.origin, idea.urgency >= DriveRules().alert_strength) == (Origin.PULSE, True)
    (want,) = wants((idea,), MIND, {}, (), AFTERNOON)["system"]
    assert (want.sensor, want.strength) == ("programs", idea.urgency)


def test_it_is_said_once_until_the_program_ran_again() -> None:
    first, second = (ideas(scene(nginx=False), MIND)[0] for _ in range(2))
    assert second.signature == first.signature
    assert first.reason_key not in ended(scene(nginx=False))
    assert first.reason_key in ended(scene(nginx=True))
