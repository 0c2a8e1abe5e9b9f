"""What is the single most valuable thing to do? (CROSSPOLL 2.3-2.5, 7.7; docs/suggestions.md)."""

from hub.what.appetite import (
    QUIET,
    Rest,
    after_shown,
    fits,
    is_always_asked,
    is_kind_wanted,
    rest_after_dismissals,
    rest_after_less,
)
from hub.what.asked import earlier_answers
from hub.what.choosing import propose, waiting_for, why_nothing
from hub.what.ideas import ideas, joined, offers
from hub.what.news import news, next_turn, seen_after
from hub.what.passed import ended, has_passed
from hub.what.routing import doable
from hub.what.sighting import at_path
from hub.what.standing import keys_open
from hub.what.waking import wake_key, wake_proposal
from hub.what.wants import idle, wants

__all__ = [
    "QUIET",
    "Rest",
    "after_shown",
    "at_path",
    "doable",
    "earlier_answers",
    "ended",
    "fits",
    "has_passed",
    "ideas",
    "idle",
    "is_always_asked",
    "is_kind_wanted",
    "joined",
    "keys_open",
    "news",
    "next_turn",
    "offers",
    "propose",
    "rest_after_dismissals",
    "rest_after_less",
    "seen_after",
    "waiting_for",
    "wake_key",
    "wake_proposal",
    "wants",
    "why_nothing",
]
