"""The judge's lists can be read, and judge as their README says."""

from datetime import UTC, datetime

import pytest

from tests.bench.bench_paths import PATHS
from tests.bench.path_lists import CardSeen, Entry, Moment, PathList, Standing, read, ruling, written_out

NOW = datetime(2026, 11, 28, 14, 30, tzinfo=UTC)
COMMIT = CardSeen(text="Commit 2 files: a.py, b.py deleted", command="git commit --message x -- a.py b.py in shop")
FIRST = Moment(
    id="first",
    minutes=1,
    does="",
    so="",
    folder="shop",
    false=(Entry(id="hides", card="", because="", command="git .*commit", never=("delet",)),),
    useful=(
        Entry(id="whole", card="", because="", command="git .*commit", about=("a\\.py", "b\\.py"), until="second"),
        Entry(id="due", card="", because="", about=("@date+1@",), note=True),
    ),
)
SECOND = Moment(id="second", minutes=1, does="", so="", folder="shop")
THIRD = Moment(id="third", minutes=1, does="", so="", folder="shop")
SHOP = PathList(
    name="shop",
    goal_useful=1,
    goal_false=0,
    moment=(FIRST, SECOND, THIRD),
    always=Standing(useless=(Entry(id="setting", card="", because="", about=("pulse config",)),)),
)


@pytest.mark.parametrize("name", PATHS)
def test_a_list_names_what_is_there(name: str) -> None:
    path = read(name)
    entries = [entry for moment in (*path.moment, path.always) for _, entry in moment.entries()]
    ids, moments = [entry.id for entry in entries], [moment.id for moment in path.moment]
    assert len({*ids, *moments}) == len(ids) + len(moments), "a name says one thing"
    assert {entry.until for entry in entries} <= {"", *moments}
    assert {gone for moment in path.moment for gone in moment.gone} <= {*ids}
    assert all(entry.card and entry.because for entry in entries)
    assert {moment.repository or moment.folder for moment in path.moment} == {place.id for place in path.places}


def test_a_card_is_judged_by_the_first_entry_that_fits() -> None:
    hidden = CardSeen(text="Commit 2 files: a.py, b.py", command=COMMIT.command)
    assert ruling(SHOP, FIRST, hidden, NOW, {}).verdict == "false"
    said = ruling(SHOP, FIRST, COMMIT, NOW, {})
    assert (said.verdict, said.answer) == ("useful", "yes")
    assert ruling(SHOP, SECOND, COMMIT, NOW, {}).verdict == "useful", "it holds until the second moment"
    assert ruling(SHOP, THIRD, COMMIT, NOW, {}).verdict == "not on the list"
    assert ruling(SHOP, FIRST, COMMIT, NOW, {"whole": "first"}).verdict == "useless", "it was shown already"
    told = CardSeen(text="Look at `pulse config`", command="")
    assert (ruling(SHOP, THIRD, told, NOW, {}).verdict, ruling(SHOP, THIRD, told, NOW, {}).answer) == ("useless", "no")


@pytest.mark.parametrize("way", ["2026-11-29", "29 November", "Nov 29", "Sunday", "29.11."])
def test_a_date_is_known_in_every_usual_way_of_writing_it(way: str) -> None:
    said = ruling(SHOP, FIRST, CardSeen(text=f"due {way}", command=""), NOW, {})
    assert (said.verdict, said.answer) == ("useful", "leave")
    assert ruling(SHOP, FIRST, CardSeen(text=f"due {way}", command="date"), NOW, {}).verdict != "useful", "no note"


def test_times_are_filled_in_where_they_are_typed() -> None:
    assert written_out("by @time+8m@, @date+1@; sleep @long@", NOW, 70.0) == "by 14:38, 2026-11-29; sleep 70"
