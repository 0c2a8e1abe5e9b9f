"""How much to believe that a text was said: what two engines of different make think of it, as one number.

The weights are those of a logistic regression on synthetic voices kept for it (`tests/bench/ear_training`); one set for
commands after which something may run, another for all others, a third for what is only asked about, and a fourth
for a yes to that question. They lie in belief_en.toml.
"""

import math
from collections.abc import Sequence

import msgspec

from hub.contract.base import Value

NUMBERS_COUNT = 12
PHONE_S_USUAL = 0.14
"""Seconds of a phone in a short command with the quiet around it."""
FIT_MIN, GAP_MIN, MARGIN_MAX, SPHINX_FIT_MIN = -3.0, -15.0, 12.0, -40.0
SPHINX_FIT_MAX = 10.0
"""Words never explain a sound that much better than free phones: then these have failed, and say nothing."""
MARGIN_USUAL = 2.0
RIVAL_GAP_MIN = -2.5
NOISY_DB, NOISY_MARGIN_MIN = 25.0, 2.0
"""Noise so near below the speech hides the ends of words: an approval must be so far ahead of a rival that fits."""
AT_ONCE_MIN = 0.95
"""An approval that is believed less is asked about."""
UNLIKE_SOUNDS_MIN = 0.3
"""An approval whose words explain nothing to the network (below GAP_MIN) must at least have so many of their phones."""


class Evidence(Value):
    """What is known of one text that may have been said.

    `net_gap`, `net_fit`, `net_margin` and `phones_s` are the network's (see Opinion). `named` says whether the network
    itself would name this text's meaning first, `agreed` whether pocketsphinx' grammar found the same meaning and
    `contrary` whether it found another command. `sphinx_fit` is the difference to its free phones, per frame, and
    `coverage` the share of the speech that its words span (both 0 without agreement). `sounds` is how well its free
    phones are those of the text, less what a word that sounds alike has ahead of it. `quiet_db` is how far the noise
    lies below the speech.
    """

    net_gap: float
    net_fit: float
    net_margin: float
    phones_s: float
    named: bool
    agreed: bool
    contrary: bool
    sphinx_fit: float
    coverage: float
    sounds: float
    quiet_db: float = math.inf


def numbers(evidence: Evidence) -> tuple[float, ...]:
    """Return the evidence as NUMBERS_COUNT numbers of like size, in the order of the weights."""
    fit = max(FIT_MIN, evidence.net_fit)
    margin = max(-MARGIN_MAX, min(MARGIN_MAX, evidence.net_margin)) / MARGIN_MAX
    pace = abs(math.log(max(evidence.phones_s, 0.01) / PHONE_S_USUAL))
    sphinx = min(SPHINX_FIT_MAX, max(SPHINX_FIT_MIN, evidence.sphinx_fit)) / 10 if evidence.agreed else 0.0
    return (
        1.0,
        fit,
        max(GAP_MIN, evidence.net_gap) / 5,
        margin,
        math.tanh(evidence.net_margin / MARGIN_USUAL),
        pace,
        float(evidence.named),
        float(evidence.agreed),
        float(evidence.contrary),
        sphinx,
        evidence.coverage if evidence.agreed else 0.0,
        evidence.sounds,
    )


class Weights(msgspec.Struct, forbid_unknown_fields=True):
    """The weights of the two kinds of commands, and those for asking and its answer: NUMBERS_COUNT of each.

    Raises:
        ValueError: they are fewer or more, or no numbers.
    """

    granting: list[float]
    other: list[float]
    asking: list[float]
    agreeing: list[float]

    def __post_init__(self) -> None:
        for weights in (self.granting, self.other, self.asking, self.agreeing):
            if len(weights) != NUMBERS_COUNT or not all(map(math.isfinite, weights)):
                message = f"weights of a belief are {NUMBERS_COUNT} numbers"
                raise ValueError(message)

    def believe(self, evidence: Evidence, *, granting: bool) -> float:
        """Return how likely it is that the text was said, 0 to 1; 0 for an approval that is out.

        It is out where a rival fits as well, or where neither engine's free phones are those of its words.
        """
        margin_min = NOISY_MARGIN_MIN if evidence.quiet_db < NOISY_DB else 0.0
        if granting and (_is_rivalled(evidence, margin_min) or _is_babble(evidence)):
            return 0.0
        return _logistic(numbers(evidence), self.granting if granting else self.other)

    def approve(self, evidence: Evidence) -> float:
        """Return how likely an approval is that counts at once, 0 to 1; 0 where anything speaks against it.

        What does not count at once is asked about, so it may be held to more than other words that grant something: no
        other command was heard, no rival is nearly as likely, in quiet either, and it is believed beyond doubt.
        """
        if evidence.contrary or _is_rivalled(evidence, NOISY_MARGIN_MIN):
            return 0.0
        much = self.believe(evidence, granting=True)
        return much if much >= AT_ONCE_MIN else 0.0

    def suspect(self, evidence: Evidence) -> float:
        """Return how likely an approval is, 0 to 1, where no rival puts it out: good for asking only."""
        return _logistic(numbers(evidence), self.asking)

    def agree(self, evidence: Evidence) -> float:
        """Return how likely a yes is, 0 to 1, for whoever was asked."""
        return _logistic(numbers(evidence), self.agreeing)


def _is_rivalled(evidence: Evidence, margin_min: float) -> bool:
    """Say whether a rival fits (nearly) as well. The network must not merely be unsure: the rival must explain it."""
    return evidence.net_margin < margin_min and evidence.net_gap - evidence.net_margin > RIVAL_GAP_MIN


def _is_babble(evidence: Evidence) -> bool:
    """Say whether the words explain next to nothing; a gap that is no number counts as the worst."""
    return max(GAP_MIN, evidence.net_gap) <= GAP_MIN and evidence.sounds < UNLIKE_SOUNDS_MIN


def _logistic(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the belief; none in what is no number, which a comparison would take for the highest."""
    score = sum(value * weight for value, weight in zip(values, weights, strict=True))
    if math.isnan(score):
        return 0.0
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, score))))
