"""Learn: what an outcome teaches (CROSSPOLL 7.2), and how good the predictions were (7.6)."""

from hub.learn.metrics import metrics
from hub.learn.signals import AUTO_SIGNAL, EXPIRED_SIGNAL, signal_of

__all__ = ["AUTO_SIGNAL", "EXPIRED_SIGNAL", "metrics", "signal_of"]
