"""`pulse approve ID --choice`: the answers to a question's questions, by the numbers that are shown."""

import re

from hub.cli.command import CommandContext
from hub.contract.api import Prediction
from hub.contract.errors import UserError
from hub.contract.permission import AgentQuestion, PermissionAnswer
from hub.domain.lookalikes import reveal
from hub.kit.questions import asked_text, questions_of

NUMBERS = re.compile(r"\d{1,2}(?:\s*,\s*\d{1,2})*")
DOES_NOT_FIT = "That does not answer “{asked}”. Give the number of one of its answers{several}{own_words}."


class QuestionsOpenError(UserError):
    """This is a question: choose an answer. Nothing was sent."""

    code = "questions-open"
    status = 422


def chosen(context: CommandContext, card: Prediction, said: tuple[str, ...]) -> PermissionAnswer:
    """Return the answers, one for each question in their order; where they are not all there, show what can be said.

    Raises:
        QuestionsOpenError: there are more or fewer than questions, or one is no answer to its own.
    """
    questions = questions_of(card.permission)
    if len(said) != len(questions):
        if not context.as_json:
            show(context, questions)
        each = " --choice 1" * len(questions)
        more = " (one for each question, in this order)" if len(questions) > 1 else ""
        raise QuestionsOpenError(fix=f"Answer like this{more}: pulse approve {card.id}{each}")
    return PermissionAnswer(answers={one.id: _answer(one, text) for one, text in zip(questions, said, strict=True)})


def show(context: CommandContext, questions: tuple[AgentQuestion, ...]) -> None:
    """Print each question with the numbers of its answers."""
    for one in questions:
        context.say(reveal(asked_text(one)), bold=True)
        for number, choice in enumerate(one.choices, 1):
            more = f"  {reveal(choice.description)}" if choice.description else ""
            context.say(f"  {number:>2}  {reveal(choice.label)}{more}")
        if one.several:
            context.say("      several: 1,3")
        if one.own_words:
            context.say('      in your own words: --choice "…"' if one.choices else '      in your words: --choice "…"')


def _answer(question: AgentQuestion, text: str) -> tuple[str, ...]:
    labels, plain = [one.label for one in question.choices], text.strip()
    if labels and NUMBERS.fullmatch(plain):
        numbers = [int(one) for one in plain.split(",")]
        if all(1 <= one <= len(labels) for one in numbers) and (question.several or len(numbers) == 1):
            return tuple(dict.fromkeys(labels[one - 1] for one in numbers))
    elif plain in labels or (plain and question.own_words):
        return (plain,)
    raise QuestionsOpenError(
        DOES_NOT_FIT.format(
            asked=reveal(question.text),
            several=", or several, separated by commas" if question.several else "",
            own_words=", or text of your own" if question.own_words else "",
        ),
        fix="Nothing was sent.",
    )
