"""What an agent asks leave for: what Pulse itself says of it, how it is shown, and which answers fit it."""

from msgspec.structs import replace

from hub.contract.api import PROMPT_CHARS_MAX, Prediction
from hub.contract.control import PermissionReply
from hub.contract.permission import (
    FIELD_CHARS_MAX,
    Act,
    AgentQuestion,
    CallField,
    Permission,
    PermissionAnswer,
    PermissionOption,
    PermissionRequest,
    QuestionChoice,
)
from hub.contract.words import GRANTING, Risk, Status, Verb
from hub.domain.canonical import visible
from hub.domain.mind import Mind
from hub.domain.permission_grant import OPTION_PREFIX
from hub.domain.suggestion import Answer, Card
from hub.kit.questions import asked_text, choice_text
from hub.loop.unusual import left_out, unusual
from hub.screening import Screening, screen
from hub.screening.acts import ActReading, dangerous_parts, deleted_by, read_act
from hub.screening.screening import EVIDENCE_CHARS_MAX
from hub.screening.tool_input import is_loose

_RISKS = tuple(Risk)
NAME_CHARS_MAX = 128
QUESTIONS_CHARS_MAX = 4_000
"""Longer questions are not screened while the person's card waits: reading them would take a second."""
_CUT_PLAINLY = frozenset({Act.EDIT, Act.PLAN, Act.QUESTION})
"""What does no more than its place and its effects say, whatever the part of its text says that nobody was shown."""


def permission_of(asked: PermissionRequest) -> Permission:
    """Return what was asked, without what Pulse itself says of it."""
    return Permission(
        agent=asked.agent,
        tool=asked.tool,
        act=asked.act,
        text=asked.text,
        target=asked.target,
        folder=asked.folder,
        reason=asked.reason,
        session=asked.session,
        subagent=asked.subagent,
        subagent_type=asked.subagent_type,
        call=asked.call,
        left_out=asked.left_out,
        asks_early=asked.asks_early,
        settings=asked.settings,
        unknown_fields=asked.unknown_fields,
        other_files=asked.other_files,
        options=asked.options,
        questions=asked.questions,
        editable=asked.editable,
    )


def reply_of(shown: Prediction, card: Card | None) -> PermissionReply:
    """Return how a question stands; what a grant let through is answered, and an option of ours is a plain yes.

    The answer is the card's own, for in what is shown of it secrets are masked. Without the card there is none: what
    was masked must not be run.
    """
    if card is None:
        return PermissionReply(prediction=shown, answered=False, approved=False)
    settled, approved = card.settled, card.status is Status.CONFIRMED
    answer = None if settled is None else settled.permission
    if answer is not None and answer.option.startswith(OPTION_PREFIX):
        answer = replace(answer, option="", until=None, paths=())
    answered = settled is not None or approved
    since = card.stands_since
    return PermissionReply(prediction=shown, answered=answered, approved=approved, answer=answer, since=since)


def title_of(permission: Permission) -> str:
    """Return all that is asked as one text, for surfaces that show only that: a yes is a yes to the whole of it."""
    match permission.act:
        case Act.COMMAND:
            return permission.text
        case Act.EDIT:
            return _lines(f"Change {', '.join((permission.target, *permission.other_files))}", permission.text)
        case Act.READ:
            return f"Read {', '.join((permission.target, *permission.other_files))}"
        case Act.FETCH:
            return _lines(f"Open {permission.target}", permission.text)
        case Act.PLAN:
            return _lines("Follow this plan:", permission.text)
        case Act.QUESTION:
            return "\n".join(_asked(question) for question in permission.questions)
        case Act.OTHER:
            return _lines(f"Use {permission.tool}", permission.target, permission.text)


def read_permission(
    asked: Permission, mind: Mind, seen_folder: str, *, is_run: bool = False
) -> tuple[Permission, Risk]:
    """Return what was asked, safe to show and with what Pulse reads in it, and how much it could hurt.

    With `is_run` it was asked by an agent that Pulse runs, which has no dialog of its own.

    Whoever asks has no say in either. What cannot be shown as it is cannot be edited: other words would be run.
    """
    fields = (*asked.settings, *asked.unknown_fields)
    asked = replace(asked, left_out=asked.left_out + sum(_cut_of(one, asked.text) for one in fields))
    reading = read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)
    text = visible(asked.text)
    words, asks = screen(asked.reason), screen_questions(asked.questions)
    said = (asks, _asked_in(asked.questions)) if asks.outcome == "block" else (words, asked.reason)
    found = unusual(asked, text, reading, mind, seen_folder, said=said)
    risk = risk_of(asked, reading, words, asks)
    dialog_only = bool(asked.left_out) and not (asked.act in _CUT_PLAINLY and risk is Risk.LOW and not found)
    found = (*found, left_out(asked, is_run=is_run)) if dialog_only else found
    is_whole = text == asked.text and len(text) <= PROMPT_CHARS_MAX
    shown = replace(
        asked,
        tool=visible(asked.tool),
        text=text,
        target=visible(deleted_by(asked.text) if asked.act is Act.COMMAND else asked.target),
        folder=visible(asked.folder),
        reason=visible(asked.reason),
        session=visible(asked.session),
        subagent=visible(asked.subagent),
        subagent_type=visible(asked.subagent_type),
        call=visible(asked.call),
        settings=tuple(_field(one, asked.text) for one in asked.settings),
        unknown_fields=tuple(_field(one, asked.text) for one in asked.unknown_fields),
        other_files=tuple(visible(one) for one in asked.other_files),
        options=tuple(_option(one) for one in asked.options),
        questions=tuple(_question(one) for one in asked.questions),
        editable=asked.editable and asked.act is Act.COMMAND and is_whole,
        effects=reading.effects,
        marks=dangerous_parts(asked.act, text),
        unusual=tuple(one.text for one in found),
        unusual_worded=tuple(one.wording for one in found),
        dialog_only=dialog_only,
    )
    return shown, risk


def risk_of(asked: Permission, reading: ActReading, words: Screening, asks: Screening) -> Risk:
    """Return how much it could hurt; what is doubted beside the text is at least of medium risk.

    `words` is what screening makes of the reason, `asks` of the questions: a form's yes does what the form says.
    """
    files = (read_act(asked.act, "", one, asked.folder, asked.tool).risk for one in asked.other_files)
    is_doubted = {words.outcome, asks.outcome} != {"pass"} or asked.unknown_fields or any(map(is_loose, asked.settings))
    return max((reading.risk, *files, Risk.MEDIUM if is_doubted else Risk.LOW), key=_RISKS.index)


def unfit(permission: Permission, answer: Answer) -> str:
    """Say why an answer does not fit what was asked; empty where it does."""
    said = answer.permission or PermissionAnswer()
    option = next((one for one in permission.options if one.id == said.option), None)
    if said.option and option is None:
        return "There is no such option."
    if (said.until is not None or said.paths) and not said.option.startswith(OPTION_PREFIX):
        return "Only a permission has an end and files."
    if option is not None and option.refuses is (answer.verb in GRANTING):
        return "This option contradicts the answer."
    if answer.verb not in GRANTING or permission.act is not Act.QUESTION:
        return "Only questions take answers." if said.answers else ""
    return _unanswered(permission.questions, said)


def settled_with(answer: Answer) -> PermissionAnswer:
    """Return what else was answered, to be kept with the card and handed to the asker."""
    said = answer.permission or PermissionAnswer()
    return replace(said, text=(answer.prompt or "") if answer.verb is Verb.EDIT else "")


def _unanswered(questions: tuple[AgentQuestion, ...], said: PermissionAnswer) -> str:
    if said.answers.keys() - {question.id for question in questions}:
        return "There is no such question."
    for question in questions:
        given = said.answers.get(question.id, ())
        own = [one for one in given if one not in {choice.label for choice in question.choices}]
        if not given or not all(one.strip() for one in given):
            return f"There is no answer to {visible(question.text)!r}."
        if own and not (question.own_words and len(given) == 1):
            return f"{own[0]!r} is not one of the answers to {visible(question.text)!r}."
        if len(given) > 1 and not question.several:
            return f"Only one answer is possible for {visible(question.text)!r}."
    return ""


def _option(option: PermissionOption) -> PermissionOption:
    return replace(option, label=visible(option.label), note="", label_worded=None, note_worded=None)


def _field(field: CallField, text: str) -> CallField:
    return CallField(name=visible(field.name)[:NAME_CHARS_MAX], value=visible(field.value, text)[:FIELD_CHARS_MAX])


def _cut_of(field: CallField, text: str) -> int:
    """Return how much of a field there is no room for once what cannot be seen has its mark."""
    name, value = len(visible(field.name)), len(visible(field.value, text))
    return max(0, name - NAME_CHARS_MAX) + max(0, value - FIELD_CHARS_MAX)


def _question(question: AgentQuestion) -> AgentQuestion:
    choices = tuple(
        QuestionChoice(label=visible(one.label), description=visible(one.description)) for one in question.choices
    )
    text, heading = visible(question.text), visible(question.heading)
    return replace(question, text=text, heading=heading, choices=choices, text_worded=None)


def screen_questions(questions: tuple[AgentQuestion, ...]) -> Screening:
    """Return what the words of questions, and of the answers to them, would do; more than can be read is doubted."""
    said = _asked_in(questions)
    if len(said) > QUESTIONS_CHARS_MAX:
        return Screening(outcome="block", evidence=(said[:EVIDENCE_CHARS_MAX],))
    return screen(said)


def _asked_in(questions: tuple[AgentQuestion, ...]) -> str:
    return "\n".join(map(_asked, questions))


def _asked(question: AgentQuestion) -> str:
    """Return a question with its heading and what each answer means; answers that are mere words stand in one line."""
    if any(one.description for one in question.choices):
        return _lines(asked_text(question), *(f"- {choice_text(one)}" for one in question.choices))
    choices = " / ".join(one.label for one in question.choices)
    return f"{asked_text(question)} ({choices})" if choices else asked_text(question)


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, parts))
