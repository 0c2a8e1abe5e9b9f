"""A training pair as a row of a file: CROSSPOLL 7.3, which TRL reads, and the preference rows that Together takes."""

from datetime import datetime

from hub.contract.base import Value
from hub.domain.canonical import visible
from hub.domain.lessons import TrainingPair

PAIRS_MIN = 50
"""The quality gate of CROSSPOLL 7.4: an export has so many pairs, or is not made."""


class PairMetadata(Value):
    """What is said of a pair beside its texts."""

    timestamp: datetime
    confidence_chosen: float
    confidence_rejected: float


class DpoRow(Value):
    """One row of CROSSPOLL 7.3: a preference with an explicit prompt, in TRL's standard format."""

    prompt: str
    chosen: str
    rejected: str
    metadata: PairMetadata


class PairMessage(Value):
    """One message of a conversation."""

    role: str
    content: str


class ChatInput(Value):
    """What came before the answer."""

    messages: tuple[PairMessage, ...]


class PreferenceRow(Value):
    """One row of Together's preference data: one message of the assistant on either side."""

    input: ChatInput
    preferred_output: tuple[PairMessage, ...]
    non_preferred_output: tuple[PairMessage, ...]


def dpo_row(pair: TrainingPair) -> DpoRow:
    """Return a pair as TRL reads it; its texts are masked once more, by the rules of today."""
    return DpoRow(
        prompt=visible(pair.context),
        chosen=visible(pair.chosen),
        rejected=visible(pair.rejected),
        metadata=PairMetadata(
            timestamp=pair.created_at,
            confidence_chosen=pair.chosen_confidence,
            confidence_rejected=pair.rejected_confidence,
        ),
    )


def preference_row(pair: TrainingPair) -> PreferenceRow:
    """Return a pair as Together takes it; its texts are masked once more, by the rules of today."""
    return PreferenceRow(
        input=ChatInput(messages=(PairMessage(role="user", content=visible(pair.context)),)),
        preferred_output=(PairMessage(role="assistant", content=visible(pair.chosen)),),
        non_preferred_output=(PairMessage(role="assistant", content=visible(pair.rejected)),),
    )
