"""What a person wants less of, or never: a filter and a weight, and nothing that only time brings back is lost."""

from datetime import datetime, timedelta
from typing import Literal

import pytest
from msgspec.structs import replace

from hub.domain.episode import Proposed
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.situation import Situation
from hub.domain.suggestion import Work
from hub.what import Rest, after_shown, ideas, is_kind_wanted, propose, rest_after_dismissals, rest_after_less
from hub.what.appetite import RESTS, fits, is_wanted, liking
from tests.rooms.what.scenes import AFTERNOON, HOUR, POLICY, modules, quiet_repository, situation, task

SHOP, BLOG = "/home/mo/shop", "/home/mo/blog"
DAY = timedelta(days=1)


def scene(at: datetime = AFTERNOON, path: str = SHOP) -> Situation:
    repository = replace(
        quiet_repository(path, path.rpartition("/")[2]),
        changed_modules=modules("src/api"),
        last_test_run_at=AFTERNOON - 2 * HOUR,
    )
    return situation(at, repository, tasks=(task(age=2 * DAY),))


def proposed(mind: Mind, at: datetime = AFTERNOON, path: str = SHOP, *, asked: bool = False) -> Proposed | None:
    return propose(scene(at, path), POLICY, mind, known={}, open_keys=(), asked=asked)


def kind_of(found: Proposed | None) -> str:
    return found.proposal.kind if found else ""


def mute(degree: Literal["less", "never"] = "never", **said: object) -> Mute:
    return replace(Mute(id="m", degree=degree, made_at=AFTERNOON, last_at=AFTERNOON), **said)


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ({"kind": "run-tests"}, "stale-task"),
        ({"kind": "run-tests", "repository": SHOP}, "stale-task"),
        ({"kind": "run-tests", "repository": BLOG}, "run-tests"),
        ({"kind": "run-tests", "channel": "koji-core"}, "stale-task"),
        ({"kind": "run-tests", "channel": "garden"}, "run-tests"),
        ({"repository": SHOP}, "stale-task"),
        ({"repository": BLOG}, "run-tests"),
    ],
)
def test_never_takes_out_what_it_names_and_nothing_else(said: dict[str, str], first: str) -> None:
    mind = Mind(mutes=(mute("never", **said),))
    assert kind_of(proposed(mind)) == first
    assert kind_of(proposed(mind, asked=True)) == first
    assert kind_of(proposed(Mind())) == "run-tests"


def test_less_rests_for_a_day_then_longer_and_asking_does_not_wait() -> None:
    mind = Mind(mutes=(mute("less", kind="run-tests"),))
    assert kind_of(proposed(mind, AFTERNOON + DAY - HOUR / 60)) == "stale-task"
    idea = next(one for one in ideas(scene(), mind) if one.kind == "run-tests")
    assert [is_wanted(mind, idea, AFTERNOON, asked=asked) for asked in (False, True)] == [False, True]
    assert is_wanted(mind, idea, AFTERNOON + DAY)
    assert idea.reasoning.text.endswith("You asked to see this less often, so it comes at most once a day.")
    assert [rest_after_less(times).length for times in (1, 2, 3, 4, 9)] == [DAY, 2 * DAY, 4 * DAY, 7 * DAY, 7 * DAY]


def test_less_weighs_less_each_time() -> None:
    idea = next(one for one in ideas(scene(), Mind()) if one.kind == "run-tests")
    weights = [liking(Mind(mutes=(mute("less", kind="run-tests", times=times),)), idea) for times in (1, 2, 99)]
    assert weights[:2] == [0.5, 0.25]
    assert 0 < weights[2] < 0.001
    liked = Mind(tallies={"run-tests": Tally(approved=8)})
    less = replace(liked, mutes=(mute("less", kind="run-tests"),))
    later = AFTERNOON + DAY
    rated = (one for mind in (liked, less) for one in ideas(scene(later), mind))
    patterns = [one.pattern for one in rated if one.kind == "run-tests"]
    assert patterns == [0.9, 0.45]


@pytest.mark.parametrize(
    ("in_row", "rest"), [(2, None), (3, RESTS[0]), (4, RESTS[1]), (10, RESTS[-1]), (27, RESTS[-1])]
)
def test_dismissals_in_a_row_make_a_kind_rarer_by_themselves(in_row: int, rest: Rest | None) -> None:
    tally = Tally(rejected=in_row, in_row=in_row, last_at=AFTERNOON)
    assert rest_after_dismissals("run-tests", tally) == rest
    length = rest.length if rest else timedelta()
    mind = Mind(tallies={"run-tests": tally})
    if rest:
        assert kind_of(proposed(mind, AFTERNOON + length - HOUR / 60)) == "stale-task"
    found = [one for one in ideas(scene(AFTERNOON + length), mind) if one.kind == "run-tests"]
    assert is_wanted(mind, found[0], AFTERNOON + length)
    assert ("in a row" in found[0].reasoning.text) is (rest is not None)


@pytest.mark.parametrize(("kind", "noes"), [("missing-links", 2), ("prepare-meeting", 2), ("make-repository", 1)])
def test_a_note_that_nobody_asked_for_is_quiet_after_few_noes_until_it_is_asked_for(kind: str, noes: int) -> None:
    before, after = (Mind(tallies={kind: Tally(in_row=count, last_at=AFTERNOON)}) for count in (noes - 1, noes))
    years = AFTERNOON + 3_000 * DAY
    assert is_kind_wanted(before, kind, SHOP, None, AFTERNOON)
    assert not is_kind_wanted(after, kind, SHOP, None, years)
    assert is_kind_wanted(after, kind, SHOP, None, AFTERNOON, asked=True)
    yes = replace(after, tallies={kind: Tally(in_row=0, approved=1)})
    assert is_kind_wanted(yes, kind, SHOP, None, AFTERNOON)


@pytest.mark.parametrize("kind", ["deadline", "pursue", "program-stopped", "stale-task", "open-question"])
def test_what_the_person_asked_to_hear_of_is_not_quiet_after_two(kind: str) -> None:
    tired = Mind(tallies={kind: Tally(in_row=9, last_at=AFTERNOON)})
    assert is_kind_wanted(tired, kind, SHOP, None, AFTERNOON + 8 * DAY)


def test_what_was_shown_rests_from_then_on() -> None:
    mind = Mind(mutes=(mute("less", kind="run-tests"), mute("less", repository=BLOG)), tallies={"run-tests": Tally()})
    later = after_shown(mind, "run-tests", SHOP, "koji-core", AFTERNOON + HOUR)
    assert [one.last_at for one in later.mutes] == [AFTERNOON + HOUR, AFTERNOON]
    assert later.tallies["run-tests"].last_at == AFTERNOON + HOUR
    assert after_shown(mind, "other", None, "garden", AFTERNOON + HOUR) == mind


def test_a_wish_for_a_channel_waits_until_the_channel_is_known() -> None:
    wish = mute(channel="koji-core")
    assert not fits(wish, "run-tests", SHOP, None)
    assert fits(wish, "run-tests", SHOP, "koji-core")


def test_one_of_no_repository_is_not_meant_by_one_of_a_repository() -> None:
    idea = next(one for one in ideas(scene(), Mind()))
    homeless = replace(idea, work=Work())
    assert is_wanted(Mind(mutes=(mute(kind=idea.kind, repository=SHOP),)), homeless, AFTERNOON)
