"""How a question of an agent's stands, as the agent reads it. Pure."""

from typing import Any, Literal

import msgspec

from hub.contract.base import Value
from hub.contract.control import PermissionReply
from hub.contract.words import Status
from hub.io.agents.questions.arguments import QUESTION_ID

Standing = Literal["answered", "declined", "pending", "expired", "withdrawn"]
STANDINGS: dict[Status, Standing] = {
    Status.PENDING: "pending",
    Status.CONFIRMED: "answered",
    Status.REJECTED: "declined",
    Status.EXPIRED: "expired",
}


class Outcome(Value):
    """How a question stands. `answer` is there once it is answered, `reason` what the person said to a no."""

    status: Standing
    ask_id: str
    answer: tuple[str, ...] = ()
    reason: str = ""
    open_until: str = ""


OUTCOME_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": ["answered", "declined", "pending", "expired", "withdrawn"]},
        "ask_id": {"type": "string", "description": "What check_answer takes."},
        "answer": {"type": "array", "items": {"type": "string"}, "description": "The options chosen, or own words."},
        "reason": {"type": "string", "description": "The user's reason for a no."},
        "open_until": {"type": "string", "description": "Until when it can be answered."},
        "means": {"type": "string", "description": "What to make of it, in a sentence."},
    },
    "required": ["status", "ask_id", "answer", "reason", "open_until", "means"],
}

TOLD = "The user is being notified. Continue with your work."


def outcome_of(reply: PermissionReply) -> Outcome:
    """Return how a question stands by the hub's word; one that was put off is still open."""
    card = reply.prediction
    given = () if reply.answer is None else reply.answer.answers.get(QUESTION_ID, ())
    return Outcome(
        status=STANDINGS.get(card.status, "withdrawn"),
        ask_id=card.id,
        answer=given if reply.approved else (),
        reason="" if card.settled is None else card.settled.reason,
        open_until=card.expires_at.isoformat(timespec="seconds") if card.status is Status.PENDING else "",
    )


def in_words(outcome: Outcome) -> str:
    """Return what a model should make of it."""
    match outcome.status:
        case "answered":
            return f"The user answered: {', '.join(outcome.answer)}"
        case "declined":
            why = f" They said: “{outcome.reason}”." if outcome.reason else ""
            return f"The user said no to the question itself.{why} Do not do what you asked about."
        case "pending":
            return (
                f"Nobody has answered yet. The question stays open until {outcome.open_until}. "
                f'Do other work, then call check_answer with ask_id "{outcome.ask_id}". Until then, treat it as a no.'
            )
        case "expired":
            return "Nobody answered in time. Treat that as a no."
        case "withdrawn":
            return "The question was withdrawn, so there is no answer. Treat that as a no."


def as_data(outcome: Outcome, words: str) -> dict[str, Any]:
    """Return it as the tool's structured result; some clients hand their model nothing else, so the words are in it."""
    found: dict[str, Any] = msgspec.to_builtins(outcome)
    return {**found, "means": words}
