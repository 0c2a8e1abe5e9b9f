from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.breaker import FAILURES_TO_OPEN, PROBE_S_MAX, REST, Breaker, begin, failed, open_until, went_well

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
FIRST_REST, LONGEST_REST = timedelta(seconds=REST.base_s), timedelta(seconds=REST.cap_s)


def opened() -> Breaker:
    breaker = Breaker()
    for _ in range(FAILURES_TO_OPEN):
        breaker = failed(breaker, NOON)
    return breaker


def test_a_few_failures_do_not_open_it_and_one_success_forgets_them() -> None:
    breaker = failed(failed(Breaker(), NOON), NOON)
    assert (breaker.state, begin(breaker, NOON)[0]) == ("closed", True)
    assert went_well(breaker) == Breaker()


def test_failures_in_a_row_open_it_and_nothing_begins_until_its_rest_is_over() -> None:
    breaker = opened()
    assert (breaker.state, open_until(breaker)) == ("open", NOON + FIRST_REST)
    assert begin(breaker, NOON + FIRST_REST - SECOND) == (False, breaker)


def test_what_lasts_opens_it_at_once() -> None:
    assert failed(Breaker(), NOON, lasting=True).state == "open"


def test_after_the_rest_one_call_is_the_probe() -> None:
    may, probing = begin(opened(), NOON + FIRST_REST)
    assert (may, probing.state) == (True, "half-open")
    assert begin(probing, NOON + FIRST_REST + SECOND) == (False, probing)
    assert went_well(probing) == Breaker()


def test_a_probe_that_fails_rests_for_twice_as_long_up_to_a_bound() -> None:
    breaker, now, rests = opened(), NOON, []
    for _ in range(9):
        rests.append(breaker.rest)
        now += breaker.rest
        _, probing = begin(breaker, now)
        breaker = failed(probing, now)
    assert rests[:3] == [FIRST_REST, 2 * FIRST_REST, 4 * FIRST_REST]
    assert rests[-1] == LONGEST_REST


def test_a_probe_of_which_nothing_is_heard_does_not_block_for_ever() -> None:
    _, probing = begin(opened(), NOON + FIRST_REST)
    assert begin(probing, NOON + FIRST_REST + timedelta(seconds=PROBE_S_MAX))[0]


def test_a_failure_of_a_call_that_began_before_it_opened_does_not_lengthen_its_rest() -> None:
    breaker = opened()
    later = failed(breaker, NOON + SECOND)
    assert (later.rest, later.since) == (breaker.rest, breaker.since)


def test_a_clock_that_is_set_back_lengthens_no_rest_beyond_its_length() -> None:
    _, breaker = begin(opened(), NOON - timedelta(days=400))
    assert begin(breaker, NOON - timedelta(days=400) + FIRST_REST)[0]


@pytest.mark.slow
@pytest.mark.parametrize("state", ["closed", "open", "half-open"])
@given(data=st.data())
def test_whatever_happens_it_may_be_asked_again_within_the_longest_rest(state: str, data: st.DataObject) -> None:
    breaker = {"closed": Breaker(), "open": opened(), "half-open": begin(opened(), NOON + FIRST_REST)[1]}[state]
    now = NOON
    for step in data.draw(st.lists(st.sampled_from(["begin", "well", "bad", "lasting", "back", "on"]), max_size=30)):
        now += {"back": -timedelta(days=1), "on": timedelta(hours=1)}.get(step, SECOND)
        if step == "begin":
            _, breaker = begin(breaker, now)
        elif step == "well":
            breaker = went_well(breaker)
        elif step in {"bad", "lasting"}:
            breaker = failed(breaker, now, lasting=step == "lasting")
    _, breaker = begin(breaker, now)  # whoever waits asks now and then
    assert begin(breaker, now + LONGEST_REST)[0]
