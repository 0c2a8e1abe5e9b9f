"""One run of one agent, from its permit to its proof."""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.words import RunState
from hub.domain.judgement import Permit
from hub.domain.outcome import FileLines, WorkOutcome
from hub.domain.plan import AnyPlan
from hub.domain.policy import Agent, Bounds
from hub.domain.provenance import Wording, say
from hub.domain.suggestion import Need
from hub.domain.worded import Worded


class Job(Value):
    """Everything a runner needs, and nothing else. The agent's environment lists names; values are read at start.

    `plan` is what was permitted: a runner starts that, and never resolves it anew. `tester` is the agent that runs the
    project's tests, or the need's command, afterwards; None where neither is wanted. `conversation` is by what the
    agent is to know its conversation again; with `resumes` it goes on with that one.
    """

    execution_id: str
    session_id: str
    agent: Agent
    prompt: str
    channel: str
    bounds: Bounds
    playbook: str | None
    workspace: str | None
    args: tuple[str, ...]
    need: Need
    plan: AnyPlan | None = None
    tester: Agent | None = None
    conversation: str = ""
    resumes: bool = False


class RunResult(Value):
    """How a run ended, as the runner saw it. `changed_files` are relative to the workspace.

    `cost_microusd` and `tokens` are what the agent itself reported; None where it said nothing. `changed` means that
    nothing was started, because what would run is no longer what was permitted; `plan` is what it is now.
    `containment` is what held the run, in words; empty where nothing was started. `proof` is the run of the tests that
    followed, where the need asks for one. `changes` are the first of the changed files with their lines, `diff` what is
    different in them as text (`diff_cut`: there is more). `conversation` is by what the agent knows this one again,
    `commit` the commit that it made. `containment_worded` and
    `detail_worded` say those two as codes.
    """

    ended: Literal["exited", "timeout", "stopped", "failed-to-start", "lost", "changed"]
    exit_code: int | None
    output: str
    changed_files: tuple[str, ...] = ()
    cost_microusd: int | None = None
    tokens: int | None = None
    truncated: bool = False
    detail: str = ""
    plan: AnyPlan | None = None
    containment: str = ""
    proof: "RunResult | None" = None
    changes: tuple[FileLines, ...] = ()
    diff: str = ""
    diff_cut: bool = False
    conversation: str = ""
    commit: str = ""
    containment_worded: Worded | None = None
    detail_worded: Worded | None = None


def not_started(why: Wording) -> RunResult:
    """Return how a run ends that never began: why, and what to do."""
    return RunResult(ended="failed-to-start", exit_code=None, output="", detail=why.text, detail_worded=why.worded)


class Execution(Value):
    """One attempt at a card, as stored with its permit; (card, attempt) is unique, so nothing runs twice."""

    id: str
    card_id: str
    user: str
    attempt: int
    state: RunState
    channel: str
    agent: str
    autonomous: bool
    need: Need
    permit: Permit
    queued_at: datetime
    session_id: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    result: RunResult | None = None
    proof: str = ""
    proof_worded: Worded | None = None
    outcome: WorkOutcome | None = None
    cost_microusd: int = 0


FoundState = Literal[RunState.VERIFIED, RunState.FINISHED, RunState.FAILED, RunState.STOPPED]


class Finding(Value):
    """`verify`'s word on a finished run: whether its need is met, and the evidence in sentences.

    `FINISHED` is neither: an agent has taken it and ended without an error, and nothing shows that it is done.
    """

    state: FoundState
    says: Wording

    @property
    def proof(self) -> str:
        """What it says, ended."""
        return f"{self.says.text}."

    @property
    def proof_worded(self) -> Worded | None:
        """The same as a code."""
        return say("{says}.", says=self.says).worded
