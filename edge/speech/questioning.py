"""Answering an agent's questions by voice: a number, a choice's own words, or a sentence that is read back first.

A choice counts at once, once the whole question was heard to its end; named in a word or two, or said into our own
reading, it is read back. A sentence always is, for a grammar cannot know it. What was taken is sent when the last
question has its answer.
"""

from msgspec.structs import replace

from edge.speech.answers import Step, answer, prediction_of, read_details, tell
from edge.speech.commands import Command, Word
from edge.speech.questions import can_answer, given_so_far, hint, question_now, questions_on, reading
from edge.speech.saying import BRIEF_CHARS_MAX, cut
from edge.speech.turn import Manner, Turn
from hub.contract.permission import AgentQuestion, PermissionAnswer
from hub.contract.words import Risk
from hub.kit.questions import Given, answer_of, choose, chosen, go_on, write
from hub.kit.wordings import question_said


def hear_answer(turn: Turn, manner: Manner, command: Command) -> Step:
    """Take an answer to the question that is asked, or say what stands in its way."""
    question, prediction = question_now(turn), prediction_of(turn.card)
    if question is None or prediction is None:
        return tell(turn, manner.sentences.say("nothing_waiting"))
    if not can_answer(turn, manner) or _after(turn, command) == given_so_far(turn):
        return tell(turn, hint(turn, manner), "listening", chime="no")
    interrupted = turn.phase == "speaking"
    if not turn.whole and not (interrupted and turn.said_whole):
        return read_details(turn, manner)
    if interrupted or command.is_brief or command.word is Word.ANSWER or prediction.risk is not Risk.LOW:
        said = cut(_named(question_said(question, manner.sentences.phrases), command), BRIEF_CHARS_MAX)
        text = f"{manner.sentences.say('read_back_answer', answer=said)} {manner.sentences.say('say_confirm')}"
        return tell(replace(turn, pending=command, asked=0), text, "confirming")
    return take_answer(turn, manner, command)


def take_answer(turn: Turn, manner: Manner, command: Command) -> Step:
    """Count an answer: send all of them, or go on with what is still asked."""
    questions, given = questions_on(turn.card), _after(turn, command)
    before, event = given_so_far(turn), prediction_of(turn.card)
    card_id = "" if event is None else event.id
    turn = replace(turn, given=given, given_for=card_id, pending=None, asked=0)
    done = answer_of(questions, given)
    if done is not None:
        said = ", ".join(_said_of(one, done, manner) for one in questions)
        turn = replace(turn, given=Given(), given_for="")  # were it refused, it would be asked anew
        return answer(turn, manner, Command(word=Word.APPROVE), permission=done, said=said)
    if given.asked == before.asked:  # of several choices, one more or one less
        labels = ", ".join(chosen(questions, given))
        said = manner.sentences.say("taken", labels=labels) if labels else hint(turn, manner)
        return tell(turn, said, "listening")
    whole = reading(turn, manner)
    turn, acts = tell(turn, whole.text, "listening")
    return replace(turn, said_whole=whole.whole, whole=False), acts


def ask_anew(turn: Turn, manner: Manner) -> Step:
    """An answer that was read back was not meant: it does not count, and the question is open as before."""
    text = f"{manner.sentences.say('cancelled')} {hint(turn, manner)}"
    return tell(replace(turn, pending=None), text, "listening", chime="no")


def _after(turn: Turn, command: Command) -> Given:
    questions, given = questions_on(turn.card), given_so_far(turn)
    match command.word:
        case Word.CHOOSE:
            return choose(questions, given, command.place - 1)
        case Word.ANSWER:
            return write(questions, given, command.text)
        case _:
            return go_on(questions, given)


def _said_of(question: AgentQuestion, done: PermissionAnswer, manner: Manner) -> str:
    """Return what one question was answered, in the words in which it was read out."""
    shown = question_said(question, manner.sentences.phrases)
    names = {one.label: told.label for one, told in zip(question.choices, shown.choices, strict=True)}
    return ", ".join(names.get(label, label) for label in done.answers.get(question.id, ()))


def _named(question: AgentQuestion, command: Command) -> str:
    return command.text if command.word is Word.ANSWER else question.choices[command.place - 1].label
