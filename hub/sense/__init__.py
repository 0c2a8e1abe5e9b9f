"""What is going on? Readings in, one `Situation` out (CROSSPOLL 2.2, DRIVES 1)."""

from hub.sense.assemble import assemble

__all__ = ["assemble"]
