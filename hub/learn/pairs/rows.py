"""A training pair as a row of a file: CROSSPOLL 7.3, a chat as TRL reads it, and the rows that Together takes.

A model that is served is asked in a chat: an instruction, and a message that begins with the situation; and it is asked
for JSON. So the rows for training one are that chat, with the same instruction, the same situation, and an answer in
the form that is asked for. CROSSPOLL 7.3 knows text alone.
"""

from datetime import datetime

import msgspec

from hub.contract.base import Value
from hub.domain.canonical import visible
from hub.domain.lessons import TrainingPair

PAIRS_MIN = 50
"""The quality gate of CROSSPOLL 7.4: an export has so many pairs, or is not made."""
TO_CHANNEL = " → "
"""Between a suggestion and its channel, in the text of a pair."""


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


class ChatRow(Value):
    """One row in TRL's conversational format: the messages before the answer, and either answer as one message."""

    prompt: tuple[PairMessage, ...]
    chosen: tuple[PairMessage, ...]
    rejected: tuple[PairMessage, ...]


class AskedFor(Value):
    """An answer in the form in which a model is asked for it; how sure it is, a pair does not say."""

    prompt: str
    channel: str


class AskedForAll(Value):
    """The list that a model is asked for, with the one candidate of a pair's side."""

    candidates: tuple[AskedFor, ...]


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


def chat_row(pair: TrainingPair, instruction: str) -> ChatRow:
    """Return a pair as a chat of the kind in which a model is asked; `instruction` is what it is told first."""
    return ChatRow(prompt=_question(pair, instruction), chosen=_answer(pair.chosen), rejected=_answer(pair.rejected))


def preference_row(pair: TrainingPair, instruction: str) -> PreferenceRow:
    """Return the same chat as Together takes it."""
    return PreferenceRow(
        input=ChatInput(messages=_question(pair, instruction)),
        preferred_output=_answer(pair.chosen),
        non_preferred_output=_answer(pair.rejected),
    )


def _question(pair: TrainingPair, instruction: str) -> tuple[PairMessage, ...]:
    return (
        PairMessage(role="system", content=instruction),
        PairMessage(role="user", content=visible(pair.context)),
    )


def _answer(side: str) -> tuple[PairMessage, ...]:
    """Return one side of a pair as the answer of a model; it is masked once more, by the rules of today."""
    prompt, found, channel = visible(side).rpartition(TO_CHANNEL)
    told = AskedFor(prompt=prompt, channel=channel) if found else AskedFor(prompt=channel, channel="")
    said = AskedForAll(candidates=(told,))
    return (PairMessage(role="assistant", content=msgspec.json.encode(said).decode()),)
