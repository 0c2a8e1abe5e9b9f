"""How likely a yes was thought to be, in plain words for the story of a suggestion."""

from hub.domain.likelihood import Estimate, Voice

ABOUT = {
    "kind": "what it is",
    "channel": "which agent it is for",
    "repository": "the repository",
    "hour": "the time of day",
    "weekday": "the day of the week",
    "happened": "what had just happened",
    "presence": "whether you were there",
    "words": "what it is about",
    "silence": "how quiet it was",
    "urgency": "how urgent it is",
    "time": "whether it fits the time of day",
    "tasks": "your open tasks",
    "conversations": "your conversations with agents",
    "git": "uncommitted work",
    "calendar": "your next meeting",
}
"""What a voice is about, by its name in hub/learn/yes/inputs.py; a test holds that none is missing."""


def in_words(said: Estimate | None) -> tuple[str, ...]:
    """Return what earlier answers said of a suggestion; nothing while there were too few of them."""
    if said is None or not said.is_learnt:
        return ()
    like = f"You approved {said.yes} of {said.answers} like this. " if said.answers else ""
    chance = f"{like}A yes was {said.p:.0%} likely, between {said.low:.0%} and {said.high:.0%}."
    voices = ", ".join(map(_voice, said.spoke))
    return (chance, f"Strongest signals: {voices}.") if voices else (chance,)


def _voice(voice: Voice) -> str:
    return f"{ABOUT[voice.about]} ({'for' if voice.pull > 0 else 'against'} it)"
