"""Answering an agent's questions one after the other: one choice, several, or own words; for every surface. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import field
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import Act, AgentQuestion, Permission, PermissionAnswer, QuestionChoice


class Given(Value):
    """What was answered so far, by a question's id, and the place of the question that is asked now."""

    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked: int = 0


def questions_of(permission: Permission | None) -> tuple[AgentQuestion, ...]:
    """Return what a request asks; nothing where it asks for leave to do something."""
    return permission.questions if permission is not None and permission.act is Act.QUESTION else ()


def questions_text(asked: Iterable[AgentQuestion]) -> str:
    """Return questions with all their choices, and what each choice means."""
    return "\n\n".join(map(_with_choices, asked))


def _with_choices(question: AgentQuestion) -> str:
    numbered = (f"{number}. {choice_text(one)}" for number, one in enumerate(question.choices, start=1))
    return "\n".join((asked_text(question), *numbered))


def asked_text(question: AgentQuestion) -> str:
    """Return a question below its heading, which may say what the question does not."""
    return "\n".join(dict.fromkeys(filter(None, (question.heading, question.text))))


def choice_text(choice: QuestionChoice) -> str:
    """Return a choice with what it means."""
    return f"{choice.label}: {choice.description}" if choice.description else choice.label


def pressed_question(permission: Permission | None) -> AgentQuestion | None:
    """Return the question that one press can answer: the only one of its card, and of one choice."""
    asked = questions_of(permission)
    return asked[0] if len(asked) == 1 and not asked[0].several else None


def asked_now(questions: Sequence[AgentQuestion], given: Given) -> AgentQuestion | None:
    """Return the question that waits for an answer; None once all have one."""
    return questions[given.asked] if given.asked < len(questions) else None


def chosen(questions: Sequence[AgentQuestion], given: Given) -> tuple[str, ...]:
    """Return the labels taken so far of the question that is asked now."""
    question = asked_now(questions, given)
    return () if question is None else given.answers.get(question.id, ())


def choose(questions: Sequence[AgentQuestion], given: Given, place: int) -> Given:
    """Take the choice at a place, from 0; of several it is put back by taking it again. No such choice, no change."""
    question = asked_now(questions, given)
    if question is None or not 0 <= place < len(question.choices):
        return given
    label = question.choices[place].label
    if not question.several:
        return _next(_with(given, question, (label,)))
    taken = given.answers.get(question.id, ())
    others = tuple(one for one in taken if one != label)
    return _with(given, question, others if label in taken else (*taken, label))


def go_on(questions: Sequence[AgentQuestion], given: Given) -> Given:
    """End a question that takes several choices, once one is taken."""
    question = asked_now(questions, given)
    return _next(given) if question is not None and question.several and chosen(questions, given) else given


def write(questions: Sequence[AgentQuestion], given: Given, words: str) -> Given:
    """Answer in own words, where the question takes them."""
    question = asked_now(questions, given)
    said = words.strip()
    return given if question is None or not question.own_words or not said else _next(_with(given, question, (said,)))


def answer_of(questions: Sequence[AgentQuestion], given: Given) -> PermissionAnswer | None:
    """Return all answers; None while one is missing."""
    return None if asked_now(questions, given) is not None else PermissionAnswer(answers=dict(given.answers))


def _with(given: Given, question: AgentQuestion, answer: tuple[str, ...]) -> Given:
    return replace(given, answers={**given.answers, question.id: answer})


def _next(given: Given) -> Given:
    return replace(given, asked=given.asked + 1)
