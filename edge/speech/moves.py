"""What each move of the turn table does: from the turn and what happened to the turn and what is to be done."""

from msgspec.structs import replace

from edge.speech import saying
from edge.speech.answers import ASKED_MAX, VERB_OF, answer, ask_again, ask_the_wearer, check_of, obey
from edge.speech.commands import ANSWERING, Word
from edge.speech.decision import FORBIDDING
from edge.speech.questioning import ask_anew, hear_answer, take_answer
from edge.speech.questions import questions_on, reading
from edge.speech.turn import (
    CARDS_WAITING_MAX,
    RUNNING_MAX,
    AnyAct,
    CanUndo,
    CardCame,
    CardGone,
    Chime,
    Ended,
    HalfHeard,
    Heard,
    Hush,
    Judged,
    Listen,
    Manner,
    OtherSound,
    Outcome,
    Passed,
    Play,
    Report,
    Runs,
    Speak,
    Spoken,
    Then,
    Turn,
    Unclear,
    Unrecognised,
    Verified,
    Worn,
)
from hub.contract.events import ExecutionFailed, PredictionNew, PredictionReturned
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.words import DeliveryState, Verb

Step = tuple[Turn, tuple[AnyAct, ...]]
OUTCOMES_MAX = 10
URGENT = "alert"
WORLD_CHANNEL = "world"
"""The channel of the questions that the hub itself asks about sessions of the world log."""
SETTLING: frozenset[Verb] = frozenset(VERB_OF.values())


def nothing(turn: Turn, _manner: Manner, _event: object) -> Step:
    """It may happen, and changes nothing."""
    return turn, ()


def say(turn: Turn, text: str, then: Then = "idle") -> Step:
    """Begin to say something; the ear is open meanwhile only where the audio can tell its own voice apart."""
    number = turn.number + 1
    turn = replace(turn, phase="speaking", then=then, number=number, last_text=text, said_whole=False)
    return turn, (Speak(number=number, text=text),)


def go_on(turn: Turn, manner: Manner) -> Step:
    """Nothing is being said: take up the next outcome, then the next card; beside another sound only what is urgent."""
    turn = replace(turn, phase="idle", then="idle", card=None, pending=None, left_s=0.0, asked=0, whole=False)
    if not turn.worn:
        return turn, (Listen(on=False),)
    if turn.outcomes and not turn.others_play:
        (delivery_id, text), rest = turn.outcomes[0], turn.outcomes[1:]
        turn, acts = say(replace(turn, outcomes=rest, last_outcome=text), text)
        shown = (Report(delivery_id=delivery_id, state=DeliveryState.SHOWN),) if delivery_id else ()
        return turn, (Listen(on=False), *acts, *shown)
    following = next((card for card in turn.waiting if _is_due(turn, card)), None)
    if following is not None:
        others = tuple(card for card in turn.waiting if card is not following)
        return present(replace(turn, waiting=others), manner, following)
    return turn, (Listen(on=False),)


def _is_due(turn: Turn, card: CardDelivery) -> bool:
    """Return True if a card is to be read by itself now; one told in silence waits until the person asks."""
    return card.loudness == URGENT or (card.loudness in LOUD and not turn.others_play)


def present(turn: Turn, manner: Manner, delivery: CardDelivery) -> Step:
    """Chime, and read a card aloud, or what failed and can be mended."""
    event = delivery.event
    if isinstance(event, ExecutionFailed):
        said = saying.failure(event.error, delivery.verbs, manner.sentences)
        turn = replace(turn, card=delivery, pending=None, asked=0, whole=False, last_outcome=said.text)
        return _read(turn, delivery, said)
    if not isinstance(event, PredictionNew | PredictionReturned):
        return go_on(turn, manner)
    if questions_on(delivery):
        turn = replace(turn, card=delivery, pending=None, asked=0, whole=False)
        return _read(turn, delivery, reading(turn, manner))
    check = check_of(delivery, manner)
    said = saying.card(event.prediction, delivery.verbs, manner.sentences, manner.verbosity, check)
    return _read(replace(turn, card=delivery, pending=None, asked=0, whole=False), delivery, said)


def _read(turn: Turn, delivery: CardDelivery, said: saying.Said) -> Step:
    turn, acts = say(turn, said.text, "listening")
    turn = replace(turn, said_whole=said.whole)
    return turn, (Listen(on=False), Play(chime=_chime_of(delivery)), *acts)


def _chime_of(delivery: CardDelivery) -> Chime:
    """Return how a card is announced: a session of the world log that is stuck calls for help."""
    prediction = getattr(delivery.event, "prediction", None)
    if delivery.loudness == URGENT:
        return "urgent"
    return "help" if prediction is not None and prediction.target_channel == WORLD_CHANNEL else "card"


def come(turn: Turn, manner: Manner, event: CardCame) -> Step:
    """A card while nothing is going on; in quiet hours it comes silently, and waits."""
    if not turn.worn or not _is_due(turn, event.delivery):
        return queue(turn, manner, event)
    return present(turn, manner, event.delivery)


def queue(turn: Turn, _manner: Manner, event: CardCame) -> Step:
    """Keep a card for later; the same card is kept once, and the oldest gives way when there are too many.

    A card that is handed again (after a loss of the network, say, and then silently) has a newer token, and stays as
    loud as it was.
    """
    kept = tuple(one for one in turn.waiting if _id(one) != _id(event.delivery))
    if turn.card is not None and _id(turn.card) == _id(event.delivery):
        return turn, ()
    delivery = event.delivery
    before = next((one for one in turn.waiting if _id(one) == _id(delivery)), None)
    if before is not None and delivery.loudness not in LOUD:
        delivery = replace(delivery, loudness=before.loudness)
    return replace(turn, waiting=(*kept, delivery)[-CARDS_WAITING_MAX:]), ()


def interrupt(turn: Turn, manner: Manner, event: CardCame) -> Step:
    """A card while another is being read: only one that is more urgent goes first, and the other waits."""
    urgent = event.delivery.loudness == URGENT and (turn.card is None or turn.card.loudness != URGENT)
    if not urgent or turn.pending is not None or not turn.worn:
        return queue(turn, manner, event)
    waiting = turn.waiting if turn.card is None else (turn.card, *turn.waiting)[:CARDS_WAITING_MAX]
    turn, acts = present(replace(turn, waiting=waiting), manner, event.delivery)
    return turn, (Hush(), *acts)


def gone(turn: Turn, _manner: Manner, event: CardGone) -> Step:
    """A card needs no answer any more; when it is the one in hand, that is said."""
    turn = replace(turn, waiting=tuple(one for one in turn.waiting if _id(one) != event.card_id))
    if turn.card is None or _id(turn.card) != event.card_id:
        return turn, ()
    turn, acts = say(replace(turn, card=None, pending=None), event.text)
    return turn, (Hush(), Listen(on=False), *acts)


def gone_quietly(turn: Turn, _manner: Manner, event: CardGone) -> Step:
    """It is our own answer that settled it, or nobody is listening: nothing is said."""
    return replace(turn, waiting=tuple(one for one in turn.waiting if _id(one) != event.card_id)), ()


def spoken(turn: Turn, manner: Manner, event: Spoken) -> Step:
    """What was said has been heard: listen, or go on. An earlier utterance's end means nothing."""
    if event.number != turn.number:
        return turn, ()
    if turn.then == "idle":
        return go_on(turn, manner)
    shown: tuple[AnyAct, ...] = ()
    if turn.then == "listening" and turn.card is not None:
        shown = (Report(delivery_id=turn.card.delivery_id, state=DeliveryState.SHOWN),)
    left_s = manner.listen_s if turn.then == "listening" else manner.confirm_s
    turn = replace(turn, phase=turn.then, left_s=left_s, whole=turn.whole or turn.said_whole)
    return turn, (Play(chime="listen"), Listen(on=True), *shown)


def told(turn: Turn, manner: Manner, event: Outcome) -> Step:
    """Say how something ended, as soon as nothing else is being said."""
    if not event.is_spoken:
        return replace(turn, last_outcome=event.text), ()
    outcomes = (*turn.outcomes, (event.delivery_id, event.text))[-OUTCOMES_MAX:]
    turn = replace(turn, outcomes=outcomes)
    return go_on(turn, manner) if turn.phase == "idle" and turn.worn else (turn, ())


def runs(turn: Turn, _manner: Manner, event: Runs) -> Step:
    """Remember what can be stopped."""
    kept = tuple(one for one in turn.running if _id(one) != _id(event.delivery))
    return replace(turn, running=(*kept, event.delivery)[-RUNNING_MAX:]), ()


def ended(turn: Turn, _manner: Manner, event: Ended) -> Step:
    """Forget what has ended."""
    return replace(turn, running=tuple(one for one in turn.running if _id(one) != event.card_id)), ()


def can_undo(turn: Turn, _manner: Manner, event: CanUndo) -> Step:
    """Remember what can be taken back."""
    return replace(turn, undoable=event.delivery), ()


def heard(turn: Turn, manner: Manner, event: Heard) -> Step:
    """A command; said into our own reading back it can only make an answer void, for it was not heard to its end.

    A bare "yes" answers nothing that was not asked.
    """
    if event.command.word is Word.YES:
        return ask_again(turn, manner, "unknown") if turn.phase == "listening" else (turn, ())
    if turn.phase == "speaking" and turn.pending is not None:
        agrees = event.command.word in {Word.APPROVE, Word.CONFIRM}
        if agrees if turn.then == "asking" else event.command.word is Word.CONFIRM:
            return turn, ()
        return obey(turn, manner, event.command, confirming=True)
    if event.command.word in ANSWERING:
        return hear_answer(turn, manner, event.command)
    return obey(turn, manner, event.command)


def hear_confirmation(turn: Turn, manner: Manner, event: Heard) -> Step:
    """A command while an answer waits to be confirmed: only a confirmation lets it count."""
    if turn.pending is not None and turn.pending.word in ANSWERING:
        if event.command.word is Word.CONFIRM:
            return take_answer(turn, manner, turn.pending)
        if event.command.word is Word.CANCEL:
            return ask_anew(turn, manner)
    return obey(turn, manner, event.command, confirming=True)


def unclear(turn: Turn, manner: Manner, event: Unclear) -> Step:
    """Speech that is no command: ask again, once; then leave the card open."""
    return ask_again(turn, manner, event.why)


def unrecognised(turn: Turn, manner: Manner, event: Unrecognised) -> Step:
    """An approval in another voice: it does not count, and what waited to be confirmed does not either."""
    return ask_the_wearer(replace(turn, pending=None), manner, event.why)


def unclear_confirmation(turn: Turn, manner: Manner, event: HalfHeard | Unclear) -> Step:
    """Speech that is no clear word while an answer waits for one: say once more which words there are.

    Where nobody has to say a word, and where it was spoken against, it makes the answer void.
    """
    is_against = isinstance(event, Unclear) and event.why in FORBIDDING
    if manner.confirming == "window" or is_against or turn.asked >= ASKED_MAX:
        return object_to(turn, manner)
    said = f"{manner.sentences.say('again')} {manner.sentences.say('say_confirm')}"
    turn, acts = say(replace(turn, asked=turn.asked + 1), said, "confirming")
    return turn, (Listen(on=False), *acts)


def object_to(turn: Turn, manner: Manner) -> Step:
    """An answer that waited to be confirmed does not count."""
    turn, acts = say(replace(turn, pending=None), manner.sentences.say("cancelled"))
    return turn, (Play(chime="no"), Listen(on=False), *acts)


def pass_listening(turn: Turn, manner: Manner, event: Passed) -> Step:
    """Time goes by while we listen; silence is asked about once, and then the card stays open."""
    left_s = turn.left_s - event.seconds
    if left_s > 0:
        return replace(turn, left_s=left_s), ()
    if turn.card is None:
        return go_on(turn, manner)
    return ask_again(replace(turn, left_s=0.0), manner, "silence")


def pass_confirming(turn: Turn, manner: Manner, event: Passed) -> Step:
    """Time goes by while an answer waits: it lapses, or counts where nobody had to say a word."""
    left_s = turn.left_s - event.seconds
    if left_s > 0:
        return replace(turn, left_s=left_s), ()
    if manner.confirming == "window" and turn.pending is not None and turn.pending.word not in ANSWERING:
        return answer(turn, manner, turn.pending)
    return object_to(turn, manner)


def voice_began(turn: Turn, manner: Manner, _event: object) -> Step:
    """Somebody speaks while we listen: wait for the end of it."""
    most_s = manner.listen_s if turn.phase == "listening" else manner.confirm_s
    return replace(turn, left_s=max(turn.left_s, most_s / 2)), ()


def pass_sending(turn: Turn, manner: Manner, event: Passed) -> Step:
    """Time goes by while the hub judges; after a while that is said."""
    left_s = turn.left_s - event.seconds
    if left_s > 0:
        return replace(turn, left_s=left_s), ()
    return say(replace(turn, left_s=0.0), manner.sentences.say("no_verdict"))


def judged(turn: Turn, _manner: Manner, event: Judged) -> Step:
    """The hub has judged our answer."""
    if event.decision != turn.decision:
        return turn, ()
    acts: tuple[AnyAct, ...] = (Play(chime="ok" if event.accepted else "no"),)
    if event.accepted and turn.card is not None and turn.answered in SETTLING:
        acts += (Report(delivery_id=turn.card.delivery_id, state=DeliveryState.ACTED),)
    turn, spoken_acts = say(replace(turn, card=None, pending=None), event.text)
    return turn, (*acts, *spoken_acts)


def judged_late(turn: Turn, manner: Manner, event: Judged) -> Step:
    """A verdict after we had given up waiting is told like an outcome, so that nobody believes otherwise."""
    if event.decision != turn.decision or event.accepted:
        return turn, ()
    return told(turn, manner, Outcome(text=event.text, delivery_id=""))


def keep_listening(turn: Turn, _manner: Manner, _event: object) -> Step:
    """Paused: the ear stays open, for the words that end it."""
    return turn, (Listen(on=True),)


def pressed(turn: Turn, manner: Manner, _event: object) -> Step:
    """The button: be silent and listen."""
    if not turn.worn:
        return turn, ()
    turn = replace(turn, phase="listening", then="idle", pending=None, left_s=manner.listen_s, number=turn.number + 1)
    return turn, (Hush(), Play(chime="listen"), Listen(on=True))


def worn(turn: Turn, manner: Manner, event: Worn) -> Step:
    """Put on: go on with what waits. Taken off: keep the card, hear nothing, and say nothing but why, if anything.

    Why there is no sound may become known, or change, when that itself is known already.
    """
    if event.on == turn.worn and not event.text:
        return turn, ()
    if event.on:
        return go_on(replace(turn, worn=True), manner)
    waiting = turn.waiting if turn.card is None else (turn.card, *turn.waiting)[:CARDS_WAITING_MAX]
    kept = replace(turn, phase="idle", then="idle", card=None, pending=None, left_s=0.0, asked=0, whole=False)
    kept = replace(kept, waiting=waiting, worn=False, number=turn.number + 1)
    kept, acts = say(kept, event.text) if event.text else (kept, ())
    return kept, (Hush(), Listen(on=False), *acts)


def sparkle(turn: Turn, _manner: Manner, _event: Verified) -> Step:
    """A session was verified: one short sound, unless something else is to be heard, or nobody listens."""
    return turn, () if turn.others_play or not turn.worn else (Play(chime="verified"),)


def other_sound(turn: Turn, manner: Manner, event: OtherSound) -> Step:
    """Another sound began, or need not be waited for any longer: then go on with what waits."""
    turn = replace(turn, others_play=event.on)
    if event.on or turn.phase != "idle" or not turn.worn:
        return turn, ()
    return go_on(turn, manner)


def _id(delivery: CardDelivery) -> str:
    prediction = getattr(delivery.event, "prediction", None)
    return "" if prediction is None else str(prediction.id)
