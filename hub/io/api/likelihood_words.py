"""How likely a yes was thought to be, in plain words for the story of a suggestion."""

from hub.domain.figures import percent
from hub.domain.likelihood import Estimate, Voice
from hub.domain.provenance import Wording, say
from hub.io.api.story_words import Sentence, in_a_row, sentence_of

ABOUT = {
    "kind": say("what it is"),
    "channel": say("which agent it is for"),
    "repository": say("the repository"),
    "hour": say("the time of day"),
    "weekday": say("the day of the week"),
    "happened": say("what had just happened"),
    "presence": say("whether you were there"),
    "words": say("what it is about"),
    "silence": say("how quiet it was"),
    "urgency": say("how urgent it is"),
    "time": say("whether it fits the time of day"),
    "tasks": say("your open tasks"),
    "conversations": say("your conversations with agents"),
    "git": say("uncommitted work"),
    "calendar": say("your next meeting"),
}
"""What a voice is about, by its name in hub/learn/yes/inputs.py; a test holds that none is missing."""


def in_words(said: Estimate | None) -> tuple[Sentence, ...]:
    """Return what earlier answers said of a suggestion; nothing while there were too few of them."""
    if said is None or not said.is_learnt:
        return ()
    like = Wording()
    if said.answers:
        like = say("You approved {yes} of {answers} like this. ", yes=said.yes, answers=said.answers)
    chance = say(
        "{like}A yes was {share} likely, between {low} and {high}.",
        like=like,
        share=percent(said.p),
        low=percent(said.low),
        high=percent(said.high),
    )
    strongest = say("Strongest signals: {voices}.", voices=in_a_row([_voice(one) for one in said.spoke]))
    return tuple(map(sentence_of, (chance, strongest) if said.spoke else (chance,)))


def _voice(voice: Voice) -> Wording:
    about = ABOUT[voice.about]
    return say("{about} (for it)", about=about) if voice.pull > 0 else say("{about} (against it)", about=about)
