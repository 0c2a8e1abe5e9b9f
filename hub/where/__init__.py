"""Where: which surfaces are told of an event, how loudly, and what may be answered there (CROSSPOLL 6)."""

from hub.where.attention import alone_from, how_to_tell
from hub.where.routing import route
from hub.where.token import Grant, TokenError, check, mint

__all__ = ["Grant", "TokenError", "alone_from", "check", "how_to_tell", "mint", "route"]
