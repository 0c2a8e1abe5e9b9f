"""Sure, half sure, or not at all: what an engine's evidence is worth.

A grammar always finds its nearest match, which is why it approves nonsense. So a command needs more than a match: its
words must cover the speech, it must explain the sound about as well as free phones do (the garbage score), and for
words after which something may run, a second and differently built opinion must agree. An approval that is not sure,
but likely, is worth a question.
"""

from edge.speech.commands import ANSWERING, DICTATED, GRANTING, Command, Doubtful, Refused, Word
from edge.speech.grammar import understand
from edge.speech.phrasebook import Phrasebook
from hub.contract.base import Value

UNSURE = "unsure"
FORBIDDING = frozenset({"negated", "quoted"})
"""Whoever was understood to speak against it, or of it, is not asked."""


class Hearing(Value):
    """What an engine made of one stretch of speech.

    `coverage` is the share of the speech that the words span (0 to 1). `fit` says how much worse the words explain the
    sound than free phones do, per second (0 is as well; more is better). `second` is how well the second opinion
    agrees (1 fully, 0 not at all); None where an engine has none. `maybe` is an approval that may have been said, and
    `maybe_second` how far that is believed, by a measure that only asking is good for.
    """

    text: str
    coverage: float = 1.0
    fit: float = 0.0
    second: float | None = None
    seconds: float = 0.0
    maybe: str = ""
    maybe_second: float = 0.0


class Bars(Value):
    """How much evidence an engine's commands need: its calibration, chosen on mixed synthetic voices."""

    coverage_min: float
    fit_min: float
    second_min: float
    granting_coverage_min: float
    granting_fit_min: float
    granting_second_min: float
    seconds_max: float = 6.0
    granting_seconds_max: float = 2.5
    """An approval is short; a long stretch in which one was found is somebody talking."""
    asking_min: float = 2.0
    """From here on `maybe_second` is worth a question; it never reaches 2."""
    words: tuple[tuple[str, float], ...] = ()
    """Words with a bar of their own on `second`."""


def judge(hearing: Hearing, book: Phrasebook, bars: Bars) -> Command | Doubtful | Refused:
    """Return the command, an approval that is to be asked about, or why there is neither."""
    understood = _surely(hearing, book, bars)
    or_yes = understood == Command(word=Word.YES)
    if (isinstance(understood, Command) and not or_yes) or getattr(understood, "why", "") in FORBIDDING:
        return understood
    perhaps = understand(hearing.maybe, book)
    is_short = hearing.seconds <= bars.granting_seconds_max
    if is_short and hearing.maybe_second >= bars.asking_min and perhaps == Command(word=Word.APPROVE):
        return Doubtful(command=perhaps, or_yes=or_yes)
    return understood


def _surely(hearing: Hearing, book: Phrasebook, bars: Bars) -> Command | Refused:
    understood = understand(hearing.text, book)
    if isinstance(understood, Refused):
        return understood
    is_brief = understood.word in GRANTING - ANSWERING  # a choice may be called by all its words
    seconds_max = bars.granting_seconds_max if is_brief else bars.seconds_max
    if understood.word not in DICTATED and hearing.seconds > seconds_max:
        return Refused(why="too-long")
    return understood if _is_sure(hearing, understood, bars) else Refused(why=UNSURE)


def _is_sure(hearing: Hearing, command: Command, bars: Bars) -> bool:
    granting = command.word in GRANTING
    coverage_min = bars.granting_coverage_min if granting else bars.coverage_min
    fit_min = bars.granting_fit_min if granting else bars.fit_min
    second_min = bars.granting_second_min if granting else dict(bars.words).get(command.word, bars.second_min)
    agreed = not granting if hearing.second is None else hearing.second >= second_min
    return hearing.coverage >= coverage_min and hearing.fit >= fit_min and agreed
