"""The signals of CROSSPOLL 7.2, as a table. Only explicit answers are strong labels."""

from hub.contract.words import Verb
from hub.domain.episode import Learned

AUTO_SIGNAL = Learned(signal="auto-executed", value="chosen", weight=0.5)
EXPIRED_SIGNAL = Learned(signal="expired", value="rejected", weight=0.3)
"""Weak, and counted only where the ledger knows that the card was shown (the exporter looks it up)."""

_SIGNALS = {
    (Verb.APPROVE, False): Learned(signal="approved", value="chosen", weight=1.0),
    (Verb.EDIT, False): Learned(signal="edited", value="corrected", weight=1.0),
    (Verb.RETRY, False): Learned(signal="retried", value="excluded", weight=0.0),
    (Verb.FIX, False): Learned(signal="handed-on", value="excluded", weight=0.0),
    (Verb.IGNORE, False): Learned(signal="ignored", value="excluded", weight=0.0),
    (Verb.REJECT, False): Learned(signal="rejected", value="rejected", weight=1.0),
    (Verb.LESS, False): Learned(signal="less-wanted", value="rejected", weight=1.0),
    (Verb.NEVER, False): Learned(signal="never-wanted", value="rejected", weight=1.0),
    (Verb.SNOOZE, False): Learned(signal="snoozed", value="excluded", weight=0.0),
    (Verb.UNDO, True): Learned(signal="auto-executed-undone", value="rejected", weight=0.8),
    (Verb.UNDO, False): Learned(signal="undone", value="rejected", weight=0.8),
}


def signal_of(verb: Verb, *, autonomous: bool) -> Learned:
    """Return the training signal of an answer; `autonomous` says that Pulse had acted by itself."""
    return _SIGNALS[verb, autonomous and verb is Verb.UNDO]
