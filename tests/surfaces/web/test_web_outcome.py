"""Which answers end a subscription (two), and for how long the others ask us to wait."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.gateway.outcome import (
    Accepted,
    Gone,
    Misconfigured,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from surfaces.web.outcome import outcome_of, retry_after_s

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, Accepted),
        (201, Accepted),
        (202, Accepted),
        (204, Accepted),
        (301, Undeliverable),
        (307, Undeliverable),
        (400, Undeliverable),
        (401, Misconfigured),
        (403, Misconfigured),
        (404, Gone),
        (406, RetryLater),
        (408, RetryLater),
        (410, Gone),
        (413, TooLarge),
        (425, RetryLater),
        (429, RetryLater),
        (500, RetryLater),
        (502, RetryLater),
        (503, RetryLater),
        (504, RetryLater),
    ],
)
def test_what_a_status_means(status: int, kind: type) -> None:
    assert isinstance(outcome_of(status), kind)


@given(st.integers(100, 999))
def test_only_404_and_410_end_a_subscription(status: int) -> None:
    assert isinstance(outcome_of(status), Gone) == (status in {404, 410})


def test_a_shorter_life_is_said() -> None:
    assert outcome_of(201, ttl="60") == Accepted(detail="kept for 60 s")
    assert outcome_of(201, ttl="soon") == Accepted()


@pytest.mark.parametrize(
    ("value", "wait_s"),
    [
        ("120", 120),
        (" 5 ", 5),
        ("", 0),
        ("soon", 0),
        ("-3", 0),
        ("99999999999999", 86_400),
        ("Mon, 02 Mar 2026 10:01:00 GMT", 60),
        ("Mon, 02 Mar 2026 09:00:00 GMT", 0),
        ("Mon, 02 Mar 2026 10:01:00", 0),
        ("٣", 0),
    ],
)
def test_retry_after(value: str, wait_s: float) -> None:
    assert retry_after_s(value, NOW) == wait_s


@pytest.mark.slow
@given(st.text(max_size=60))
def test_no_retry_after_is_a_bug(value: str) -> None:
    assert 0 <= retry_after_s(value, NOW) <= 86_400
