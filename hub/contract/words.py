"""The closed vocabularies of the wire. A new word here is a new version of the contract."""

from enum import StrEnum


class Status(StrEnum):
    """Where a suggestion is in its life (`approved` is read as confirmed); its moves: `hub/domain/card_states.py`."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    EXECUTED = "executed"
    FAILED = "failed"

    @classmethod
    def _missing_(cls, value: object) -> "Status | None":
        return cls.CONFIRMED if value == "approved" else None


class MoveReason(StrEnum):
    """Why a suggestion moved. Different words for different things: none stands for two."""

    APPROVED = "approved"
    AUTO_APPROVED = "auto-approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    PASSED = "passed"
    BLOCKED = "blocked"
    WITHDRAWN = "withdrawn"
    OVERRULED = "overruled"
    SNOOZED = "snoozed"
    SNOOZE_OVER = "snooze-over"
    SNOOZE_UNDONE = "snooze-undone"
    UNDONE = "undone"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    CHANGED = "changed"
    VERIFIED = "verified"
    NOT_VERIFIED = "not-verified"
    RETRIED = "retried"


class Verb(StrEnum):
    """What a person can say to a card."""

    APPROVE = "approve"
    REJECT = "reject"
    SNOOZE = "snooze"
    EDIT = "edit"
    UNDO = "undo"
    STOP = "stop"
    RETRY = "retry"
    LESS = "less"
    NEVER = "never"
    FIX = "fix"
    IGNORE = "ignore"


DISMISSING = frozenset({Verb.REJECT, Verb.LESS, Verb.NEVER})
"""Answers that dismiss a card; the latter two also say what is to come less often, or not at all."""
PLAIN_NO = frozenset({Verb.REJECT, Verb.STOP})
"""What is taken, without a reason, from every program of the person's user: all else lets something run, keeps it from
the person, or reaches an agent as their words."""
GRANTING = frozenset({Verb.APPROVE, Verb.EDIT, Verb.RETRY})
"""Answers that can bring about an execution."""
LOOSENING = GRANTING | {Verb.UNDO, Verb.FIX}
"""Answers that let something run or give back what was taken away; all others hold something back."""
AFTER_FAILURE = (Verb.RETRY, Verb.FIX, Verb.IGNORE)
"""Answers to a run that failed, in the order in which they are offered; each names the attempt that it means."""


class Breadth(StrEnum):
    """How far "less" and "never" reach: this kind everywhere, this kind here, all of a repository or of a channel."""

    KIND = "kind"
    HERE = "here"
    REPOSITORY = "repository"
    CHANNEL = "channel"


class Source(StrEnum):
    """Who had the idea (`pulse-store` is read as template)."""

    TWIN = "twin-model"
    TEMPLATE = "template"
    HOOK = "predictor-hook"
    ASK = "ask"

    @classmethod
    def _missing_(cls, value: object) -> "Source | None":
        return cls.TEMPLATE if value == "pulse-store" else None


class Risk(StrEnum):
    """How much an unwanted execution could hurt; decides which answers suffice."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class HumanInput(StrEnum):
    """What the person physically did. There is no word for a machine: no adapter may answer by itself."""

    TAP = "tap"
    REACTION = "reaction"
    SPEECH = "speech"
    KEY = "key"


class Badge(StrEnum):
    """Small marks on a card."""

    SUGGESTED = "suggested"
    NEW = "NEW"
    RISKY = "risky"


class Origin(StrEnum):
    """Whose words and choice a suggestion's work is. Only the first two may ever run without a person."""

    PULSE = "pulse"
    CHOSEN = "model-choice"
    MODEL = "model"
    WORLD = "world"
    PERSON = "person"


class TextSource(StrEnum):
    """Where words of others came from that a suggestion quotes; `unknown` where it was made before that was kept."""

    REPOSITORY = "repository"
    CI = "ci"
    CALENDAR = "calendar"
    TRANSCRIPT = "conversation"
    TASK = "task"
    NOTES = "notes"
    AGENT = "agent"
    MODEL = "model"
    WORLD_LOG = "world-log"
    UNKNOWN = "unknown"


class Autonomy(StrEnum):
    """The states of CROSSPOLL 5.2."""

    DISABLED = "disabled"
    WATCHING = "watching"
    PRIMING = "priming"
    AUTONOMOUS = "autonomous"
    PAUSED = "paused"


class DeliveryState(StrEnum):
    """What the ledger knows, honestly, of one card on one device."""

    QUEUED = "queued"
    ACCEPTED = "accepted"
    SHOWN = "shown"
    ACTED = "acted"
    CLEARED = "cleared"
    DEAD = "dead"
    UNKNOWN = "unknown"


class RunState(StrEnum):
    """The life of one execution (WORLD's agent statuses, with queued before and interrupted, stopped beside)."""

    QUEUED = "queued"
    ACTIVE = "active"
    FINISHED = "finished"
    VERIFIED = "verified"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
