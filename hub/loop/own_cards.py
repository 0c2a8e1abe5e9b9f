"""Cards on which Pulse asks about itself: may it act alone, learn, let an agent do more, be changed. Made and answered.

Nothing runs for such a card as for others: what a yes to it brings about is done where the card is from.
"""

from msgspec.structs import replace

from hub.contract.api import AnswerReply, Prediction
from hub.contract.words import MoveReason
from hub.domain.episode import Proposed
from hub.domain.provenance import Wording
from hub.domain.suggestion import Answer, Card
from hub.domain.worded import Worded
from hub.loop.answered import keep, settled_by
from hub.loop.draft import Draft
from hub.loop.grants import note_answer
from hub.loop.tell import tell_new, tell_settled

NOTHING_RUNS = "You said yes; this card itself runs nothing."


def put_own(draft: Draft, card: Card) -> None:
    """Put such a card before the person."""
    draft.add(card)
    draft.note(card.id, Proposed(proposal=card.proposal, ideas=1))
    tell_new(draft, card)


def settle_own(draft: Draft, card: Card, answer: Answer, outcome: Wording | Worded) -> Prediction:
    """Settle it by a yes whose work is done with it; return it as everybody sees it now."""
    settled = replace(settled_by(card, answer, draft.now), outcome=outcome.text, outcome_worded=outcome.wording)
    approved = draft.move(settled, MoveReason.APPROVED)
    return tell_settled(draft, draft.move(approved, MoveReason.VERIFIED))


def undo_own(draft: Draft, card: Card, answer: Answer, outcome: Wording | Worded) -> AnswerReply:
    """Say on it that what its yes brought about was taken back."""
    note_answer(draft, answer)
    undone = draft.keep(replace(keep(card, answer), undone=True, outcome=outcome.text, outcome_worded=outcome.wording))
    return AnswerReply(prediction=tell_settled(draft, undone), message=outcome.text)
