"""What a command does, and when an answer counts. The one place where risk decides what a voice may do.

Low: one clear "approve" after the whole card was said. Medium: it is read back, and confirmed. High: with the card's
check word as well. Whatever was only partly said, or said into our own speech, is treated like medium.
"""

from msgspec.structs import replace

from edge.speech import saying
from edge.speech.commands import Command, Word
from edge.speech.questions import hint, question_now, reading
from edge.speech.turn import CARDS_WAITING_MAX, Answer, AnyAct, Hush, Listen, Manner, Play, Speak, Then, Turn
from hub.contract.api import Prediction
from hub.contract.events import ExecutionFailed, PredictionNew, PredictionReturned
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.words import Risk, Verb

Step = tuple[Turn, tuple[AnyAct, ...]]
ASKED_MAX = 1
VERB_OF = {
    Word.APPROVE: Verb.APPROVE,
    Word.SKIP: Verb.REJECT,
    Word.LATER: Verb.SNOOZE,
    Word.EDIT: Verb.EDIT,
    Word.LESS: Verb.LESS,
    Word.NEVER: Verb.NEVER,
    Word.RETRY: Verb.RETRY,
    Word.FIX: Verb.FIX,
    Word.IGNORE: Verb.IGNORE,
}
READ_BACK = frozenset({Verb.EDIT, Verb.NEVER, Verb.RETRY})
"""However surely they were heard: what they do is new work, or lasts."""


def prediction_of(delivery: CardDelivery | None) -> Prediction | None:
    """Return the suggestion, or the work that failed, that a delivery asks about; None when it asks nothing."""
    event = None if delivery is None else delivery.event
    return event.prediction if isinstance(event, PredictionNew | PredictionReturned | ExecutionFailed) else None


def check_of(delivery: CardDelivery, manner: Manner) -> str:
    """Return the check word that a card asks for; empty when it needs none or may not be approved here."""
    prediction = prediction_of(delivery)
    if prediction is None or prediction.risk is not Risk.HIGH or Verb.APPROVE not in delivery.verbs:
        return ""
    return saying.check_word(prediction.card_hash, manner.check_words)


def obey(turn: Turn, manner: Manner, command: Command, *, confirming: bool = False) -> Step:
    """Do what was said. While an answer waits to be confirmed, all but "confirm" makes it void."""
    if command.word is Word.STOP:
        return _stop(turn, manner)
    if confirming:
        if command.word is Word.CONFIRM and turn.pending is not None:
            return answer(turn, manner, turn.pending)
        turn = replace(turn, pending=None)
        if command.word in {Word.CANCEL, Word.CONFIRM, Word.APPROVE, Word.YES}:
            return tell(turn, manner.sentences.say("cancelled"), chime="no")
    if command.word is Word.NEXT:
        return _go_to_next(turn, manner)
    if command.word in VERB_OF:
        return _about_card(turn, manner, command)
    return _about_pulse(turn, manner, command)


def _about_card(turn: Turn, manner: Manner, command: Command) -> Step:
    prediction, card = prediction_of(turn.card), turn.card
    if prediction is None or card is None:
        return tell(turn, manner.sentences.say("nothing_waiting"))
    verb = VERB_OF[command.word]
    if verb is Verb.APPROVE and (prediction.in_person or prediction.cannot_run):
        return tell(turn, manner.sentences.say("options_in_person"), "listening", chime="no")
    if verb not in card.verbs or not card.token:
        return tell(turn, manner.sentences.say("not_here"), "listening", chime="no")
    if verb is Verb.SNOOZE and prediction.snoozes_left <= 0:
        return tell(turn, manner.sentences.say("no_snooze"), "listening", chime="no")
    if verb is Verb.APPROVE and question_now(turn) is not None:  # a plain yes answers no question
        return tell(turn, hint(turn, manner), "listening", chime="no")
    if verb is Verb.APPROVE:
        return _approve(turn, manner, command, prediction)
    if verb in READ_BACK:
        return _read_back(turn, manner, command, prediction)
    return answer(turn, manner, command)


def _approve(turn: Turn, manner: Manner, command: Command, prediction: Prediction) -> Step:
    """Decide what an approval still needs: the rest of the card, the check word, a confirmation, or nothing."""
    interrupted = turn.phase == "speaking"
    if not turn.whole and not (interrupted and turn.said_whole):
        return read_details(turn, manner)
    check = check_of(turn.card, manner) if turn.card is not None else ""
    if check and command.check != check:
        return tell(turn, manner.sentences.say("wrong_check", check=check), "listening", chime="no")
    if prediction.risk is Risk.LOW and not interrupted:
        return answer(turn, manner, command)
    return _read_back(turn, manner, command, prediction)


def _read_back(turn: Turn, manner: Manner, command: Command, prediction: Prediction) -> Step:
    """Say what would be sent, and wait for the word that lets it count. An edit of something risky needs eyes."""
    if command.text and prediction.risk is Risk.HIGH:
        return tell(turn, manner.sentences.say("not_here"), "listening", chime="no")
    said = saying.read_back(prediction, VERB_OF[command.word], manner.sentences, changed=command.text)
    return tell(replace(turn, pending=command, asked=0), said, "confirming")


def answer(
    turn: Turn, manner: Manner, command: Command, *, permission: PermissionAnswer | None = None, said: str = ""
) -> Step:
    """Hand an answer in; `permission` and `said` as in `Answer`."""
    card = turn.card
    if card is None:
        return tell(turn, manner.sentences.say("nothing_waiting"))
    verb = VERB_OF[command.word]
    number = turn.decision + 1
    act = Answer(
        number=number,
        verb=verb,
        delivery=card,
        prompt=command.text if verb is Verb.EDIT else None,
        minutes=command.minutes,
        moment=command.moment,
        permission=permission,
        said=said,
        is_whole=turn.whole or turn.said_whole,
    )
    turn = replace(turn, phase="sending", pending=None, decision=number, left_s=manner.verdict_s, answered=verb)
    return turn, (Hush(), Listen(on=False), act)


def read_details(turn: Turn, manner: Manner) -> Step:
    """Say the whole card; one that is too long to say can be skipped here, and approved elsewhere."""
    prediction, card = prediction_of(turn.card), turn.card
    if prediction is None or card is None:
        return tell(turn, manner.sentences.say("nothing_waiting"))
    if question_now(turn) is not None:
        said = reading(turn, manner, details=True)
    else:
        said = saying.details(prediction, card.verbs, manner.sentences, check_of(card, manner))
    turn, acts = tell(turn, said.text, "listening")
    return replace(turn, said_whole=said.whole), acts


def ask_again(turn: Turn, manner: Manner, why: str) -> Step:
    """Say that nothing was understood and which words there are, once; then leave the card open."""
    prediction, card = prediction_of(turn.card), turn.card
    if prediction is None or card is None:
        return tell(replace(turn, card=None), manner.sentences.say("again"))
    was_told = why == "silence" and isinstance(card.event, ExecutionFailed)  # whoever does not answer, knows it now
    if turn.asked >= ASKED_MAX or was_told:
        return tell(replace(turn, card=None, pending=None), manner.sentences.say("left_open"))
    if question_now(turn) is not None:
        words = hint(turn, manner)
    else:
        words = saying.options(prediction, card.verbs, manner.sentences, check_of(card, manner))
    first = {"silence": "", "negated": manner.sentences.say("not_negated")}.get(why, manner.sentences.say("again"))
    return tell(replace(turn, asked=turn.asked + 1), f"{first} {words}".strip(), "listening")


def ask_the_wearer(turn: Turn, manner: Manner, why: str) -> Step:
    """Say that the voice was not recognised and what else can be done, once; then leave the card open."""
    sentences = manner.sentences
    if why == "not-ready":
        said, otherwise = sentences.say("lock_not_ready"), ""
    else:
        said, otherwise = sentences.say("not_your_voice"), sentences.say("wearer_again")
    if prediction_of(turn.card) is None:
        return tell(replace(turn, card=None), said, chime="no")
    if turn.asked >= ASKED_MAX:
        return tell(replace(turn, card=None), f"{said} {sentences.say('left_open')}", chime="no")
    return tell(replace(turn, asked=turn.asked + 1), f"{said} {otherwise}".strip(), "listening", chime="no")


def _about_pulse(turn: Turn, manner: Manner, command: Command) -> Step:
    sentences = manner.sentences
    back: Then = "listening" if turn.card is not None else "idle"
    match command.word:
        case Word.REPEAT:
            whole = turn.said_whole
            turn, acts = tell(turn, turn.last_text or sentences.say("nothing_waiting"), back)
            return replace(turn, said_whole=whole), acts
        case Word.DETAILS:
            return read_details(turn, manner)
        case Word.UNDO:
            return _undo(turn, manner)
        case Word.PAUSE:
            turn, acts = tell(turn, sentences.say("paused"))
            return replace(turn, waiting=_kept(turn), card=None), acts
        case Word.WAITING:
            wanted = tuple(replace(one, loudness="notify") for one in turn.waiting)
            turn = replace(turn, waiting=wanted, others_play=False)
            count = len(turn.waiting) + (turn.card is not None)
            text = sentences.say("waiting", count=str(count)) if count else sentences.say("nothing_waiting")
            return tell(turn, text, back)
        case Word.HAPPENED:
            return tell(turn, turn.last_outcome or sentences.say("nothing_happened"), back)
        case Word.RESUME:
            return tell(turn, sentences.say("resumed"), back)
        case _:
            return tell(replace(turn, card=None), sentences.say("left_open"))


def _kept(turn: Turn) -> tuple[CardDelivery, ...]:
    return turn.waiting if turn.card is None else (turn.card, *turn.waiting)[:CARDS_WAITING_MAX]


def _go_to_next(turn: Turn, manner: Manner) -> Step:
    """Leave the card open, to be read again when it is asked for, and go on with the one that has waited longest."""
    left = () if turn.card is None else (replace(turn.card, loudness="silent"),)
    if not turn.waiting:
        return tell(replace(turn, card=None, waiting=left), manner.sentences.say("nothing_else"))
    first, rest = turn.waiting[0], turn.waiting[1:]
    wanted = replace(first, loudness="notify") if first.loudness not in LOUD else first
    turn = replace(turn, card=None, waiting=(wanted, *rest, *left)[:CARDS_WAITING_MAX], others_play=False)
    return tell(turn, manner.sentences.say("left_open" if left else "next"))


def _undo(turn: Turn, manner: Manner) -> Step:
    delivery = turn.undoable
    if delivery is None or not delivery.token:
        return tell(turn, manner.sentences.say("nothing_undo"))
    number = turn.decision + 1
    act = Answer(number=number, verb=Verb.UNDO, delivery=delivery)
    turn = replace(turn, phase="sending", decision=number, left_s=manner.verdict_s, answered=Verb.UNDO, undoable=None)
    turn = replace(turn, waiting=_kept(turn), card=None, pending=None)
    return turn, (Hush(), Listen(on=False), act)


def _stop(turn: Turn, manner: Manner) -> Step:
    """Be silent, void what waits, and stop everything that runs."""
    number = turn.decision
    stops = []
    for delivery in turn.running:
        number += 1
        stops.append(Answer(number=number, verb=Verb.STOP, delivery=delivery))
    turn = replace(turn, card=None, pending=None, waiting=(), running=(), decision=number, answered=Verb.STOP)
    turn, acts = tell(turn, manner.sentences.say("stopped"))
    return turn, (acts[0], acts[1], *stops, *acts[2:])


def tell(turn: Turn, text: str, then: Then = "idle", *, chime: str = "") -> Step:
    """Be silent, close the ear and say something; one begun utterance never runs on beside the next."""
    number = turn.number + 1
    turn = replace(turn, phase="speaking", then=then, number=number, last_text=text, said_whole=False)
    earcon = (Play(chime="no"),) if chime else ()
    return turn, (Hush(), Listen(on=False), *earcon, Speak(number=number, text=text))
