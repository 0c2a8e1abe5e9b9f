"""What `may` knows and says. A `Permit` is the only key to `do`; only `hub/may` builds one (a test holds that)."""

from datetime import datetime
from typing import Literal

from msgspec import field

from hub.contract.base import Value
from hub.contract.phrasing import Phrasing
from hub.contract.words import TextSource
from hub.domain.plan import AnyPlan, Plan
from hub.domain.provenance import RepositoryText
from hub.domain.suggestion import Answer, Need, Work
from hub.domain.worded import Worded

Outcome = Literal["pass", "ask", "block"]


class RailVerdict(Value):
    """One rail's word on one proposal, with the numbers it looked at; `reason_worded` is its reason as a code."""

    stage: str
    outcome: Outcome
    rule: str
    reason: str
    numbers: dict[str, float] = field(default_factory=dict)
    reason_worded: Phrasing | None = None


class ChainLink(Value):
    """One channel's work led to another's (CROSSPOLL 3.3)."""

    from_channel: str
    to_channel: str
    card_id: str = field(name="prediction_id")
    at: datetime
    depth: int


class Spending(Value):
    """Cost booked so far, in micro-dollars: buckets of a minute (its start, its sum), and calendar sums.

    A bucket counts until an hour after its minute has ended, so the hour never counts too little. `day` and `month` are
    those of the latest booking; the sums of others, which a clock that jumps may come back to, are beside them. `old`
    ones hold for every day or month before the earliest that is kept.
    """

    minutes: tuple[tuple[datetime, int], ...] = ()
    day: str = ""
    day_microusd: int = 0
    month: str = ""
    month_microusd: int = 0
    other_days: tuple[tuple[str, int], ...] = ()
    other_months: tuple[tuple[str, int], ...] = ()
    old_day_microusd: int = 0
    old_month_microusd: int = 0


class StandingYes(Value):
    """A person's word that a kind of work may run without asking, in one place, and by the same command.

    `shape` is that of the plan (`hub.domain.plan.shape_of`), `repository` the folder, empty for none. `card_id` is
    the card by which it was asked for, `by` where it was answered, `example` the text of the work. `runs` counts what
    has run on it since, `last_run_at` is when. Of a whole kind the shape is empty (any that a person let run before),
    and so is the repository where any is meant; `confidence_min` is the least confidence from which it holds.
    """

    id: str
    kind: str
    repository: str
    shape: str
    made_at: datetime
    expires_at: datetime
    card_id: str
    by: str
    example: str = ""
    runs: int = 0
    last_run_at: datetime | None = None
    confidence_min: float = 0.0
    example_worded: Worded | None = None

    @property
    def is_of_kind(self) -> bool:
        """Whether it is for a whole kind of work, and not for one command."""
        return not self.shape


class Ledger(Value):
    """All that the rails remember. It is stored with every change, so a restart forgets nothing.

    `known_plans` are the marks of what a person let run before (see `hub.may.ledger`), the latest last; `regretted_at`
    is when a person stopped or took back what Pulse had done alone. `overrides` counts the runs that a person wanted
    over the content filter's word. `standing` is what may run without asking, by the person's word.
    """

    last_trigger_at: datetime | None = None
    total_triggers: int = 0
    links: tuple[ChainLink, ...] = ()
    spending: Spending = Spending()
    seen_combos: tuple[str, ...] = ()
    rejections_in_row: int = 0
    loop_detections: int = 0
    decisions: int = 0
    month_stopped: str = ""
    emergency: bool = False
    known_plans: tuple[str, ...] = ()
    regretted_at: tuple[datetime, ...] = ()
    overrides: int = 0
    standing: tuple[StandingYes, ...] = ()


class RunRequest(Value):
    """Under which circumstances `may` is asked about a proposal.

    `prompt` is what would run, a person's edit included; `plan` is how; `card_hash` is the hash of both. `may_act` is
    `when`'s word.
    `from_channel` is the channel whose result led to this, None for a fresh chain. `branch` is
    that of the workspace, if known. `switched_off_by` says which level holds the kill switch, if known.
    """

    card_id: str
    card_hash: str
    attempt: int
    execution_id: str
    prompt: str
    trigger: Literal["manual", "autonomous", "cron"]
    may_act: bool
    answer: Answer | None = None
    from_channel: str | None = None
    force: bool = False
    follow_up: bool = False
    branch: RepositoryText | None = None
    switched_off_by: Literal["", "config", "runtime", "surface"] = ""
    plan: AnyPlan | None = None

    @property
    def edited_text(self) -> str:
        """What an edit puts in another's place: the message of a commit, else the prompt."""
        commit = self.plan.commit if isinstance(self.plan, Plan) else None
        return self.prompt if commit is None else commit.message


class Permit(Value):
    """Leave to run exactly this, once. Never build one outside `hub/may`."""

    execution_id: str
    card_id: str
    card_hash: str
    prompt: str
    channel: str
    agent: str
    work: Work
    need: Need
    autonomous: bool
    granted_at: datetime
    granted_by: str
    attempt: int
    plan: AnyPlan | None = None
    quotes: tuple[TextSource, ...] = ()


Afterwards = Literal["kept", "again", "unsaid"]
"""What becomes of a refused idea: it is kept for review and counts as suggested; it is kept, and comes again as soon as
time has lifted the reason; or nothing is said of it at all, for it only came too soon."""


class Refusal(Value):
    """Not allowed, whoever asks; `rule` is stable, `fix` says what would change it.

    `afterwards` and `pauses` (whether Pulse stops acting by itself) are those of the rail that refused.
    """

    rule: str
    reason: str
    fix: str = ""
    afterwards: Afterwards = "kept"
    pauses: bool = False


class AskHuman(Value):
    """Allowed only if a person says so."""

    why: str


class Judgement(Value):
    """All verdicts in pipeline order, and what follows from them."""

    verdicts: tuple[RailVerdict, ...]
    outcome: Permit | Refusal | AskHuman
