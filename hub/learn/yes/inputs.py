"""What an estimate looks at, as named inputs: each with its size, and how far it may pull before anybody has answered.

Theory: what is shared is pooled. An answer about one kind in one repository moves the kind, the repository, the hour,
what happened before, and a little of everything; it moves what they have in common least, because that is known best.
`spread` is the standard deviation of a weight before the first answer: what may matter much has a wide one. The six
signals of CROSSPOLL 2.2 have theirs in the proportion that the table there gives. The hours overlap like tents, so
that ten o'clock teaches eleven o'clock something.
"""

from hub.contract.base import Value
from hub.domain.likelihood import Features

NAME_CHARS_MAX = 120
A_LONG_SILENCE_S = 3_600.0
HOURS_PER_TENT = 2.0
TENTS = 12
SATURDAY = 5
MEANING_SPREAD = 0.25
"""Kinds and reasons say most of what the words say; a wide one made scripted persons' estimates worse."""
PRIOR_MEAN = 0.2
"""How much of the shipped rows' word counts for who has not answered yet: on situations that they do not know they are
right little more often than chance. It orders, and hides nothing: the lowest word leaves a first estimate above 0.3.
"""
PRIOR_SPREAD = 0.15
PRIOR_MAX = 3.0
COMMON_MEAN = -0.67
"""So that the first estimate of all is 0.4 (CROSSPOLL 7.7), as unsure as it then is."""
PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (23, "evening"), (24, "night"))
SIGNALS = {"time": 0.3, "silence": 0.2, "tasks": 0.2, "conversations": 0.15, "git": 0.1, "calendar": 0.05}
"""The signals and weights of CROSSPOLL 2.2."""
SIGNAL_SPREAD = 2.0


class Input(Value):
    """One input: `about` is what it belongs to in front of a person; `mean` and `spread` are its weight's at first."""

    name: str
    about: str
    size: float = 1.0
    spread: float = 1.0
    mean: float = 0.0


def inputs_of(about: Features) -> tuple[Input, ...]:
    """Return the inputs that are not nought."""
    found = (*_named(about), *_measured(about), *_hours(about.hour))
    return tuple(one for one in found if one.size != 0.0)


def _named(about: Features) -> tuple[Input, ...]:
    kind, part = about.kind, _part(about.hour)
    weekend = "weekend" if about.weekday >= SATURDAY else "workday"
    return (
        Input(name="all", about="", spread=0.7, mean=COMMON_MEAN),
        _input("kind", "kind", kind, spread=1.4),
        _input("reason", "kind", about.reason, spread=0.4),
        _input("channel", "channel", about.channel, spread=0.4),
        _input("kind+channel", "channel", kind, about.channel, spread=0.4),
        _input("repository", "repository", about.repository, spread=1.0),
        _input("kind+repository", "repository", kind, about.repository, spread=1.5),
        _input("part", "hour", part, spread=0.7),
        _input("kind+part", "hour", kind, part, spread=1.5),
        _input("weekday", "weekday", weekend, spread=0.4),
        _input("happened", "happened", about.happened, spread=1.0),
        _input("kind+happened", "happened", kind, about.happened, spread=1.5),
        _input("presence", "presence", about.presence, spread=0.5),
    )


def _measured(about: Features) -> tuple[Input, ...]:
    silence = 0.0 if about.silence_s is None else min(max(about.silence_s, 0.0) / A_LONG_SILENCE_S, 1.0)
    prior = min(max(about.prior, -PRIOR_MAX), PRIOR_MAX)
    levels = tuple(
        Input(
            name=f"signal {name}",
            about=name,
            size=min(max(float(getattr(about.levels, name)), 0.0), 1.0),
            spread=SIGNAL_SPREAD * weight,
        )
        for name, weight in SIGNALS.items()
    )
    meaning = tuple(
        Input(name=f"meaning {place}", about="words", size=size, spread=MEANING_SPREAD)
        for place, size in enumerate(about.meaning)
    )
    return (
        Input(name="long silence", about="silence", size=silence, spread=0.5),
        Input(name="urgency", about="urgency", size=min(max(about.urgency, 0.0), 1.0), spread=0.7),
        Input(name="shipped", about="words", size=prior, spread=PRIOR_SPREAD, mean=PRIOR_MEAN),
        *levels,
        *meaning,
    )


def _hours(hour: float) -> tuple[Input, Input]:
    """Return the two tents that an hour stands in."""
    place = (hour / HOURS_PER_TENT) % TENTS
    first = int(place)
    within = place - first
    return (
        Input(name=f"tent {first % TENTS}", about="hour", size=1.0 - within, spread=0.8),
        Input(name=f"tent {(first + 1) % TENTS}", about="hour", size=within, spread=0.8),
    )


def _input(name: str, about: str, *words: str, spread: float) -> Input:
    text = " ".join(words)[-NAME_CHARS_MAX:]
    return Input(name=f"{name} {text}", about=about, size=1.0 if all(words) else 0.0, spread=spread)


def _part(hour: float) -> str:
    return next((part for end, part in PARTS if hour < end), "night")
