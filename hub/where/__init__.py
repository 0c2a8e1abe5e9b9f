"""Where: which surfaces are told of an event, how loudly, and what may be answered there (CROSSPOLL 6)."""

from hub.where.attention import BUSY, how_to_tell
from hub.where.digest_times import digest_after, digest_before
from hub.where.gaps import FIX_SAID, LASTS, unreached
from hub.where.next_best import next_best
from hub.where.routing import HEARD, LOUDER, beside_agents, may_grant, may_say, route
from hub.where.token import Grant, TokenError, check, mint

__all__ = [
    "BUSY",
    "FIX_SAID",
    "HEARD",
    "LASTS",
    "LOUDER",
    "Grant",
    "TokenError",
    "beside_agents",
    "check",
    "digest_after",
    "digest_before",
    "how_to_tell",
    "may_grant",
    "may_say",
    "mint",
    "next_best",
    "route",
    "unreached",
]
