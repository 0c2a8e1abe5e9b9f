"""Whose turn it is: the conversation as one table, from a phase and a happening to a move.

idle        nothing is said; a card that comes is chimed and read
speaking    something is being said; then it listens, waits for a confirmation, or is idle again
listening   the ear is open for an answer, for some seconds; silence and nonsense are asked about once
asking      something like an approval was heard, and "Approve?" asked; only a yes lets it count
confirming  an answer was read back and does not count yet; only "confirm" (or, where chosen, nobody objecting) lets it
sending     the hub judges the answer
paused      nothing is said and nothing heard until "resume" or the button; cards wait

`step` is the one way to move; what has no row is a bug and raises. Time is seconds of audio. The diagram in
docs/voice.md is drawn from the table.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from edge.speech import asking, moves
from edge.speech.commands import Word
from edge.speech.turn import (
    AnyAct,
    AnyHappened,
    CanUndo,
    CardCame,
    CardGone,
    Ended,
    HalfHeard,
    Happened,
    Heard,
    Judged,
    Manner,
    OtherSound,
    Outcome,
    Passed,
    Phase,
    Pressed,
    Runs,
    Speak,
    Spoken,
    Turn,
    Unclear,
    Unrecognised,
    Verified,
    VoiceBegan,
    Worn,
)
from hub.contract.errors import PulseError

Step = tuple[Turn, tuple[AnyAct, ...]]
Move = Callable[[Turn, Manner, Any], Step]  # each row's move takes that row's happening


class IllegalTurnError(PulseError):
    """The voice was told of something that cannot happen now. This is our bug: please report it."""

    code = "illegal-turn"


_ALWAYS: dict[type[Happened], Move] = {
    Runs: moves.runs,
    Ended: moves.ended,
    CanUndo: moves.can_undo,
    Worn: moves.worn,
    OtherSound: moves.other_sound,
    Outcome: moves.told,
    Verified: moves.nothing,
    Judged: moves.judged_late,
    Spoken: moves.nothing,
    VoiceBegan: moves.nothing,
    Passed: moves.nothing,
    Heard: moves.nothing,
    HalfHeard: moves.nothing,
    Unclear: moves.nothing,
    Unrecognised: moves.nothing,
    Pressed: moves.pressed,
    CardGone: moves.gone,
    CardCame: moves.queue,
}
"""Holds in every phase unless the phase says otherwise."""

_OWN: dict[Phase, dict[type[Happened], Move]] = {
    "idle": {
        CardCame: moves.come,
        Heard: moves.heard,
        CardGone: moves.gone_quietly,
        Verified: moves.sparkle,
    },
    "speaking": {CardCame: moves.interrupt, Spoken: moves.spoken, Heard: moves.heard},
    "listening": {
        CardCame: moves.interrupt,
        Heard: moves.heard,
        HalfHeard: asking.half_heard,
        Unclear: moves.unclear,
        Unrecognised: moves.unrecognised,
        VoiceBegan: moves.voice_began,
        Passed: moves.pass_listening,
    },
    "asking": {
        Heard: asking.hear_reply,
        HalfHeard: asking.half_heard_reply,
        Unclear: asking.unclear_reply,
        Unrecognised: moves.unrecognised,
        VoiceBegan: moves.voice_began,
        Passed: asking.pass_asking,
        Pressed: moves.nothing,
    },
    "confirming": {
        Heard: moves.hear_confirmation,
        HalfHeard: moves.unclear_confirmation,
        Unclear: moves.unclear_confirmation,
        Unrecognised: moves.unrecognised,
        VoiceBegan: moves.voice_began,
        Passed: moves.pass_confirming,
        Pressed: moves.nothing,
    },
    "sending": {
        Judged: moves.judged,
        Passed: moves.pass_sending,
        CardGone: moves.gone_quietly,
        Pressed: moves.nothing,
    },
    "paused": {CardGone: moves.gone_quietly, Spoken: moves.keep_listening, Heard: moves.heard},
}
MOVES: dict[tuple[Phase, type[Happened]], Move] = {
    (phase, kind): move for phase, own in _OWN.items() for kind, move in {**_ALWAYS, **own}.items()
}


def step(turn: Turn, manner: Manner, event: AnyHappened) -> Step:
    """Return the next turn and what is to be done.

    Raises:
        IllegalTurnError: there is no such row; nothing changes.
    """
    move = MOVES.get((turn.phase, type(event)))
    if move is None:
        raise IllegalTurnError(f"{type(event).__name__} while {turn.phase}")
    if turn.phase == "paused" and isinstance(event, Heard) and event.command.word not in {Word.RESUME, Word.STOP}:
        return turn, ()
    return _pausing(event, *move(turn, manner, event))


def _pausing(event: AnyHappened, turn: Turn, acts: tuple[AnyAct, ...]) -> Step:
    """After the word "pause" has been said, what follows is pause."""
    if isinstance(event, Heard) and event.command.word is Word.PAUSE and any(isinstance(act, Speak) for act in acts):
        return replace(turn, phase="paused"), acts
    return turn, acts


def diagram() -> str:
    """Return the table as Markdown, a row for each phase and a column for each happening that matters there."""
    lines = ["| phase | happening | move |", "|---|---|---|"]
    for phase, own in _OWN.items():
        for kind, move in own.items():
            lines.append(f"| {phase} | {kind.__name__} | {move.__name__} |")
    lines += [f"| any other | {kind.__name__} | {move.__name__} |" for kind, move in _ALWAYS.items()]
    return "\n".join(lines)
