import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.backoff import RetryPolicy, retry_delay_s

draws = st.floats(0, 1, exclude_max=True)


@pytest.mark.slow
@given(attempt=st.integers(0, 10**9), draw=draws)
def test_a_delay_stays_within_its_bounds(attempt: int, draw: float) -> None:
    assert 0 <= retry_delay_s(attempt, RetryPolicy(base_s=0.1, cap_s=30), lambda: draw) <= 30


def test_the_ceiling_doubles_up_to_the_cap() -> None:
    policy = RetryPolicy(base_s=0.1, cap_s=1.0)
    ceilings = [round(retry_delay_s(attempt, policy, lambda: 1.0), 3) for attempt in range(6)]
    assert ceilings == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_the_jitter_is_full() -> None:
    assert retry_delay_s(5, RetryPolicy(), lambda: 0.0) == 0.0


def test_a_smaller_spread_keeps_the_rest_of_the_wait_certain() -> None:
    policy = RetryPolicy(base_s=1.0, cap_s=8.0, spread=0.5)
    draws = iter((0.0, 0.5, 1.0))
    assert [retry_delay_s(1, policy, lambda: next(draws)) for _ in range(3)] == [1.0, 1.5, 2.0]
    assert [policy.ceiling_s(attempt) for attempt in (0, 3, 10**9)] == [1.0, 8.0, 8.0]
