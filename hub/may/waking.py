"""What a setting of the person's lets run without asking: Pulse's message to the one agent that needs wake.

Theory: a setting is a person's word, too, if it says for what. `drives.agent` names the agent; the kind of work is
fixed, and so is the text, to the letter. With anything else about it, or any other word, it is asked about like all
else.
It stands in for a grant and opens no other rail: the plan was seen once, there is a budget, it is a time to act.
"""

from hub.contract.words import Source
from hub.domain.policy import Policy
from hub.domain.suggestion import WAKE_AGENT, Proposal
from hub.domain.waking import is_message


def is_wake_message(proposal: Proposal, prompt: str, policy: Policy) -> bool:
    """Say whether what would run is Pulse's message to the agent that the person named, and nothing beside it."""
    agent, work = policy.woken_agent, proposal.work
    return (
        agent is not None
        and (proposal.kind, proposal.agent, proposal.source) == (WAKE_AGENT, agent.name, Source.TEMPLATE)
        and (work.playbook, work.workspace, work.args) == (WAKE_AGENT, None, (proposal.signature,))
        and proposal.is_our_own
        and is_message(prompt, policy.drives)
    )


def is_set_to_run(proposal: Proposal, prompt: str, policy: Policy) -> bool:
    """Say whether the person's setting lets this run alone."""
    return policy.drives.wakes == "alone" and is_wake_message(proposal, prompt, policy)
