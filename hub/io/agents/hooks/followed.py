"""Which of an agent's later steps tells what became of an answer that was given here. Pure.

Theory: a step counts for an answer only where it comes from the same agent, in the same session, about the same call.
An agent is known by its process or its token, never by its word, so no other one can speak of its calls. A call is
known by the agent's own name for it, where its hooks say that: Claude Code names it before and after a tool is used,
and not when it asks for leave, which comes right behind the first; OpenCode names each of its requests. Else it is
known by what the tool is given, until the same is about to be done again.
"""

from typing import TypeAlias

from msgspec.structs import replace

from hub.contract.control import PermissionReply
from hub.io.agents.hooks.asking import call_name
from hub.io.agents.hooks.step import At, Dialect, HookStep, Word
from hub.kit.bounded import BoundedMap
from hub.kit.given_answers import Deed, GivenAnswer, GivenAnswers

KEPT, APPROVED_KEPT = 512, 64
"""So many answers are followed at once, and so many calls remembered by what they are given; and of so many yeses what
was approved, which may be long."""
About: TypeAlias = tuple[str, str, str, str, str]
"""Whose it is, by process or token; the agent's name, its session, the subagent in it, its call."""


class FollowedAnswer(GivenAnswer):
    """An answer that an agent's hook was handed; `owner` is the client whose card it is on.

    `asker` is which of those that the client stands for had asked (`asker_of`).
    `since` is when it was handed over, in the unit in which processes begin. `approved` is, of a yes, the step with
    what its tool is to be given.
    """

    owner: str = ""
    asker: str = ""
    since: int = 0
    approved: HookStep | None = None


class FollowedAnswers:
    """The answers of which it is not known yet what the agent did; each method takes who says it first."""

    def __init__(self) -> None:
        self._answers: GivenAnswers[About, FollowedAnswer] = GivenAnswers(KEPT)
        self._calls: BoundedMap[About, str] = BoundedMap(KEPT)
        self._approved: BoundedMap[About, FollowedAnswer] = BoundedMap(APPROVED_KEPT)

    def before(self, whose: str, dialect: Dialect, step: HookStep) -> None:
        """Note that a tool is about to be used: what the same was answered before is about another call."""
        named = _named(whose, dialect, step)
        self._answers.begin(named)
        self._approved.pop(named, None)
        self._calls[named] = step.call
        if step.call:
            self._answers.begin((*named[:-1], step.call))

    def asks(self, whose: str, dialect: Dialect, step: HookStep) -> About | None:
        """Note that an agent asks, and return what for; None where no later word of it could tell, or nobody whose."""
        if step.hides_dialog or not whose or not step.session:
            return None
        about = self._about(whose, dialect, step)
        self._answers.begin(about)
        return about

    def gave(self, about: About, dialect: Dialect, given: FollowedAnswer) -> Deed | None:
        """Note what an agent was told; return what it did, where that was something else already."""
        if given.is_yes and given.approved is not None:
            self._approved[about] = given
        deed = self._answers.gave(about, given)
        return deed if dialect.asks_beside else None

    def did(self, whose: str, dialect: Dialect, step: HookStep, deed: Deed) -> FollowedAnswer | None:
        """Note what an agent did by the step that tells of it; return the answer that says something else."""
        if not whose or not step.session:
            return None
        given = self.happened(self._about(whose, dialect, step), deed)
        return given if dialect.asks_beside else None

    def carried_out(self, whose: str, dialect: Dialect, step: HookStep, deed: Deed) -> FollowedAnswer | None:
        """Return the yes that a step reports as carried out; to be asked before `did`, which forgets it."""
        if not whose or not step.session:
            return None
        return self._answers.carried_out(self._about(whose, dialect, step), deed)

    def approved_for(self, whose: str, dialect: Dialect, step: HookStep) -> FollowedAnswer | None:
        """Return the yes whose tool a step reports as used; to be asked before `did`.

        A call with a name is looked at again: where a program says first that it was given what was approved, the
        agent's own report still follows. Where a yes is to a call without a known name, what no hook was asked about
        before is taken for what became of it.
        """
        if not whose or not step.session:
            return None
        about, named = self._about(whose, dialect, step), _named(whose, dialect, step)
        found = self._approved.pop(about, None)
        if found is None and named not in self._calls:
            waiting = [one for one, given in self._approved.items() if _may_be(one, given, named, step)]
            alike = (one for one in waiting if _name_of_approved(self._approved[one]) == named[-1])
            key = next(alike, waiting[0] if waiting else None)
            found = None if key is None else self._approved.pop(key)
        if found is not None and step.call:
            self._approved[(*named[:-1], step.call)] = found
        return found

    def happened(self, about: About, deed: Deed) -> FollowedAnswer | None:
        """Note what became of a call, as `did` does."""
        return self._answers.did(about, deed)

    def waits(self, about: About) -> bool:
        """Return True if it is not known yet what the agent did."""
        return self._answers.waits(about)

    def over(self, whose: str, dialect: Dialect, step: HookStep) -> None:
        """Note that a turn has ended: what was not heard of until then is not heard of any more."""
        turn = (whose, dialect.name, step.session, step.subagent)
        self._answers.forget(lambda about, _: about[:-1] == turn)

    def gone(self, whose: str) -> tuple[tuple[About, FollowedAnswer], ...]:
        """Note that an agent is gone; return the answers of which nobody can say any more what it did."""
        for about in [one for one in self._approved if one[0] == whose]:
            self._approved.pop(about)
        return self._answers.forget(lambda about, _: about[0] == whose)

    def _about(self, whose: str, dialect: Dialect, step: HookStep) -> About:
        named = _named(whose, dialect, step)
        known = self._calls.get(named, "")
        if not step.call:
            return (*named[:-1], known or named[-1])
        if not known and self._answers.waits(named):  # it was asked before anything was heard of its call
            return named
        return (*named[:-1], step.call)


def _may_be(about: About, given: FollowedAnswer, reported: About, step: HookStep) -> bool:
    """Return True if a yes is to the same tool of the same agent, and to a call that has no name of the agent's."""
    is_named = about[-1] != (given.changed_from or _name_of_approved(given))
    return (
        about[:-1] == reported[:-1] and not is_named and given.approved is not None and given.approved.tool == step.tool
    )


def _name_of_approved(given: FollowedAnswer) -> str:
    return "" if given.approved is None else call_name(given.approved)


def _named(whose: str, dialect: Dialect, step: HookStep) -> About:
    """Return a call by what it is given, which is all that is known of one that asks for leave."""
    return (whose, dialect.name, step.session, step.subagent, call_name(step))


def handed(owner: str, asker: str, step: HookStep, reply: PermissionReply, word: Word) -> FollowedAnswer | None:
    """Return what a person's answer told an agent; None where no person answered, or nothing was said."""
    if reply.prediction.settled is None or word.says not in {"allow", "deny"}:
        return None
    changed_from = "" if word.input is None else call_name(step)
    is_yes = word.says == "allow"
    card_id = reply.prediction.id
    approved = replace(step, input=step.input if word.input is None else word.input) if is_yes else None
    return FollowedAnswer(
        card_id=card_id, is_yes=is_yes, changed_from=changed_from, owner=owner, asker=asker, approved=approved
    )


def deed_of(step: HookStep) -> Deed:
    """Return what a step tells that the agent did."""
    denied = step.at is At.DENIED
    went_on = step.at is not At.REFUSED and not denied
    return Deed(went_on=went_on, name=call_name(step), by_reviewer=denied, failed=step.at is At.FAILED)
