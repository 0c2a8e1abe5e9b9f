"""The content filter's stage (CROSSPOLL 3.5): what the text says, and whether its channel is one of ours.

The filter itself is `hub.screening`. It stands beside the channel list and the session's tool lists, never alone. What
it is sure of is blocked; what it is not sure of is a person's to look at.

One thing goes over its word: what the person themselves asked for, in words of their own, and then approved once they
had read why it was held back. Both the words and the yes must have come from their own terminal or a page that they
signed in with: a token, a device's button, an agent or a repository never suffice, and neither does an edit, whose text
nobody has read about. A command that a repository names stays blocked, and so does a channel that is not ours.

A further try at a session that they asked for so quotes what was said of the one before, as data. It is the person's
still, but no earlier yes is one to it: each such try waits until they have read it and said yes to just that.

An answer to a deployment is not read: nobody obeys its words, and what would run is, to the letter, the one command
that its numbers stand for. That is known to change what other people use, so a person is asked each time. Nor is the
message read by which a need wakes the person's agent: it is Pulse's own to the letter, but for numbers and the name of
a drive.

What one of Pulse's own steps is given word for word as operands of the command that it starts (the message and the
files of a commit) is data: nobody obeys it, so it is no sentence. The command is judged by what it would do. Nor is
Pulse's own sentence about such a step read. A note that Pulse itself writes starts nothing at all, so the title of a
meeting or a task in it is no order either. Whatever reaches an agent is read, and so are all words of a person's or a
model's, an edit's as well.
"""

import re
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from hub.contract.words import Origin, Risk, TextSource
from hub.domain.deploying import ANSWERS, answering, deployment_named
from hub.domain.judgement import Judgement, Permit, RailVerdict, Refusal
from hub.domain.plan import Plan
from hub.domain.provenance import Wording, say
from hub.domain.suggestion import CHECK_COMMAND, OUR_OWN, SPAWN, Proposal
from hub.may.ruling import RailInput, Ruling, rule
from hub.may.waking import is_wake_message
from hub.screening import Screening, screen, screen_argv, screen_command

YOURS, OVERRIDDEN, DEPLOYMENT = "content.yours", "content.overridden", "content.deployment"
ASKED = frozenset({TextSource.TASK})
TRIED = frozenset({TextSource.AGENT, TextSource.WORLD_LOG})
"""Whose words may stand in what a person asked for: the task that they name; quoted, what was said of a try."""
NOTED = OUR_OWN | {Origin.WORLD}
"""Whose sentence about a note need not be read: also Pulse's with a title in it that others wrote."""
_RECIPE_SIGNS = re.compile(r"(?m)^[@+-]+")


def content(question: RailInput) -> tuple[Ruling, ...]:
    """Say whether the text is harmless and the channel registered. A question of somebody else is only shown."""
    if question.somebody_elses:
        return (rule("pass", "content.shown", say("Shown to you as asked; Pulse itself runs nothing.")),)
    found = _screened(question) + _script(question) + _out_of_scope(question)
    safe = say("Nothing that deletes, spends or sends was found, and the channel is known.")
    return found or (rule("pass", "content.safe", safe),)


def _screened(question: RailInput) -> tuple[Ruling, ...]:
    if _is_deploying(question):
        return (rule("ask", DEPLOYMENT, say("It would change what other people use.")),)
    if is_wake_message(question.proposal, question.asked.prompt, question.policy):
        return ()
    # Of a command nothing is asked by its words: the gate asks once about every plan that a person has not seen.
    commands = tuple(one for one in _commands(question) if one.outcome == "block")
    texts = _texts(question)
    of_texts = tuple(one for one in map(screen, texts) if one.outcome != "pass")
    judged = map(partial(_of_a_person, question), of_texts) if _is_own(question) else map(_ruling, of_texts)
    return (*judged, *map(_ruling, commands))


def _texts(question: RailInput) -> tuple[str, ...]:
    """Return what somebody might obey: the prompt, and beside it the arguments, which reach an agent as well."""
    proposal, prompt, plan = question.proposal, question.asked.prompt, question.asked.plan
    if not _is_step(question):
        return (prompt, " ".join(proposal.work.args))
    ours = OUR_OWN if isinstance(plan, Plan) and plan.argv else NOTED
    return () if proposal.origin in ours and prompt == proposal.prompt else (prompt,)


def _is_step(question: RailInput) -> bool:
    """Say whether Pulse itself does it, starting nothing, or a command of which every argument is a whole word."""
    work, plan = question.proposal.work, question.asked.plan
    return (
        isinstance(plan, Plan)
        and question.proposal.agent == question.policy.playbook_agent.name
        and work.playbook is not None
        and plan.playbook == work.playbook
        and work.playbook != CHECK_COMMAND  # of which the arguments are the command itself
        and (not plan.argv or {*filter(None, work.args)} <= {*plan.argv[1:]})
    )


def _is_deploying(question: RailInput) -> bool:
    """Say whether it is an answer to a deployment, as Pulse worded it, by the playbook and by that very command."""
    proposal, asked = question.proposal, question.asked
    name, one, plan = proposal.kind, deployment_named(proposal.work.args), asked.plan
    return (
        name in ANSWERS
        and (proposal.work.playbook, proposal.agent) == (name, question.policy.playbook_agent.name)
        and asked.prompt == proposal.prompt
        and one is not None
        and isinstance(plan, Plan)
        and (plan.playbook, plan.argv[1:]) == (name, answering(name, one))
    )


def _is_own(question: RailInput) -> bool:
    """Say whether what would run is what the person wrote, to the letter, and quotes nobody else."""
    proposal = question.proposal
    return (
        proposal.own_words
        and question.asked.prompt == proposal.prompt
        and {*proposal.quotes} <= (TRIED if proposal.kind == SPAWN else ASKED)
        and proposal.origin in {Origin.PERSON, Origin.WORLD}
    )


def _of_a_person(question: RailInput, found: Screening) -> Ruling:
    """Ask for a second yes where the filter would block what a person asked for; take it only from them."""
    if found.outcome != "block" or not found.effects:  # without effects it was not even read
        return _ruling(found)
    numbers, told = {"score": found.score}, _told(found)
    yes = question.approval
    if yes is None:
        reason = say("{told} You asked for it yourself, so it waits for a second yes.", told=told)
        return rule("ask", YOURS, reason, numbers=numbers)
    if yes.in_person and yes.card_hash is not None and yes.card_hash == question.asked.card_hash:
        reason = say("{told} You read this and said yes anyway.", told=told)
        return rule("ask", OVERRIDDEN, reason, numbers=numbers)
    fix = "Approve it on the page, or with `pulse approve ID` in your own terminal."
    reason = say("{told} This needs your own yes.", told=told)
    return rule("block", "content.own-yes", reason, fix=fix, numbers=numbers)


def held_back(proposal: Proposal, judgement: Judgement) -> RailVerdict | None:
    """Return what the filter has against something that the person asked for themselves and may say yes to."""
    if not proposal.own_words or isinstance(judgement.outcome, Refusal):
        return None
    said = (verdict for verdict in judgement.verdicts if verdict.stage == "content" and verdict.outcome == "ask")
    return next(said, None)


def doubted(proposal: Proposal, judgement: Judgement) -> Proposal:
    """Return words that are not the person's as they are to see them: with what the filter is not sure of beside them.

    What is known to change what other people use says so itself.
    """
    if proposal.own_words or isinstance(judgement.outcome, Refusal):
        return proposal
    said = (one for one in judgement.verdicts if one.stage == "content" and one.outcome == "ask")
    kept = next((one for one in said if one.rule != DEPLOYMENT), None)
    if kept is None:
        return proposal
    risk = Risk.MEDIUM if proposal.risk is Risk.LOW else proposal.risk
    return replace(proposal, risk=risk, reasoning=f"{proposal.reasoning} {kept.reason}")


def overridden(judgement: Judgement) -> bool:
    """Say whether a permit was given over the filter's word."""
    given = isinstance(judgement.outcome, Permit)
    return given and any(verdict.rule == OVERRIDDEN for verdict in judgement.verdicts)


def risky(proposal: Proposal, held: RailVerdict) -> Proposal:
    """Return a proposal as the person is to see it: with high risk, and with what held it back beside its reason."""
    reasoning = f"{proposal.reasoning} {held.reason}"
    return replace(proposal, risk=Risk.HIGH, reasoning=reasoning, second_yes=held.rule == YOURS)


def _ruling(found: Screening) -> Ruling:
    fix = "Edit the text, or do it yourself; Pulse does not run this." if found.outcome == "block" else ""
    return rule(found.outcome, f"content.{found.rule}", _told(found), fix=fix, numbers={"score": found.score})


def _told(found: Screening) -> Wording:
    """Return what the filter says; its reason is English alone."""
    if not found.evidence:
        return say("{reason}", reason=found.reason)
    return say("{reason} Found: {evidence}", reason=found.reason, evidence=", ".join(found.evidence))


def _commands(question: RailInput) -> Iterator[Screening]:
    """Yield what playbooks' commands would do, as a shell is given them, and each word that may itself be a command."""
    plan = question.asked.plan
    if not isinstance(plan, Plan):
        return
    data = question.proposal.work.args if _is_step(question) else ()
    data = (*data, plan.commit.message) if plan.commit is not None else data
    for each, known in ((plan, data), (plan.then, ())):
        if each is not None and each.playbook:  # an agent's own argv is a person's setting
            yield screen_argv(each.argv, known)
            yield from (screen_command(word) for word in each.argv[1:] if " " in word and word not in known)


def _script(question: RailInput) -> tuple[Ruling, ...]:
    """What the command stands for in its file is shown; where it would be held back, a person looks at it."""
    plan = question.asked.plan
    scripts = (plan.script, plan.then.script if plan.then else "") if isinstance(plan, Plan) else ()
    found = (screen_command(_RECIPE_SIGNS.sub("", script)) for script in scripts if script)
    return tuple(rule("ask", "content.script", _told(one)) for one in found if one.outcome != "pass")


def _out_of_scope(question: RailInput) -> tuple[Ruling, ...]:
    name, agent = question.proposal.channel, question.proposal.agent
    channel = question.policy.channel(name)
    does_playbook = question.proposal.work.playbook is not None and agent == question.policy.playbook_agent.name
    if channel is None:
        problem = say("There is no channel {name}; only registered channels may be used.", name=name)
    elif does_playbook:
        return ()
    elif question.policy.agent(channel.agent) is None:
        problem = say(
            "The channel {name} is served by {agent}, which is not configured.", name=name, agent=channel.agent
        )
    elif channel.agent != agent:
        problem = say(
            "This was made for {agent}, but the channel {name} is served by {other} now.",
            agent=agent,
            name=name,
            other=channel.agent,
        )
    else:
        return ()
    return (rule("block", "content.scope", problem, fix="Add it to the settings file, or dismiss this card."),)
