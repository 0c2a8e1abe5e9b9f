"""The spirit: one mood for all sessions of the world log, the same on every surface."""

from datetime import UTC, datetime, timedelta

import pytest

from hub.contract.world_api import WorldStatus
from hub.kit.phrase_files import phrases
from hub.kit.spirit import VERIFIED_SHOWN, Spirit, spirit_of, spirit_said

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
JUST = NOW - timedelta(seconds=5)


def world(active: int = 0, pending: int = 0, failed: int = 0, verified_at: datetime | None = None) -> WorldStatus:
    return WorldStatus(active=active, pending=pending, failed=failed, verified_at=verified_at)


@pytest.mark.parametrize(
    ("status", "mood", "said", "german"),
    [
        (None, "idle", "", ""),
        (world(), "idle", "", ""),
        (world(active=2), "working", "2 sessions are working", "2 Sitzungen arbeiten"),
        (world(pending=1), "working", "one session is working", "eine Sitzung arbeitet"),
        (
            world(active=2, verified_at=JUST),
            "verified",
            "a session is done and checked",
            "eine Sitzung ist fertig und geprüft",
        ),
        (world(verified_at=NOW - VERIFIED_SHOWN), "idle", "", ""),
        (world(verified_at=NOW + VERIFIED_SHOWN), "idle", "", ""),
        (world(active=9, failed=1, verified_at=JUST), "failed", "a session needs you", "eine Sitzung braucht dich"),
        (world(failed=990), "failed", "990 sessions need you", "990 Sitzungen brauchen dich"),
    ],
)
def test_what_needs_somebody_comes_first_and_what_was_verified_is_shown_for_a_moment(
    status: WorldStatus | None, mood: Spirit, said: str, german: str
) -> None:
    assert spirit_of(status, NOW) == mood
    assert [spirit_said(status, NOW, phrases(lang)) for lang in ("en", "de")] == [said, german]
