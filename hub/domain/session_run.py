"""How Pulse has an agent work on a session of the world log, from one try to the next."""

from hub.contract.base import Value
from hub.domain.plan import AnyPlan, Plan
from hub.domain.provenance import AgentText, LogText
from hub.domain.suggestion import Answer

NOTHING_SAID, NOTHING_TOLD = AgentText(""), LogText("")


class SessionRun(Value):
    """What is kept of a session that Pulse has an agent work on. Each try has a card of its own.

    Attributes:
        task, need: as they were asked for; the session itself keeps only the beginning of long ones.
        own_words: the person themselves asked for it, at their own terminal or a page that they signed in with.
        channel: by which the agent is reached.
        card_id: the card of the try that waits for a yes or runs; empty between two.
        tried: how many cards there were.
        plan, yes: what the person saw and let run, and that answer. It covers more tries of just this plan.
        resume: how the agent's settings said then that it goes on with a conversation; the yes covers that, too.
        conversation: by what the agent knows its conversation again; empty where it cannot.
        said: the agent's last words at the end of its last try.
        told: what a person answered after it.
    """

    task: str
    channel: str
    need: str = ""
    own_words: bool = False
    card_id: str = ""
    tried: int = 0
    plan: AnyPlan | None = None
    yes: Answer | None = None
    resume: tuple[str, ...] = ()
    conversation: str = ""
    said: AgentText = NOTHING_SAID
    told: LogText = NOTHING_TOLD

    def covers(self, plan: AnyPlan, resume: tuple[str, ...]) -> bool:
        """Say whether what the person let run is what would run now, or the same going on with its conversation."""
        if self.yes is None or not isinstance(plan, Plan) or not isinstance(self.plan, Plan):
            return False
        if plan == self.plan:
            return True
        goes_on = bool(self.conversation) and resume == self.resume and plan.argv[:1] == self.plan.argv[:1]
        return goes_on and plan.with_argv(self.plan) == self.plan
