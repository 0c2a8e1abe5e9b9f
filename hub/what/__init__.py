"""What is the single most valuable thing to do? (CROSSPOLL 2.3-2.5, 7.7; docs/suggestions.md)."""

from hub.what.choosing import propose, why_nothing
from hub.what.ideas import ideas, offers

__all__ = ["ideas", "offers", "propose", "why_nothing"]
