"""What is the single most valuable thing to do? (CROSSPOLL 2.3-2.5, 7.7; docs/suggestions.md)."""

from hub.what.choosing import propose, why_nothing
from hub.what.ideas import ideas, offers
from hub.what.passed import has_passed

__all__ = ["has_passed", "ideas", "offers", "propose", "why_nothing"]
