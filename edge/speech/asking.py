"""Half sure that an approval was said: "Approve?" is asked, and only a yes lets it count.

What was taken for an approval once is easily taken for one again, so an approval is no answer to that, however sure.

Only for low risk: a card of medium risk is read back and wants "confirm" however surely it was approved, and a risky
one has to be approved in words that are beyond doubt. Silence approves nothing, nor does a second half-heard word.
"""

from msgspec.structs import replace

from edge.speech.answers import ASKED_MAX, answer, ask_again, obey, prediction_of, read_details, tell
from edge.speech.commands import Word
from edge.speech.questions import question_now
from edge.speech.turn import AnyAct, HalfHeard, Heard, Manner, Passed, Turn
from hub.contract.words import Risk, Verb

Step = tuple[Turn, tuple[AnyAct, ...]]
AGREEING = frozenset({Word.YES, Word.CONFIRM})


def half_heard(turn: Turn, manner: Manner, event: HalfHeard) -> Step:
    """Something like an approval: ask whether it was one; where there is more to it, go the longer way at once."""
    prediction, card = prediction_of(turn.card), turn.card
    if prediction is None or card is None or prediction.risk is Risk.HIGH or question_now(turn) is not None:
        return ask_again(turn, manner, "unsure")
    if Verb.APPROVE not in card.verbs or not card.token:
        return ask_again(turn, manner, "unsure")
    if prediction.risk is not Risk.LOW or not turn.whole:
        return obey(turn, manner, event.command)
    return tell(replace(turn, pending=event.command), manner.sentences.say("ask_approve"), "asking")


def hear_reply(turn: Turn, manner: Manner, event: Heard) -> Step:
    """A command in answer to "Approve?": a yes lets it count, an approval is asked for its yes, the rest is its own."""
    pending, word = turn.pending, event.command.word
    if word in AGREEING and pending is not None:
        return answer(turn, manner, pending)
    if word is Word.APPROVE:
        return unclear_reply(turn, manner, event)
    turn = replace(turn, pending=None)
    if word is Word.CANCEL:
        return ask_again(turn, manner, "negated")
    return read_details(turn, manner) if word is Word.REPEAT else obey(turn, manner, event.command)


def half_heard_reply(turn: Turn, manner: Manner, event: HalfHeard) -> Step:
    """An approval or a yes, whichever it was, says yes to "Approve?"; half an approval alone says nothing."""
    if event.or_yes and turn.pending is not None:
        return answer(turn, manner, turn.pending)
    return unclear_reply(turn, manner, event)


def unclear_reply(turn: Turn, manner: Manner, _event: object) -> Step:
    """No clear answer to "Approve?": ask it once more, then leave the card open."""
    if turn.asked >= ASKED_MAX:
        return _leave_open(turn, manner)
    return tell(replace(turn, asked=turn.asked + 1), manner.sentences.say("ask_approve_again"), "asking")


def pass_asking(turn: Turn, manner: Manner, event: Passed) -> Step:
    """Time goes by after "Approve?": silence is no answer, and the card stays open."""
    left_s = turn.left_s - event.seconds
    return (replace(turn, left_s=left_s), ()) if left_s > 0 else _leave_open(turn, manner)


def _leave_open(turn: Turn, manner: Manner) -> Step:
    return tell(replace(turn, card=None, pending=None), manner.sentences.say("left_open"))
