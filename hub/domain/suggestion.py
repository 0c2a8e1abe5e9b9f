"""A suggestion: from the idea, through its card, to the person's answer."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal

from hub.contract.api import Settlement
from hub.contract.attention import Held
from hub.contract.base import Value
from hub.contract.permission import Permission, PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.surface import Voter
from hub.contract.words import Badge, Breadth, HumanInput, MoveReason, Origin, Risk, Source, Status, TextSource, Verb
from hub.domain.likelihood import Estimate, WhenTold
from hub.domain.mutations import MutationOffer
from hub.domain.outcome import WorkOutcome
from hub.domain.permission_grant import GrantOption
from hub.domain.plan import AnyPlan, Plan, PlannedCommit
from hub.domain.provenance import ModelText, Wording, say
from hub.domain.training import TrainingOffer
from hub.domain.worded import Worded

RUN_TESTS = "run-tests"
"""The playbook that runs a project's tests, as the project does."""
INSTALL_PACKAGES = "install-packages"
"""The playbook that installs what a manifest, which its argument names, asks for, and the kind of its card."""
SET_UP = "set-up"
"""The argument of `INSTALL_PACKAGES` in place of a manifest: everything that the tests need."""
TAKE_COMMIT_BACK = "take-commit-back"
"""The playbook that takes back a commit which another of Pulse's made, and the kind of its card."""
WAKE_AGENT = "wake-agent"
"""The work of handing an agent outside a message, and the kind of its card; its argument is the key of the message."""
CHECK_COMMAND = "check-command"
"""The playbook that runs one command which a session's need names, and the kind of its card."""
SPAWN = "spawn"
"""The kind of card by which an agent has a try at a session of the world log, which is its reason's name."""
RUNS_ALONE: Mapping[str, Wording] = {
    "agent-finished": say("Note what an agent left uncommitted"),
    "catch-up": say("Take over commits from upstream"),
    "commit-work": say("Commit finished work"),
    "dependency-graph": say("Draw the dependency graph"),
    "fix-errors": say("Run the project's checker"),
    "free-disk": say("Note what fills the disk"),
    "free-memory": say("Note what fills the memory"),
    "list-todos": say("List to-do comments"),
    "program-stopped": say("Note why a program stopped"),
    "renew-certificate": say("Note what a certificate is for"),
    "run-tests": say("Run the tests"),
    "stale-branches": say("List stale branches"),
    "summarise-commits": say("Summarise the day's commits"),
    "update-lock": say("Update a lock file"),
}
"""The kinds of work that may run alone as a whole, with their names: harmless playbooks in Pulse's own words."""
OUR_OWN = frozenset({Origin.PULSE, Origin.CHOSEN})
"""The origins of work that may run without a person."""


class Need(Value):
    """What must be true afterwards for the work to count as done; all that are given must hold.

    `tests`: the project's tests pass, which the work `itself` ran, or which Pulse runs `after` it. `command` is what
    Pulse runs after it, word by word: how that ends says whether a session of the world log is done, and nothing of the
    work itself.
    """

    text: str
    exit_code: int | None = 0
    changed_files: tuple[str, ...] = ()
    expected_text: str = ""
    tests: Literal["", "itself", "after"] = ""
    command: tuple[str, ...] = ()


class Work(Value):
    """What an agent is to do: a named playbook in a workspace, or the prompt alone.

    `conversation` is by what the agent is to know its conversation again; with `resumes` it goes on with that one.
    """

    playbook: str | None = None
    workspace: str | None = None
    args: tuple[str, ...] = ()
    conversation: str = ""
    resumes: bool = False

    @property
    def is_by_agent(self) -> bool:
        """Whether an agent does it: of what a message brings about, Pulse itself does no more than send it."""
        return self.playbook in {None, WAKE_AGENT}


class Candidate(Value):
    """An idea with its reason; `urgency`, `time_relevance` and `pattern` are 0 to 1. `need` is what proves it done.

    `reason_key` names the reason, `signature` the state of the world behind it: the same pair is never suggested twice.
    The prompt is what runs: what others wrote belongs into the reasoning. Where a prompt cannot do without it, it is
    `quoted`, and then the work is always asked about. `args` become the work's, with the same care. A signal yields an
    idea; its place in the day, the person's past answers and whose words it is (`origin`) are added to it.
    `details` is what to look at before a yes. `comes` says whether it is worth a card unasked: always, once the person
    said yes to its kind, or never. What `is_exact` is told in Pulse's words, also where a person
    asked for it in theirs, and no agent is ever handed it. `drive` is what it presses while it stands open,
    and `sensor` what it was seen by: a person's hint and a model's guess have neither.
    """

    reason_key: str
    signature: str
    prompt: Wording
    reasoning: Wording
    kind: str
    affinity: str | None
    urgency: float
    need: Need
    time_relevance: float = 0.0
    pattern: float = 0.5
    work: Work = Work()
    args: tuple[Wording, ...] = ()
    risk: Risk = Risk.LOW
    last_resort: bool = False
    own_words: bool = False
    comes: Literal["unasked", "once liked", "when asked"] = "unasked"
    is_exact: bool = False
    details: Wording = Wording()
    origin: Origin = Origin.PULSE
    source: Source = Source.TEMPLATE
    drive: str = ""
    sensor: str = ""


Likely = Callable[[Candidate, str], Estimate]
"""How likely the person is to say yes to an idea on a channel, at the moment for which this was made."""


class Offer(Value):
    """An idea as a model is told it: it may answer with the key, and so choose what Pulse itself worded."""

    key: str
    prompt: str
    reasoning: str


class Guess(Value):
    """A model's answer (CROSSPOLL 2.3). Untrusted: channel and confidence are checked by `what` and `may`.

    `idea` is the key of the offer that it chose, if it named one; like `channel` it is only ever compared.
    `confidence` is None where it said nothing of how sure it is.
    """

    prompt: ModelText
    channel: str
    confidence: float | None
    reasoning: ModelText
    model: str
    idea: str = ""


class Factors(Value):
    """The four parts of a confidence, each 0 to 1; `twin` is None without a model."""

    twin: float | None
    pattern: float
    urgency: float
    time: float


class Proposal(Value):
    """The single most valuable next action, routed and rated, before the rails.

    `own_words` is that the person themselves wrote what it asks for, and showed that it is them: at their own terminal
    or in a page that they signed in with. A token alone shows nothing. `second_yes` is that it takes another yes of
    that kind: the content filter would block it, and no device's button goes over its word.

    `quotes` names the sources of others' words in what would run (prompt and arguments). What was stored before both
    were kept counts as the world's. `repository`, `branch` and `details` are shown, and never run.
    `likelihood` is how likely a yes was thought to be; None for what a person asked for, or had no estimate.
    `prompt_worded`, `reasoning_worded` and `need_worded` say them as codes, where the sentences are
    Pulse's; they hold for just the text that they were made for.
    """

    prompt: str
    channel: str
    agent: str
    confidence: float
    factors: Factors
    reasoning: str
    source: Source
    kind: str
    reason_key: str
    signature: str
    need: Need
    work: Work
    risk: Risk
    cost_estimate_microusd: int
    routed_by: Literal["twin", "affinity", "round-robin", "time-of-day", "person"]
    origin: Origin = Origin.WORLD
    quotes: tuple[TextSource, ...] = (TextSource.UNKNOWN,)
    repository: str = ""
    branch: str = ""
    details: str = ""
    own_words: bool = False
    likelihood: Estimate | None = None
    second_yes: bool = False
    prompt_worded: Worded | None = None
    reasoning_worded: Worded | None = None
    need_worded: Worded | None = None

    @property
    def is_guessed(self) -> bool:
        """Whether its confidence is what earlier answers say, and nothing else."""
        return self.factors.twin is None and self.likelihood is not None and self.likelihood.is_learnt

    @property
    def is_rated(self) -> bool:
        """Whether its confidence says anything: not where it is only the fixed figure of the beginning."""
        return self.factors.twin is not None or self.is_guessed

    @property
    def is_our_own(self) -> bool:
        """Whether every word that would run is Pulse's, chosen by its rules or, at most, by a model among them."""
        return self.origin in OUR_OWN and not self.quotes


class AnsweredKey(Value):
    """An answer that a card was given: digests of whose key it was, and of what it said."""

    name: str
    content: str


class AloneOffer(Value):
    """What a card asks to let run without asking: a kind of work, where, and by which command (the plan's shape)."""

    kind: str
    repository: str
    shape: str
    example: str
    yeses: int
    example_worded: Worded | None = None


class Card(Value):
    """A suggestion as stored. `version` grows by one with every change and guards each compare-and-set.

    `status_reason` is why it is where it is: the reason of its last move; None before the first, and where it moved
    before that was kept. `returned_at` is when it last came back: after a snooze, an undo, a run that could not go on.
    `round` counts how often it came back after an answer, and `answered` keeps all that were taken. `settled_key` is
    the last of them in cards that were stored before all were kept; it is read, and never written.
    `plan` is what would run, as it was told with the card; None where Pulse runs nothing, and in cards from before it
    was kept.
    `result` is what came of its last run; None before one has ended, and in cards from before it was kept. `ended_at`
    is when that was, and `mended_at` when what had failed was seen to end well since: then it asks for nothing more.
    `context` is the situation that it was made in, as text; empty where there was none.
    `took` names the cards that its answer withdrew beside it, being of a kind that the person wants less or none of.
    `offer` is what a yes lets run alone from then on, `training` what a yes begins at a service, `mutation` what it
    changes of the drives; no agent runs for such a card.
    `held` is that nobody was told of it yet, and until when not; `when_told` is when it then was, or was answered
    before. It is None for cards that were told as they were made.
    Of a question, `asker` is who asks, in words; `owner` is the client, and `content` a digest of all that it asked.
    `session` is the session of the world log that a question of the hub's own is about, `task_id` the task whose moment
    has come.
    `permission` is what an agent asks leave for, safe to show, with what Pulse read in it; `is_attended`: it is taken
    back once nobody waits for its answer. `grants` is what may be let run from then on: options of an agent's question,
    or what Pulse itself offers. `always_asked` is why an agent's question offers none, in words and as a code.
    """

    id: str
    user: str
    version: int
    status: Status
    proposal: Proposal
    prompt: str
    card_hash: str
    created_at: datetime
    expires_at: datetime
    trigger: Literal["manual", "autonomous", "cron"]
    status_reason: MoveReason | None = None
    badges: tuple[Badge, ...] = ()
    snoozed_until: datetime | None = None
    snoozes: int = 0
    returned_at: datetime | None = None
    settled: Settlement | None = None
    settled_at: datetime | None = None
    settled_key: str = ""
    answered: tuple[AnsweredKey, ...] = ()
    round: int = 0
    autonomous: bool = False
    undone: bool = False
    attempts: int = 0
    execution_id: str | None = None
    outcome: str = ""
    outcome_worded: Phrasing | None = None
    asker: str = ""
    plan: AnyPlan | None = None
    result: WorkOutcome | None = None
    ended_at: datetime | None = None
    mended_at: datetime | None = None
    owner: str = ""
    content: str = ""
    took: tuple[str, ...] = ()
    context: str = ""
    offer: AloneOffer | None = None
    held: Held | None = None
    when_told: WhenTold | None = None
    permission: Permission | None = None
    training: TrainingOffer | None = None
    mutation: MutationOffer | None = None
    is_attended: bool = False
    session: str = ""
    task_id: str = ""
    grants: tuple[GrantOption, ...] = ()
    always_asked: str = ""
    always_asked_worded: Phrasing | None = None

    @property
    def estimate(self) -> Estimate | None:
        """How likely a yes was thought to be when the person was told: of what was held, at the telling."""
        told = self.when_told
        return self.proposal.likelihood if told is None or told.estimate is None else told.estimate

    @property
    def stands_since(self) -> datetime:
        """Since when it is open, or is over; of what ended unanswered before that was kept, when it was made."""
        if self.status is Status.PENDING:
            return self.created_at
        return self.settled_at or (self.expires_at if self.status is Status.EXPIRED else self.created_at)

    @property
    def is_own_idea(self) -> bool:
        """Whether it is Pulse's own, every word of it, and of low risk: the only yes that a mere token may give.

        An agent asks in many ways: by its hook, from beside it over the socket, as an idea or a line in a file.
        """
        is_low = self.proposal.risk is Risk.LOW
        return is_low and self.permission is None and not self.owner and self.proposal.is_our_own

    @property
    def grant_offer(self) -> GrantOption | None:
        """What Pulse offers to be asked about no more; None where an agent asks, or something else is offered."""
        return self.grants[0] if self.grants and self.permission is None else None

    @property
    def try_of(self) -> str:
        """The session of the world log that an agent has a try at by this card; empty for other cards."""
        proposal = self.proposal
        return proposal.reason_key.removeprefix(f"{SPAWN}:") if proposal.kind == SPAWN else ""

    @property
    def check_of(self) -> str:
        """The session of the world log whose need's command this card runs; empty for other cards."""
        proposal = self.proposal
        return proposal.reason_key.removeprefix(f"{CHECK_COMMAND}:") if proposal.kind == CHECK_COMMAND else ""

    @property
    def works_for(self) -> str:
        """The session of the world log that goes on from how this card's run ends; empty where the card itself does."""
        return self.try_of or self.check_of

    @property
    def commit(self) -> PlannedCommit | None:
        """What it would commit, or committed; None where something else runs."""
        return self.plan.commit if isinstance(self.plan, Plan) else None

    @property
    def edit_text(self) -> str:
        """What other words take the place of: the message of a commit, else the prompt."""
        return self.prompt if self.commit is None else self.commit.message

    @property
    def is_editable(self) -> bool:
        """Whether other words would change what is done: not those of a question, nor where a fixed command runs."""
        if self.permission is not None:
            return self.permission.editable
        if self.proposal.source is Source.ASK or self.offer or self.training or self.grants or self.works_for:
            return False
        if isinstance(self.plan, Plan):
            return self.plan.prompt != "none" or self.plan.commit is not None
        return self.proposal.work.playbook is None


class Answer(Value):
    """A person's answer, from whichever surface; what is asked of the hub. `key` makes repeating it harmless.

    `attempt` is the failed one that a retry, fix or ignore means: it counts once, however often it is said.
    `round` is that of the card when it was shown. `content` is a digest of what was sent, where that is more than this.
    `about` is how far "less" and "never" reach, `permission` what is answered to an agent beyond yes or no.
    `in_person` is that it came from the person's own terminal, or a page that they signed in with; `by_device` that it
    came with the token that one of their devices was handed.
    """

    key: str
    card_id: str
    verb: Verb
    by: str
    surface: str
    device: str
    human_input: HumanInput
    card_hash: str | None = None
    prompt: str | None = None
    reason: str = ""
    until: datetime | None = None
    attempt: int | None = None
    round: int | None = None
    content: str = ""
    voters: tuple[Voter, ...] = ()
    about: Breadth | None = None
    permission: PermissionAnswer | None = None
    in_person: bool = False
    by_device: bool = False

    @property
    def is_persons(self) -> bool:
        """Whether a person is known to have given it: the holder of a mere token may be a program."""
        return self.in_person or self.by_device
