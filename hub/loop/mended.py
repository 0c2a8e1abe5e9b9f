"""Failures that are over: the same command ended well since, whoever ran it.

Theory: a card that failed says that something does not work. Once the same is seen to work, it says nothing that holds
any more: it stays in the history with both moments, asks for nothing, and is no failure on any surface. What is seen is
a test run in its repository that passed, the same command at the person's own shell, and a run of Pulse's own that was
proven by the same command. It lets nothing run and teaches nothing.
"""

import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePath

from msgspec.structs import replace

from hub.domain.plan import Plan
from hub.domain.provenance import untrusted
from hub.domain.situation import FinishedCommand, Situation
from hub.domain.suggestion import RUN_TESTS, Card
from hub.loop import world_record
from hub.loop.draft import Draft
from hub.loop.tell import tell_settled
from hub.what import at_path

SEEN = "It succeeded on a later try."
Line = tuple[tuple[str, ...], str]
"""A command, word by word, with its program by its name; and its folder."""


def clear_seen(draft: Draft, situation: Situation) -> None:
    """Clear the failures of what the situation shows to have ended well since."""
    for card in draft.facts.failed:
        at = _seen_at(card, situation)
        if at is not None:
            _clear(draft, card, at)


def clear_proven(draft: Draft, done: Card) -> None:
    """Clear the failures of what a run of Pulse's own has just proven to end well."""
    proven = set(_lines(done))
    for card in draft.facts.failed:
        if card.id != done.id and proven.intersection(_lines(card)):
            _clear(draft, card, draft.now)


def _clear(draft: Draft, card: Card, at: datetime) -> None:
    tell_settled(draft, draft.keep(replace(card, mended_at=at)))
    world_record.note_mended(draft, card, SEEN)


def _seen_at(card: Card, situation: Situation) -> datetime | None:
    """Return when the same was seen to end well, after this card had failed."""
    failed_at = card.ended_at or card.stands_since
    repository = at_path(situation, card.proposal.work.workspace)
    if _is_of_tests(card) and repository is not None and repository.last_test_run_passed:
        tested_at = repository.last_test_run_at
        if tested_at is not None and tested_at > failed_at:
            return tested_at
    well = (one for one in situation.commands or () if one.status == 0 and one.at > failed_at)
    lines = set(_lines(card))
    return max((one.at for one in well if _line(one) in lines), default=None)


def _is_of_tests(card: Card) -> bool:
    proposal = card.proposal
    return bool(proposal.need.tests) or RUN_TESTS in {proposal.work.playbook, proposal.kind}


def _lines(card: Card) -> Iterator[Line]:
    """Return the fixed command whose end was the card's: its own, or the one that was run afterwards."""
    plan = card.plan.then if isinstance(card.plan, Plan) and card.plan.then is not None else card.plan
    if isinstance(plan, Plan) and plan.argv and plan.prompt == "none":
        yield _named(plan.argv), plan.folder


def _line(command: FinishedCommand) -> Line | None:
    try:
        return _named(tuple(shlex.split(untrusted(command.command)))), command.folder
    except ValueError:  # a quote that is left open: it was no single command
        return None


def _named(argv: tuple[str, ...]) -> tuple[str, ...]:
    return (PurePath(argv[0]).name, *argv[1:]) if argv else ()
