"""The record of permissions, as *Activity* tells it: each that was given, used or ended, and each stop and start."""

from typing import Literal

from hub.domain.judgement import StandingYes
from hub.domain.permission_grant import AddGrantEvent, GrantEvent
from hub.domain.provenance import say
from hub.loop.draft import Draft
from hub.loop.standing_views import end_of, what_of


def record(draft: Draft, event: GrantEvent) -> None:
    """Write a line."""
    draft.changes.append(AddGrantEvent(user=draft.state.user, event=event))


def record_autopilot(draft: Draft, given: StandingYes, what: Literal["made", "ended", "expired"], by: str) -> None:
    """Write down what became of work on autopilot; `by` is the device on which it was said."""
    said = say("On autopilot: {what}", what=what_of(given))
    if what == "made":
        said = say("{what}, until {end}", what=said, end=end_of(given.expires_at, draft.now, draft.state.policy.zone))
    record(
        draft,
        GrantEvent(grant_id=given.id, at=draft.now, what=what, by=by, text=said.text, text_worded=said.wording),
    )
