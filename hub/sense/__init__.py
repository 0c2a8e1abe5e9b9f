"""What is going on? Readings in, one `Situation` out (CROSSPOLL 2.2, DRIVES 1); lines in, sessions out (WORLD 1)."""

from hub.sense.assemble import assemble
from hub.sense.world_day import day_of
from hub.sense.world_sessions import session_after

__all__ = ["assemble", "day_of", "session_after"]
