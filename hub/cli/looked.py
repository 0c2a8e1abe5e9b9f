"""Answers that the hub takes only once the person has looked at the card: it is shown here as the hub has it.

What a terminal was shown, the hub itself knows. A program that stands in for it (run.json is a file) can show other
words and hold an answer up; what it never has is the token that the hub sends with the card.
"""

import sys
import uuid

import click
from msgspec.structs import replace

from hub.cli.api import ForeignAnswerError, RefusedError, open_api
from hub.cli.command import CommandContext
from hub.contract.api import AnswerRequest, Prediction
from hub.contract.permission import PermissionAnswer
from hub.contract.runs import PlannedRun
from hub.contract.words import GRANTING, HumanInput, Risk, Verb
from hub.domain.lookalikes import reveal
from hub.io.http.terminal_errors import NotLookedAtError
from hub.kit.beside import beside_prompt
from hub.kit.phrase_files import phrases

SURFACE, DEVICE = "cli", "local"
PATHS = {Verb.APPROVE: "confirm"}
"""Where the API's word is another than the verb."""
LOOKS_MAX = 3
"""How often a card may change while it is being looked at."""


def answer_to(card: Prediction) -> AnswerRequest:
    """Return an answer of this terminal's, bound to the card as it was found."""
    return AnswerRequest(
        card_hash=card.card_hash,
        round=card.round,
        human_input=HumanInput.KEY,
        surface=SURFACE,
        device=DEVICE,
        idempotency_key=uuid.uuid4().hex,
    )


def hand_in(
    context: CommandContext, card: Prediction, verb: Verb, answer: AnswerRequest, *, asked: bool
) -> bytes | None:
    """Hand in an answer and return the hub's document; None where the person looked and did not mean it.

    `asked` says that the person has answered here with all of the card before them: where the hub wants it to be looked
    at and has it just so, they are not asked again.

    Raises:
        RefusedError: the hub refused; also where it wants a look, and nobody can be asked here.
    """
    for _ in range(LOOKS_MAX):
        try:
            return open_api(context.home).call("POST", f"/predictions/{card.id}/{PATHS.get(verb, verb.value)}", answer)
        except RefusedError as refused:
            now, look = refused.problem.prediction, refused.problem.look
            if refused.problem.code != NotLookedAtError.code or now is None or not look:
                raise
            if now.id != card.id or (now != card and answer.permission is not None):
                raise ForeignAnswerError from refused  # what was chosen was chosen from another card
            if not (asked and now == card):
                if not can_ask(context):
                    raise
                if not _is_meant(context, now, verb, refused.problem.detail, answer):
                    return None
            card, asked = now, True
            answer = replace(answer, look=look, card_hash=now.card_hash, round=now.round)
    raise ForeignAnswerError


def can_ask(context: CommandContext) -> bool:
    """Return True if a person can be shown something here and answer."""
    return not context.as_json and sys.stdin.isatty() and sys.stdout.isatty()


def show(context: CommandContext, card: Prediction) -> None:
    """Show all that a yes is about, and what there is to look at before it."""
    context.say(reveal(card.prompt), bold=True)
    context.say(f"  {reveal(card.reasoning)}")
    for line in (*beside_prompt(card, phrases()), *_of_run(card.runs), *card.details.splitlines()):
        context.say(f"  {reveal(line)}")


def _of_run(runs: PlannedRun | None) -> tuple[str, ...]:
    if runs is None:
        return ()
    unknown = f"Some of the files that decide what runs are unknown: {runs.unclear}" if runs.unclear else ""
    return tuple(filter(None, (runs.containment, unknown)))


def _chosen(card: Prediction, said: PermissionAnswer | None) -> list[str]:
    """Return what an answer says beside yes, in the card's own words."""
    options = () if card.permission is None or said is None else card.permission.options
    labels = [one.label for one in options if said is not None and one.id == said.option]
    return labels + [text for texts in (said.answers if said is not None else {}).values() for text in texts]


def _is_meant(context: CommandContext, card: Prediction, verb: Verb, why: str, answer: AnswerRequest) -> bool:
    show(context, card)
    for line in _chosen(card, answer.permission):
        context.say(f"  {reveal(line)}")
    if card.risk is Risk.HIGH and verb in GRANTING:
        return click.confirm("This is risky. Run it anyway?")
    return click.confirm(f"{why} {'Run' if answer.prompt is not None else verb.capitalize()} it?")
