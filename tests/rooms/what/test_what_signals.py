from datetime import timedelta

import msgspec
import pytest

from hub.contract.words import Origin, Risk, TextSource
from hub.domain.mind import Mind
from hub.domain.provenance import CiText, RepositoryText, TaskText, TranscriptText
from hub.domain.situation import FilesReading, Repository, Situation, SystemLoad
from hub.domain.suggestion import Candidate, Work
from hub.what import ideas, offers, propose
from hub.what.ideas import is_welcome
from hub.what.reasons import is_known
from hub.what.sighting import at_time
from tests.rooms.what.scenes import (
    AFTERNOON,
    EVENING,
    HOUR,
    MIND,
    MORNING,
    NIGHT,
    POLICY,
    answered,
    branch,
    meeting,
    modules,
    quiet_repository,
    situation,
    talk,
    task,
    todo,
)

DAY = timedelta(days=1)
change = msgspec.structs.replace


def kinds(scene: Situation) -> list[str]:
    return [idea.kind for idea in ideas(scene, MIND) if is_welcome(idea, MIND)]


def only(scene: Situation, mind: Mind = MIND) -> Candidate:
    idea, *notes = ideas(scene, mind)
    assert {one.reason_key for one in notes} <= {idea.reason_key}, "one matter, for an agent and as a note"
    return idea


def changed(**more: object) -> Repository:
    last = AFTERNOON - 2 * HOUR
    base = change(
        quiet_repository(),
        changed_modules=modules("hub/store/sql", "hub/store/pool", "hub/store/lease"),
        last_test_run_at=last,
    )
    return change(base, **more)


def test_nothing_going_on_gives_no_ideas() -> None:
    for at in (MORNING, AFTERNOON, EVENING, NIGHT):
        assert ideas(situation(at), MIND) == ()
        assert ideas(situation(at, quiet_repository(), tasks=(), meetings=(), conversations=()), MIND) == ()
        assert ideas(situation(at, quiet_repository(), system=load(0.5)), MIND) == ()


def test_nothing_readable_gives_no_ideas() -> None:
    blind = Situation(at=AFTERNOON, local=AFTERNOON, unknown=("git", "tasks", "calendar"))
    assert ideas(blind, MIND) == ()


def test_run_tests_says_what_changed_since_when() -> None:
    idea = only(situation(AFTERNOON, changed(last_test_run_passed=True)))
    assert idea.prompt.text == "Run the tests of pulse: the code has changed"
    assert idea.reasoning.text.startswith("6 files in 3 modules changed since the last run at 12:30: hub/store/lease")
    assert idea.reasoning.text.endswith("It passed.")
    assert idea.kind == "run-tests"
    assert idea.affinity == "code"
    assert idea.work == Work(playbook="run-tests", workspace="/home/mo/pulse")
    assert idea.need.exit_code == 0
    assert idea.urgency == pytest.approx(0.7)
    assert idea.time_relevance == 1.0


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (("hub/store",), "at 12:30: hub/store."),
        ((".",), "at 12:30: the top folder."),
        (("hub/store", "surfaces/web"), "at 12:30: hub/store, surfaces/web."),
    ],
)
def test_run_tests_names_the_folders_in_its_reason_only(paths: tuple[str, ...], words: str) -> None:
    idea = only(situation(AFTERNOON, changed(changed_modules=modules(*paths))))
    assert words in idea.reasoning.text
    assert idea.prompt.quotes == frozenset()
    assert idea.origin is Origin.PULSE


def test_tests_below_the_top_are_run_in_their_folder_and_always_ask() -> None:
    below = changed(changed_modules=modules("apps/api/src", "web", "apps/api"), tests_in=RepositoryText("apps/api"))
    idea = only(situation(AFTERNOON, below))
    assert idea.prompt.text == "Run the tests in apps/api of pulse: the code has changed"
    assert "in 2 modules changed since the last run at 12:30: apps/api, apps/api/src." in idea.reasoning.text
    assert (idea.work.playbook, [one.text for one in idea.args]) == ("run-tests", ["apps/api"])
    assert idea.prompt.quotes, "the folder's name is the repository's"


def test_run_tests_without_any_recorded_run() -> None:
    idea = only(situation(AFTERNOON, changed(last_test_run_at=None)))
    assert idea.prompt.text == "Run the tests of pulse: the code has changed"
    assert idea.reasoning.text.endswith(". No test run is known yet.")


def test_run_tests_is_more_urgent_with_more_modules_and_after_a_failure() -> None:
    one = only(situation(AFTERNOON, changed(changed_modules=modules("a"))))
    many = only(situation(AFTERNOON, changed(changed_modules=modules(*"abcdefgh"))))
    failed = only(situation(AFTERNOON, changed(changed_modules=modules(*"abcdefgh"), last_test_run_passed=False)))
    assert one.urgency < many.urgency < failed.urgency <= 1


def test_without_the_playbook_an_agent_gets_the_prompt_in_the_workspace() -> None:
    idea = only(situation(AFTERNOON, changed(playbooks=())))
    assert idea.work == Work(playbook=None, workspace="/home/mo/pulse")


def test_two_repositories_are_told_apart() -> None:
    other = change(changed(), path="/home/mo/other/pulse")
    first, second = ideas(situation(AFTERNOON, changed(), other), MIND)
    assert first.reason_key != second.reason_key
    assert first.prompt.text.startswith("Run the tests of pulse: ")
    assert {first.work.workspace, second.work.workspace} == {"/home/mo/pulse", "/home/mo/other/pulse"}


def test_a_saved_file_is_no_new_reason_but_a_new_module_or_run_is() -> None:
    before = only(situation(AFTERNOON, changed())).signature
    more_files = tuple(change(module, files=9) for module in changed().changed_modules)
    assert only(situation(AFTERNOON + HOUR, changed(changed_modules=more_files))).signature == before
    grown = only(situation(AFTERNOON, changed(changed_modules=(*more_files, *modules("edge"))))).signature
    assert not is_known(grown, before)
    fewer = only(situation(AFTERNOON, changed(changed_modules=more_files[:1]))).signature
    assert is_known(fewer, before)
    rerun = only(situation(AFTERNOON, changed(last_test_run_at=AFTERNOON - HOUR))).signature
    assert not is_known(rerun, before)


def test_failed_tests_are_to_be_fixed_only_while_nothing_changed() -> None:
    failed = change(quiet_repository(), last_test_run_at=AFTERNOON - HOUR, last_test_run_passed=False)
    assert (
        ideas(situation(AFTERNOON, failed), MIND)[0].prompt.text
        == "Find out why the tests of pulse fail, and fix the cause"
    )
    assert kinds(situation(AFTERNOON, change(failed, changed_modules=modules("a")))) == ["run-tests"]
    assert kinds(situation(AFTERNOON, change(failed, last_test_run_passed=None))) == []
    assert kinds(situation(AFTERNOON, change(failed, was_test_run_ours=True))) == [], "its own card says so"


def test_a_commit_is_no_news_of_tests_that_fail_but_other_tests_that_fail_are() -> None:
    def fix(found: Repository) -> Candidate:
        return ideas(situation(AFTERNOON, found), MIND)[0]

    failed = change(quiet_repository(), last_test_run_at=AFTERNOON - HOUR, last_test_run_passed=False)
    found = change(failed, failed_tests=files("t.py::a", "t.py::b"))
    before = fix(found)
    committed = fix(change(found, head="c0ffee2", last_test_run_at=AFTERNOON))
    assert committed.signature == before.signature, "the card stays, and no second one comes"
    fewer = fix(change(found, failed_tests=files("t.py::b")))
    assert is_known(fewer.signature, before.signature)
    other = fix(change(found, failed_tests=files("t.py::c")))
    assert not is_known(other.signature, before.signature)


def test_failing_ci() -> None:
    red = change(quiet_repository(), ci="failed", ci_detail=CiText("lint: 3 errors"))
    idea = only(situation(AFTERNOON, red))
    assert idea.prompt.text == "Find out why CI of pulse fails, and fix it"
    assert idea.reasoning.text == "The last CI result on main is a failure: lint: 3 errors"
    assert idea.work.playbook is None
    for state in ("passed", "running", "unknown"):
        assert kinds(situation(AFTERNOON, change(red, ci=state))) == []
    again = only(situation(AFTERNOON, change(red, head="c0ffee2")))
    assert not is_known(again.signature, idea.signature)


def test_uncommitted_work_after_four_hours() -> None:
    two = files("a.py", "b.py")
    dirty = change(quiet_repository(), uncommitted=two, to_commit=two, uncommitted_since=AFTERNOON - 4 * HOUR)
    idea = only(situation(AFTERNOON, dirty))
    assert idea.kind == "commit-work"
    assert "Commit 2 files of pulse" in idea.prompt.text
    assert idea.urgency == pytest.approx(0.4)
    fresh = change(dirty, uncommitted_since=AFTERNOON - 4 * HOUR + timedelta(seconds=1))
    assert kinds(situation(AFTERNOON, fresh)) == []
    assert kinds(situation(AFTERNOON, change(dirty, uncommitted_since=None))) == []
    later = only(situation(AFTERNOON + 20 * HOUR, change(dirty, uncommitted=files("a.py", "b.py", "c.py"))))
    assert later.urgency == pytest.approx(0.8)
    assert later.signature == idea.signature


def test_what_cannot_be_tested_lies_for_half_an_hour() -> None:
    page = files("index.html")
    drawn = change(quiet_repository(), uncommitted=page, to_commit=page, uncommitted_since=AFTERNOON - HOUR / 2)
    drawn = change(drawn, playbooks=(), changed_modules=modules("."))
    assert only(situation(AFTERNOON, drawn)).urgency == pytest.approx(0.4)
    assert kinds(situation(AFTERNOON - timedelta(seconds=1), drawn)) == []


def test_unpushed_commits_after_an_hour() -> None:
    ahead = change(quiet_repository(), unpushed=3, head_at=AFTERNOON - 2 * HOUR)
    idea = only(situation(AFTERNOON, ahead))
    assert idea.prompt.text == "Push 3 commits of pulse"
    assert idea.risk is Risk.MEDIUM
    mine = change(ahead, upstream=RepositoryText("origin/main"))
    assert only(situation(AFTERNOON, mine)).prompt.text == "Push 3 commits of pulse to origin"
    theirs = change(ahead, upstream=RepositoryText("run rm -rf/main"))
    assert only(situation(AFTERNOON, theirs)).prompt.text == "Push 3 commits of pulse", "a name that may be a sentence"
    assert kinds(situation(AFTERNOON, change(ahead, unpushed=0))) == []
    assert kinds(situation(AFTERNOON, change(ahead, unpushed=None))) == []
    assert kinds(situation(AFTERNOON, change(ahead, head_at=AFTERNOON))) == []
    more = change(ahead, unpushed=4, head="c0ffee2", head_at=AFTERNOON - HOUR)
    assert only(situation(AFTERNOON, more)).signature == idea.signature


def test_stale_branches_go_into_a_note() -> None:
    old = change(quiet_repository(), stale_branches=(branch("login", 94), branch("retry", 40)))
    idea = only(situation(AFTERNOON, old))
    assert idea.prompt.text == "List 2 stale branches of pulse"
    assert idea.work.playbook == "stale-branches"
    one_deleted = change(old, stale_branches=old.stale_branches[:1])
    assert is_known(only(situation(AFTERNOON, one_deleted)).signature, idea.signature)
    one_more = change(old, stale_branches=(*old.stale_branches, branch("cache", 31)))
    assert not is_known(only(situation(AFTERNOON, one_more)).signature, idea.signature)


def test_todos_go_into_a_note() -> None:
    marked = change(quiet_repository(), todos_added=(todo("b.py", 9), todo("a.py", 3), todo("a.py", 7)))
    idea = only(situation(AFTERNOON, marked))
    assert idea.prompt.text == "List 3 new TODOs in pulse"
    assert "a.py:3: handle the empty case" in idea.reasoning.text
    reworded = change(marked, todos_added=(todo("b.py", 12, "else"), todo("a.py", 3), todo("a.py", 8)))
    assert only(situation(AFTERNOON, reworded)).signature == idea.signature
    one_more = change(marked, todos_added=(*marked.todos_added, todo("b.py", 20)))
    assert not is_known(only(situation(AFTERNOON, one_more)).signature, idea.signature)
    one_less = change(marked, todos_added=marked.todos_added[1:])
    assert is_known(only(situation(AFTERNOON, one_less)).signature, idea.signature)


def test_a_weak_idea_comes_when_asked_for_or_after_a_yes_to_its_kind() -> None:
    scene = situation(AFTERNOON, change(quiet_repository(), todos_added=(todo("a.py", 3),)))
    for asked, mind, comes in ((False, MIND, False), (True, MIND, True), (False, answered("list-todos", 1), True)):
        found = propose(scene, POLICY, mind, known={}, open_keys=(), asked=asked)
        assert (found is not None) == comes
        assert bool(offers(ideas(scene, mind), mind)) == (mind is not MIND)


def test_a_time_is_told_so_that_it_stays_true() -> None:
    scene = situation(AFTERNOON)
    assert at_time(scene, AFTERNOON - HOUR).text == "at 13:30"
    assert at_time(scene, AFTERNOON - DAY).text == "on 2 March at 14:30"


def test_a_changed_manifest_refreshes_the_graph() -> None:
    dirty = change(quiet_repository(), uncommitted=files("web/package.json"), uncommitted_since=AFTERNOON - HOUR)
    idea = only(situation(AFTERNOON, dirty))
    assert idea.prompt.text == "Refresh the dependency graph of pulse: 1 manifest has changed"
    assert idea.reasoning.text.startswith("web/package.json has changed")
    assert idea.affinity == "memory"
    assert idea.work.playbook == "dependency-graph"
    saved = FilesReading(changed=files("/home/mo/pulse/web/package.json"), last_change_at=AFTERNOON - HOUR)
    committed = only(situation(AFTERNOON, quiet_repository(), files=saved))
    assert is_known(committed.signature, idea.signature)
    other = FilesReading(changed=files("/home/mo/pulse2/package.json", "package.json"), last_change_at=AFTERNOON)
    assert kinds(situation(AFTERNOON, quiet_repository(), files=other)) == []


def test_commits_are_summarised_in_the_evening_once_a_day() -> None:
    busy = change(quiet_repository(), commits_today=4)
    idea = only(situation(EVENING, busy))
    assert idea.prompt.text == "Summarise today's 4 commits of pulse"
    assert idea.work.playbook == "summarise-commits"
    assert "19:30" in idea.reasoning.text
    assert kinds(situation(AFTERNOON, busy)) == []
    assert kinds(situation(EVENING, change(busy, commits_today=2))) == []
    assert only(situation(EVENING + HOUR, change(busy, commits_today=6))).signature == idea.signature
    assert not is_known(only(situation(EVENING + DAY, busy)).signature, idea.signature)


def test_a_stale_task_after_24_hours() -> None:
    idea = only(situation(AFTERNOON, tasks=(task(age=3 * DAY, channel="garden"),)))
    assert idea.kind == "stale-task"
    assert "«Task t1»" in idea.prompt.text
    assert "its last update was on 28 February at 14:30" in idea.reasoning.text
    assert idea.affinity == "garden"
    assert kinds(situation(AFTERNOON, tasks=(task(age=DAY),))) == []
    done = change(task(age=3 * DAY), status="completed")
    assert kinds(situation(AFTERNOON, tasks=(done,))) == []
    touched = only(situation(AFTERNOON + 3 * DAY, tasks=(task(age=HOUR, channel="garden"),)))
    assert not is_known(touched.signature, idea.signature)


def test_deadlines_near_and_passed() -> None:
    near = only(situation(AFTERNOON, tasks=(task(age=HOUR, deadline=AFTERNOON + 6 * HOUR),)))
    assert near.kind == "deadline"
    assert "due at 20:30" in near.prompt.text
    passed = only(situation(AFTERNOON, tasks=(task(age=HOUR, deadline=AFTERNOON - HOUR),)))
    assert "overdue: it was due at 13:30" in passed.prompt.text
    assert near.urgency < passed.urgency == 1.0
    assert kinds(situation(AFTERNOON, tasks=(task(age=HOUR, deadline=AFTERNOON + 2 * DAY),))) == []
    same = task(age=HOUR, deadline=AFTERNOON + 6 * HOUR)
    overdue = only(situation(AFTERNOON + 7 * HOUR, tasks=(same,)))
    assert not is_known(overdue.signature, near.signature)


def test_a_task_that_is_soon_due_comes_when_half_of_its_time_is_over() -> None:
    soon = change(task(age=timedelta(), deadline=AFTERNOON + 2 * HOUR), created_at=AFTERNOON)
    assert only(situation(AFTERNOON + timedelta(minutes=59), tasks=(soon,))).comes == "when asked"
    assert only(situation(AFTERNOON + timedelta(minutes=60), tasks=(soon,))).comes == "unasked"


def test_an_open_question() -> None:
    idea = only(situation(AFTERNOON, conversations=(talk(2 * HOUR),)))
    assert idea.prompt.text.startswith("An agent asks about «caching»: «Which cache shall I use?»\nGather what an")
    assert idea.reasoning.text.startswith("An agent asked at 12:30 and waits in its own window;")
    claude = change(talk(timedelta()), source=TranscriptText("claude-code"))
    asked = only(situation(AFTERNOON, conversations=(claude,)))
    assert asked.prompt.text.startswith("Claude Code asks about")
    assert (asked.urgency, asked.prompt.quotes) == (0.7, frozenset({TextSource.TRANSCRIPT}))
    assert kinds(situation(AFTERNOON, conversations=(talk(timedelta(days=8)),))) == []
    assert kinds(situation(AFTERNOON, conversations=(talk(2 * HOUR, "  "),))) == []
    answered = change(talk(2 * HOUR), last_from="person")
    assert kinds(situation(AFTERNOON, conversations=(answered,))) == []


def test_a_meeting_within_the_hour() -> None:
    idea = only(situation(AFTERNOON, quiet_repository(), meetings=(meeting(HOUR / 2),)))
    assert idea.prompt.text == "Prepare for «Design review» at 15:00"
    assert idea.prompt.quotes == {TextSource.CALENDAR}
    assert idea.origin is Origin.WORLD
    assert idea.reasoning.text == '"Design review" starts in 30 min, at 15:00.'
    assert idea.work.playbook == "prepare-meeting"
    assert [each.text for each in idea.args] == ["Design review", "2026-03-03T15:00:00+01:00"]
    assert kinds(situation(AFTERNOON, meetings=(meeting(HOUR + timedelta(seconds=1)),))) == []
    assert kinds(situation(AFTERNOON, meetings=(meeting(timedelta(0)),))) == []
    assert kinds(situation(AFTERNOON, meetings=(meeting(HOUR / 2, lasts=DAY),))) == []
    assert only(situation(AFTERNOON, meetings=(meeting(HOUR / 2),))).work == Work(playbook="prepare-meeting")


def test_a_nearly_full_disk_step_by_step() -> None:
    assert kinds(situation(AFTERNOON, system=load(0.89))) == []
    first = only(situation(AFTERNOON, system=load(0.91)))
    assert "91% used" in first.prompt.text
    assert only(situation(AFTERNOON, system=load(0.93))).signature == first.signature
    second = only(situation(AFTERNOON, system=load(0.96)))
    assert not is_known(second.signature, first.signature)
    assert is_known(first.signature, second.signature)


def test_the_morning_plan_needs_open_tasks_and_a_morning() -> None:
    idea = only(situation(MORNING, tasks=(task(age=HOUR), task("t2", age=2 * HOUR))))
    assert idea.last_resort
    assert idea.prompt.text.startswith("Plan today: put 2 open tasks in order")
    assert kinds(situation(MORNING, tasks=())) == []
    assert kinds(situation(AFTERNOON, tasks=(task(age=HOUR),))) == []


def test_a_template_comes_after_every_true_reason() -> None:
    found = ideas(situation(MORNING, changed(), tasks=(task(age=5 * DAY),)), MIND)
    assert [idea.last_resort for idea in found] == [False, False, True]


def test_the_same_picture_gives_the_same_ideas_in_the_same_order() -> None:
    repositories = (changed(), change(changed(), path="/home/mo/a"), change(changed(), path="/home/mo/b"))
    tasks = (task("t1", age=3 * DAY), task("t2", age=3 * DAY))
    one = ideas(situation(AFTERNOON, *repositories, tasks=tasks), MIND)
    two = ideas(situation(AFTERNOON, *reversed(repositories), tasks=tuple(reversed(tasks))), MIND)
    assert one == two


def test_text_from_the_world_is_made_harmless() -> None:
    evil = "old\u202e\u200b\x1b[31m\n\ud800name" + "x" * 500
    dirty = change(
        quiet_repository(),
        stale_branches=(branch(evil, 90),),
        todos_added=(todo(evil, 1, evil),),
        ci="failed",
        ci_detail=CiText(evil),
        branch=RepositoryText(evil),
        unpushed=1,
        uncommitted=files(evil),
        to_commit=files(evil),
        uncommitted_since=AFTERNOON - DAY,
        changed_modules=modules(evil),
    )
    titled = change(task(age=2 * DAY), title=TaskText(evil))
    scene = situation(AFTERNOON, dirty, tasks=(titled,), meetings=(meeting(HOUR / 2, title=evil),))
    found = ideas(scene, MIND)
    assert len(found) == 8
    for idea in found:
        for text in (idea.prompt.text, idea.reasoning.text, idea.reason_key):
            assert text.replace("\n(«", "").isprintable()
            assert len(text) < 800
            text.encode()


def files(*paths: str) -> tuple[RepositoryText, ...]:
    return tuple(map(RepositoryText, paths))


def load(disk: float) -> SystemLoad:
    return SystemLoad(load_per_core=0.1, memory_used=0.5, disk_used=disk)
