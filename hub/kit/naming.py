"""How a card, its place and its answers are named before a person: plain words, never a channel's own name. Pure."""

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.words import Source
from hub.kit.phrasebook import Phrase, Phrases
from hub.kit.text import one_line

SELF = "me"
"""Who answered, where nobody said who: the person whose Pulse this is."""
NAME_CHARS_MAX = 60
UNLESS_PERMITTED = " that no permission covers"
"""Behind what Pulse asks about, where there may be permissions."""


def place_of(card: Prediction, words: Phrases) -> str:
    """Return what a card is about: its repository, who asks, or else what kind of work it is."""
    if card.permission is not None:
        folder = one_line(card.permission.folder.rstrip("/").rpartition("/")[2], NAME_CHARS_MAX)
        return " · ".join(filter(None, (agent_title(card.target_agent, words), folder)))
    if card.source is Source.ASK:
        return agent_title(card.target_agent, words)
    return card.repository or channel_title(card.target_channel, words)


def channel_title(channel: str, words: Phrases) -> str:
    """Return the plain name of a channel, as it begins a line; one that the person made is called as they called it."""
    name = f"channel.{_form(channel)}"
    return words.title(name) if name in words.texts else channel


def agent_title(agent: str, words: Phrases) -> str:
    """Return the plain name of an agent, or of whoever asks; those of the person are called as they called them."""
    name = f"agent.{_form(agent)}"
    return words.title(name) if name in words.texts else agent


def origin_of(card: Prediction, words: Phrases) -> str:
    """Return who had the idea, where that was not Pulse itself; else nothing."""
    return words.texts.get(f"source.{_form(card.source.value)}", "")


def held_of(card: Prediction, words: Phrases) -> str:
    """Say what a card waits for that nobody was told of yet; else nothing."""
    return "" if card.held is None else words.say(f"held.{card.held.until}")


def interruptions_of(status: CrossPollStatus, words: Phrases) -> str:
    """Say what today has cost in interruptions; nothing where that is not told."""
    found = status.attention
    return "" if found is None else words.say("attention", spent=str(found.spent), budget=str(found.per_day))


def percent_sure(card: Prediction) -> int | None:
    """Return how sure Pulse is of a suggestion, in per cent; None where nothing was learnt, or somebody else asks."""
    return round(card.confidence * 100) if card.confidence_learnt and card.source is not Source.ASK else None


def sure_of(card: Prediction) -> Phrase | None:
    """Say in short how sure Pulse is: how the like was answered, or else in per cent; None where nothing was learnt."""
    percent, said = percent_sure(card), card.likelihood
    if percent is None:
        return None
    if said is not None and said.answers:
        return Phrase(name="like", values={"yes": str(said.yes), "answers": str(said.answers)})
    return Phrase(name="confidence.short", values={"percent": str(percent)})


def share_sure(card: Prediction) -> float:
    """Return what `sure_of` says as a share, for a bar."""
    said = card.likelihood
    return said.yes / said.answers if said is not None and said.answers else card.confidence


def where_of(surface: str) -> Phrase:
    """Say where an answer was given: `on your phone`; a surface that has no such words is called by its name."""
    named = {"name": surface[:NAME_CHARS_MAX]}
    return Phrase(name=f"surface.{_form(surface)}", values=named, otherwise="surface.named")


def who_of(by: str) -> str | Phrase:
    """Say who gave an answer: `you`, where nobody else is named."""
    return Phrase(name="you.by") if by == SELF else by[:NAME_CHARS_MAX]


def _form(name: str) -> str:
    return name.replace("-", "_")


def elsewhere_said(card: Prediction, words: Phrases) -> str:
    """Say where else a yes counts, or what has to be mended before one can; empty where this device may say it."""
    if card.cannot_run:
        return words.title("look_again", card=card.id)
    return words.title("in_person", card=card.id) if card.in_person else ""
