"""The values of the turn table: phases, what happens, what is to be done, and the state between two happenings."""

from typing import Annotated, Literal

from msgspec import Meta

from edge.speech.commands import Command
from edge.speech.phrasebook import Tokens
from edge.speech.saying import Verbosity
from edge.speech.sentences import Sentences
from hub.contract.base import Value
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import CardDelivery
from hub.contract.words import DeliveryState, Verb
from hub.kit.questions import Given

CARDS_WAITING_MAX = 20
RUNNING_MAX = 10
Phase = Literal["idle", "speaking", "listening", "asking", "confirming", "sending", "paused"]
Then = Literal["idle", "listening", "asking", "confirming"]
"""Where it goes on when what is being said has ended."""
Chime = Literal["card", "urgent", "help", "verified", "listen", "ok", "no"]
Confirming = Literal["word", "window"]


class Manner(Value):
    """How this wearer wants it: from the settings of the edge. All times are seconds of audio."""

    sentences: Sentences
    check_words: Tokens
    ordinals: tuple[str, ...] = ()
    """The places by which choices are read out, as the ear understands them."""
    answers: Literal["none", "choices", "words"] = "words"
    """What the ear can hear of an answer to a question: nothing, a choice, or a sentence as well."""
    verbosity: Verbosity = "brief"
    confirming: Confirming = "word"
    """`word`: an answer to a card of medium risk counts when confirmed by a word; `window`: when nobody objects."""
    listen_s: Annotated[float, Meta(gt=0)] = 7.0
    confirm_s: Annotated[float, Meta(gt=0)] = 6.0
    verdict_s: Annotated[float, Meta(gt=0)] = 5.0


class Happened(Value):
    """Base of what can happen."""


class CardCame(Happened):
    """A card to read aloud, or to take up again."""

    delivery: CardDelivery


class CardGone(Happened):
    """A card was settled elsewhere, expired or snoozed; `text` is what to say about it where it matters."""

    card_id: str
    text: str


class Outcome(Happened):
    """Something ended or went wrong; said when nothing else is, or only kept for who asks what happened."""

    text: str
    delivery_id: str
    is_spoken: bool = True


class Runs(Happened):
    """An execution began, and `delivery` can stop it."""

    delivery: CardDelivery


class Ended(Happened):
    """An execution ended."""

    card_id: str


class CanUndo(Happened):
    """The last answer can be taken back with `delivery`."""

    delivery: CardDelivery


class Spoken(Happened):
    """The utterance of that number has been heard to its end."""

    number: int


class Heard(Happened):
    """A command that the ear is sure of."""

    command: Command


class HalfHeard(Happened):
    """An approval that the ear is not sure of; `or_yes` as in `Doubtful`."""

    command: Command
    or_yes: bool = False


class Unclear(Happened):
    """Speech that is no command, or not surely one; `why` as in `Refused`."""

    why: str


class Unrecognised(Happened):
    """What may let something run, said in a voice that is not surely the wearer's.

    `why` is `stranger`, `unfit` or `not-ready`.
    """

    why: str


class VoiceBegan(Happened):
    """Somebody has begun to speak."""


class Passed(Happened):
    """Seconds of audio went by."""

    seconds: Annotated[float, Meta(ge=0)]


class Judged(Happened):
    """The hub's verdict on our answer, or that it was kept for later."""

    decision: int
    accepted: bool
    text: str


class Pressed(Happened):
    """The button for press-to-talk."""


class Worn(Happened):
    """The glasses were put on or taken off, or the microphone came or went; `text` is why, where that can be said."""

    on: bool
    text: str = ""


class OtherSound(Happened):
    """Another program has begun to play, and what is not urgent shall wait for it; or that wait is over."""

    on: bool


class Verified(Happened):
    """A session of the world log was found to be done; a short sound where nothing else is going on, else nothing."""


AnyHappened = (
    CardCame
    | CardGone
    | Outcome
    | Runs
    | Ended
    | CanUndo
    | Spoken
    | Heard
    | HalfHeard
    | Unclear
    | Unrecognised
    | VoiceBegan
    | Passed
    | Judged
    | Pressed
    | Worn
    | OtherSound
    | Verified
)


class Act(Value):
    """Base of what is to be done."""


class Speak(Act):
    """Say a text; tell when it has ended, by its number."""

    number: int
    text: str


class Play(Act):
    """Play an earcon."""

    chime: Chime


class Hush(Act):
    """Be silent at once."""


class Listen(Act):
    """Open or close the ear."""

    on: bool


class Answer(Act):
    """Hand in a person's answer. For SNOOZE, `minutes` (0: as usual) or `moment` say until when.

    `permission` is what was answered to an agent's questions, and `said` the same in words.
    """

    number: int
    verb: Verb
    delivery: CardDelivery
    prompt: str | None = None
    minutes: int = 0
    moment: str = ""
    permission: PermissionAnswer | None = None
    said: str = ""
    is_whole: bool = False
    """Whether all of the card was heard."""


class Report(Act):
    """Tell the hub what became of a delivery."""

    delivery_id: str
    state: DeliveryState


AnyAct = Speak | Play | Hush | Listen | Answer | Report


class Turn(Value):
    """The state: whose turn it is, about which card, and what is held for later. All tuples are bounded."""

    phase: Phase = "idle"
    then: Then = "idle"
    card: CardDelivery | None = None
    pending: Command | None = None
    """The answer that is being confirmed."""
    given: Given = Given()
    """What an agent's questions were answered so far, on the card that `given_for` names."""
    given_for: str = ""
    left_s: float = 0.0
    asked: int = 0
    """How often we have asked again about this card."""
    whole: bool = False
    """Whether everything of the card has been said to its end."""
    said_whole: bool = False
    """Whether what is being said now is everything of the card."""
    number: int = 0
    """Of the last utterance."""
    decision: int = 0
    last_text: str = ""
    waiting: tuple[CardDelivery, ...] = ()
    outcomes: tuple[tuple[str, str], ...] = ()
    """Delivery id and text of what is still to be told."""
    running: tuple[CardDelivery, ...] = ()
    undoable: CardDelivery | None = None
    answered: Verb | None = None
    """The verb that the hub is judging, or judged last."""
    last_outcome: str = ""
    worn: bool = True
    others_play: bool = False
    """Whether what is not urgent waits for another sound to pause."""
