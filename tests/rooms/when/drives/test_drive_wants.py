"""What a look makes of the drives: news spikes, what is gone takes its pressure along, blindness changes nothing."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.domain.drives import WANTS_MAX
from hub.when.drives import brought, handed_in, looked, pressure_at, without, without_ended
from tests.rooms.when.drives.drives_at_hand import HOUR, NOW, RULES, drive, drives, want

BLIND: frozenset[str] = frozenset()


def test_what_is_new_spikes_by_as_much_as_it_matters() -> None:
    (goals,) = looked(drives(drive()), {"goals": [want(strength=0.8)]}, RULES, NOW, blind=BLIND).drives
    assert goals.pressure == pytest.approx(1.2)


def test_what_was_there_before_spikes_by_as_much_as_it_has_grown() -> None:
    once = looked(drives(drive()), {"goals": [want(strength=0.5)]}, RULES, NOW, blind=BLIND)
    assert looked(once, {"goals": [want(strength=0.5)]}, RULES, NOW, blind=BLIND) == once
    grown = looked(once, {"goals": [want(strength=0.9)]}, RULES, NOW, blind=BLIND)
    assert grown.drives[0].pressure == pytest.approx(0.9 * 1.5)
    less = looked(grown, {"goals": [want(strength=0.1)]}, RULES, NOW, blind=BLIND)
    assert less.drives[0].pressure == grown.drives[0].pressure


def test_what_is_gone_takes_its_part_along() -> None:
    before = drives(drive("goals", want("one"), want("two"), pressure=4.0))
    (goals,) = looked(before, {"goals": [want("two")]}, RULES, NOW, blind=BLIND).drives
    assert goals.pressure == 2.0
    (goals,) = looked(before, {}, RULES, NOW, blind=BLIND).drives
    assert (goals.pressure, goals.wants) == (0.0, ())


def test_where_a_sensor_was_blind_everything_stays() -> None:
    before = drives(drive("goals", want(), pressure=4.0))
    assert looked(before, {}, RULES, NOW, blind={"git"}).drives == before.drives


def test_what_was_brought_up_stays_so_over_the_next_look() -> None:
    before = drives(brought(drive("goals", want(), pressure=4.0), NOW))
    (goals,) = looked(before, {"goals": [want()]}, RULES, NOW + HOUR, blind=BLIND).drives
    assert goals.wants[0].brought_at == NOW


def test_what_is_handed_in_outlives_looks_and_ends_at_its_time() -> None:
    told = replace(want("told", sensor="agent"), until=NOW + HOUR)
    one = handed_in(drive(), told, RULES, NOW, 2.0)
    assert one.pressure == 2.0
    kept = looked(drives(one), {}, RULES, NOW, blind=BLIND)
    assert kept.drives[0].wants == (told,)
    over = without_ended(kept, RULES, NOW + 2 * HOUR)
    assert over.drives[0].wants == ()
    assert pressure_at(over.drives[0], RULES, NOW + 9 * HOUR) == pytest.approx(2.6)
    assert without_ended(over, RULES, NOW + 3 * HOUR) is over


def test_the_strongest_wants_are_kept() -> None:
    many = [want(f"{number}", strength=number / 100) for number in range(WANTS_MAX + 20)]
    (goals,) = looked(drives(drive()), {"goals": many}, RULES, NOW, blind=BLIND).drives
    assert len(goals.wants) == WANTS_MAX
    assert goals.wants[0].key == str(WANTS_MAX + 19)
    assert goals.pressure <= RULES.pressure_max


def test_what_there_is_no_room_for_is_not_news_at_each_look() -> None:
    many = [want(f"{number:03}", strength=0.5) for number in range(WANTS_MAX + 20)]
    before = looked(drives(replace(drive(), at=None)), {"goals": many}, RULES, NOW, blind=BLIND)
    grown = [replace(many[0], strength=0.6), *many[1:]]
    (goals,) = looked(before, {"goals": grown}, RULES, NOW, blind=BLIND).drives
    assert goals.pressure == pytest.approx(0.1 * RULES.spike)


def test_a_look_that_shows_nothing_new_leaves_a_drive_to_grow_on() -> None:
    before = drives(drive("goals", want()))
    after = looked(before, {"goals": [want()]}, RULES, NOW + timedelta(minutes=50), blind=BLIND)
    assert after.drives[0] is before.drives[0]
    assert pressure_at(after.drives[0], RULES, NOW + timedelta(minutes=100)) == pytest.approx(1.0)


def test_a_look_puts_right_what_a_clock_far_ahead_left() -> None:
    before = drives(replace(drive("goals", want()), at=NOW + timedelta(days=400)))
    (goals,) = looked(before, {"goals": [want()]}, RULES, NOW, blind=BLIND).drives
    assert goals.at == NOW


def test_what_lies_there_at_the_first_look_is_no_news() -> None:
    new = drives(replace(drive(), at=None))
    (goals,) = looked(new, {"goals": [want()]}, RULES, NOW, blind=BLIND).drives
    assert (goals.pressure, goals.at) == (0.0, NOW)


def test_what_is_settled_leaves_without_more_of_the_pressure() -> None:
    one = without(drive("goals", want("one"), want("two"), pressure=3.0), "one")
    assert ([each.key for each in one.wants], one.pressure) == (["two"], 3.0)
