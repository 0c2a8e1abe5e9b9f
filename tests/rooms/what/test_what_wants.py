"""What stands open by drive: what may still be put before the person, or is before them already."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.words import TextSource
from hub.domain.drives import Want
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.provenance import CLOSE, OPEN, TaskText
from hub.domain.situation import Situation
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.what import doable, ideas, wants
from hub.what.wants import SAYS_CHARS_MAX
from tests.rooms.what.scenes import (
    AFTERNOON,
    HOUR,
    MIND,
    MORNING,
    ONLY_PLAYBOOKS,
    POLICY,
    modules,
    quiet_repository,
    situation,
    task,
)

STALE = task(age=timedelta(days=3))
SCENE = situation(AFTERNOON, replace(quiet_repository(), changed_modules=modules("hub/a", "hub/b")), tasks=(STALE,))
KEYS = {idea.kind: idea.reason_key for idea in ideas(SCENE, MIND)}
KNOWN = {idea.reason_key: idea.signature for idea in ideas(SCENE, MIND)}


def open_now(scene: Situation = SCENE, mind: Mind = MIND, **more: object) -> dict[str, tuple[Want, ...]]:
    known, open_keys = more.get("known", {}), more.get("open_keys", ())
    assert isinstance(known, dict)
    assert isinstance(open_keys, tuple)
    return wants(ideas(scene, mind), mind, known, open_keys, scene.at)


def test_each_idea_presses_its_drive_with_its_urgency() -> None:
    found = open_now()
    assert sorted(found) == ["goals", "unfinished"]
    (want,) = found["unfinished"]
    assert (want.key, want.sensor, want.says.text) == (
        KEYS["run-tests"],
        "git",
        "Run the tests of pulse: the code has changed",
    )
    assert (want.strength, want.since) == (
        next(i.urgency for i in ideas(SCENE, MIND) if i.kind == "run-tests"),
        AFTERNOON,
    )
    assert (want.brought_at, want.until) == (None, None)


def test_what_presses_is_told_in_the_readers_language_where_it_is_told_whole() -> None:
    (want,) = open_now()["unfinished"]
    german = worded(want.says.wording, want.says.text, phrases("de"))
    assert german == "Tests von pulse ausführen: Der Code hat sich geändert"
    long = replace(task(age=timedelta(days=2)), title=TaskText("x" * 119))
    (cut,) = open_now(situation(AFTERNOON, tasks=(long,)))["goals"]
    assert cut.says.text.startswith("Move the task")
    assert cut.says.wording is None


def test_what_was_suggested_in_this_state_presses_no_more_but_its_open_card_does() -> None:
    assert open_now(known=KNOWN) == {}
    assert [want.key for want in open_now(known=KNOWN, open_keys=(KEYS["stale-task"],))["goals"]] == [
        KEYS["stale-task"]
    ]


def test_what_nobody_could_do_presses_nothing() -> None:
    alone = ideas(replace(SCENE, repositories=()), MIND)
    assert [idea.kind for idea in alone] == ["stale-task"]
    assert doable(ONLY_PLAYBOOKS, alone) == ()
    assert doable(POLICY, alone) == alone
    assert {idea.work.playbook for idea in doable(ONLY_PLAYBOOKS, ideas(SCENE, MIND))} == {"run-tests"}


def test_more_of_a_matter_presses_again() -> None:
    more = (
        replace(SCENE.repositories[0], changed_modules=modules("hub/a", "hub/b", "hub/c"))
        if SCENE.repositories
        else None
    )
    assert more is not None
    assert sorted(open_now(replace(SCENE, repositories=(more,)), known=KNOWN)) == ["unfinished"]


def test_a_template_and_what_comes_on_request_only_press_nothing() -> None:
    fresh = replace(STALE, updated_at=MORNING - HOUR)
    scene = situation(MORNING, tasks=(fresh,))
    assert [idea.kind for idea in ideas(scene, MIND)] == ["plan-day"]
    assert open_now(scene) == {}
    weak = tuple(replace(idea, comes="once liked") for idea in ideas(SCENE, MIND))
    assert wants(weak, MIND, {}, (), AFTERNOON) == {}


def test_what_a_person_never_wants_or_that_rests_presses_nothing() -> None:
    long_ago = AFTERNOON - timedelta(days=99)
    never = Mind(mutes=(Mute(id="m1", degree="never", kind="stale-task", made_at=long_ago, last_at=long_ago),))
    assert sorted(open_now(mind=never)) == ["unfinished"]
    tired = Mind(tallies={"run-tests": Tally(rejected=3, in_row=3, last_at=AFTERNOON - timedelta(minutes=5))})
    assert sorted(open_now(mind=tired)) == ["goals"]


def test_what_it_says_is_one_short_line_whose_quotation_ends() -> None:
    wordy = replace(STALE, title=TaskText("Write\nthe " + "very " * 60 + "long report"))
    (want,) = open_now(situation(AFTERNOON, tasks=(wordy,)))["goals"]
    text = want.says.text
    assert len(text) <= SAYS_CHARS_MAX
    assert "\n" not in text
    assert (text.count(OPEN), text.count(CLOSE)) == (1, 1)
    assert want.says.quotes == {TextSource.TASK}
