"""The phrasebook as an app carries it: sentences by key, in Apple's own format, where %1$@ is the first value. Pure."""

import re
from collections.abc import Mapping

from hub.contract.base import Value
from hub.contract.permission import AgentQuestion
from hub.contract.words import Verb
from hub.kit.announcing import Announcement
from hub.kit.changed import changed_text
from hub.kit.digests import in_lines
from hub.kit.fates import FATES
from hub.kit.naming import place_of, sure_of
from hub.kit.permissions import effects_line
from hub.kit.phrasebook import Phrase, Phrases, capital
from hub.kit.questions import questions_of, questions_text

VERSION = 8
"""Counts the changes of the sentences, so that an app knows whether it carries them: one more with each change."""
NAME_CHARS_MAX = 60
SIGNED = {
    "new": "🔮",
    "new_risky": "🔮",
    "new_ask": "🔮",
    "new_alike": "🔮",
    "returned": "🔮",
    "started": "▶️",
    "started.alone": "▶️",
    "executed": "✅",
    "handed_over": "📤",
    "failed": "❌",
    "stopped": "⏹",
    "interrupted": "⚠️",
    "timeout": "❌",
    "cost.hour": "💰",
    "cost.day": "💰",
    "cost.month": "💰",
    "paused": "⏸",
    "resumed": "▶️",
    "digest": "🔮",
    "digest.one": "🔮",
    "away.title": "👋",
}
"""Titles that begin with a sign."""
PLAIN = (
    *(f"{verb.value}.there" for verb in Verb),
    *(fate for fate in FATES if fate not in SIGNED),
    *("snooze.done", "confirmed.rails", "expired.long", "passed.long"),
    *("executed.told", "handed_over.told", "failed.told", "stopped.told", "interrupted.told", "timeout.told"),
    *("cost", "hidden.waits", "hidden.news", "calm", "in_person", "question.write"),
    *("channel.ask", "channel.chronicle_hub", "channel.dream_weaver", "channel.garden"),
    *("channel.koji_core", "channel.research"),
)
SLOTS = ("place", "card", "number", "percent", "yes", "answers", "spent", "cap", "where", "text")
"""The order in which values are sent, in every language."""
_SLOT = re.compile(r"\{([a-z]+)\}")


class Sentence(Value):
    """A sentence by its key, with its values in order. The last value may be shortened."""

    key: str
    values: tuple[str, ...] = ()


class Strings(Value):
    """The sentences of one language as an app of this version carries them, by key."""

    phrases: Phrases
    texts: Mapping[str, str]
    version: int = VERSION

    def name(self, phrase: Phrase) -> Sentence:
        """Return the sentence that a phrase is."""
        return Sentence(key=_key(phrase.name), values=tuple(map(self.phrases.written, phrase.values.values())))

    def say(self, sentence: Sentence) -> str:
        """Return a sentence with its values in place, as the device itself would."""
        text = self.texts[sentence.key]
        for number, value in enumerate(sentence.values, start=1):
            text = text.replace(f"%{number}$@", value)
        return text.replace("%%", "%")


def strings(phrases: Phrases) -> Strings:
    """Return the sentences that an app in this language carries."""
    signed = {_key(name): f"{sign} {{={capital(name)}}}" for name, sign in SIGNED.items()}
    plain = {_key(name): f"{{={capital(name)}}}" for name in PLAIN}
    subtitles = {"CARD": "{place} • {=confidence}", "LIKE": "{place} • {=like}", "PLACE": "{place}"}
    texts = {**signed, **plain, **subtitles}
    return Strings(phrases=phrases, texts={key: _apples(phrases.fill(text)) for key, text in texts.items()})


def body(found: Announcement, words: Strings) -> Sentence | str:
    """Return what came of it, else somebody's own text; of a question first where it is answered."""
    if found.digest is not None:
        return in_lines(found.digest, words.phrases)
    if found.detail is not None:
        return words.name(found.detail)
    if found.text and found.card is not None:
        return words.name(Phrase(name=f"{found.title.name}.told", values={"text": found.text}))
    text = found.text or (found.prompt and changed_text(found.card, words.phrases, found.prompt))
    if found.waits and found.card is not None and questions_of(found.card.permission):
        return f"{words.phrases.title('question.elsewhere')}\n{text}"
    return "\n".join(filter(None, (text, effects_line(found.card, words.phrases) if found.waits else "")))


def numbered(question: AgentQuestion) -> str:
    """Return a question and what its choices mean, by their numbers, as its buttons call them."""
    return questions_text((question,))


def all_strings(known: Mapping[str, Phrases]) -> dict[str, Strings]:
    """Return the sentences of all languages, by their code."""
    return {lang: strings(phrases) for lang, phrases in known.items()}


def subtitle(found: Announcement, words: Phrases) -> Sentence | None:
    """Return what a card is about, and while it waits how sure Pulse is of it, where it has learnt anything.

    One that no button of a device can approve says where that can be done.
    """
    card = found.card
    if card is None:
        return None
    place, sure = place_of(card, words)[:NAME_CHARS_MAX], sure_of(card)
    if found.waits and (card.cannot_run or card.in_person):
        return Sentence(key="IN_PERSON", values=(card.id,))
    if not found.waits or sure is None:
        return Sentence(key="PLACE", values=(place,))
    key = "LIKE" if sure.name == "like" else "CARD"
    return Sentence(key=key, values=(place, *map(words.written, sure.values.values())))


def _apples(text: str) -> str:
    slots = sorted(_SLOT.findall(text), key=SLOTS.index)
    return _SLOT.sub(lambda slot: f"%{slots.index(slot[1]) + 1}$@", text.replace("%", "%%"))


def _key(name: str) -> str:
    return name.upper().replace(".", "_")
