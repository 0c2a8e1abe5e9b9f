"""The content filter's stage (CROSSPOLL 3.5): what the text says, and whether its channel is one of ours.

The filter itself is `hub.screening`. It stands beside the channel list and the session's tool lists, never alone. What
it is sure of is blocked, whoever asks; what it is not sure of is a person's to look at.
"""

import re
import shlex

from hub.domain.plan import Plan
from hub.may.ruling import RailInput, Ruling, rule
from hub.screening import Screening, screen, screen_command

_RECIPE_SIGNS = re.compile(r"(?m)^[@+-]+")


def content(question: RailInput) -> tuple[Ruling, ...]:
    """Say whether the text is harmless and the channel registered. A question of somebody else is only shown."""
    if question.somebody_elses:
        return (rule("pass", "content.shown", "Shown to you as asked; Pulse itself runs nothing."),)
    found = _screened(question) + _script(question) + _out_of_scope(question)
    return found or (rule("pass", "content.safe", "Nothing destructive, financial or outward; the channel is ours."),)


def _screened(question: RailInput) -> tuple[Ruling, ...]:
    # Arguments reach the agent beside the prompt, so they are read as well, and so is the command a repository names.
    texts = (question.asked.prompt, " ".join(question.proposal.work.args))
    # Of a command nothing is asked by its words: the gate asks once about every plan that a person has not seen.
    commands = (one for one in map(screen_command, _commands(question)) if one.outcome == "block")
    return tuple(_ruling(one) for one in (*map(screen, texts), *commands) if one.outcome != "pass")


def _ruling(found: Screening) -> Ruling:
    fix = "Edit the text, or do it yourself; Pulse does not run this." if found.outcome == "block" else ""
    return rule(found.outcome, f"content.{found.rule}", _told(found), fix=fix, numbers={"score": found.score})


def _told(found: Screening) -> str:
    return f"{found.reason} Found: {', '.join(found.evidence)}" if found.evidence else found.reason


def _commands(question: RailInput) -> tuple[str, ...]:
    """Return the command of a playbook as a shell is given it, and each of its words that may itself be a command."""
    plan = question.asked.plan
    if not isinstance(plan, Plan) or not plan.playbook:
        return ()  # an agent's own argv is a person's setting
    return (shlex.join(plan.argv), *(word for word in plan.argv[1:] if " " in word))


def _script(question: RailInput) -> tuple[Ruling, ...]:
    """What the command stands for in its file is shown; where it would be held back, a person looks at it."""
    plan = question.asked.plan
    if not isinstance(plan, Plan) or not plan.script:
        return ()
    found = screen_command(_RECIPE_SIGNS.sub("", plan.script))
    return () if found.outcome == "pass" else (rule("ask", "content.script", _told(found)),)


def _out_of_scope(question: RailInput) -> tuple[Ruling, ...]:
    name, agent = question.proposal.channel, question.proposal.agent
    channel = question.policy.channel(name)
    if channel is None:
        problem = f"There is no channel {name}; only registered channels may be used."
    elif question.policy.agent(channel.agent) is None:
        problem = f"The channel {name} is served by {channel.agent}, which is not configured."
    elif channel.agent != agent:
        problem = f"This was made for {agent}, but the channel {name} is served by {channel.agent} now."
    else:
        return ()
    return (rule("block", "content.scope", problem, fix="Register it in the configuration, or reject this card."),)
