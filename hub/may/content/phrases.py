"""Read what follows a verb: its object, the object's last noun, and the surroundings."""

import re

from hub.contract.base import Value
from hub.may.content.limits import MAX_PHRASE_WORDS, MAX_TAIL_WORDS
from hub.may.content.nouns import CODE, GENERIC, NAMED_THINGS, STORES
from hub.may.content.prose import Token
from hub.may.content.wordlist import word_set

DETERMINERS = word_set(
    """the a an this that these those my our your their his her its some any all every each both another
    one two three four five ten hundred several many"""
)
PREPOSITIONS = word_set(
    """to from in on at for with by via of about that which who so because using into onto before after if when as
    per through until unless where than across within under over inside against like during without upon around
    between among toward towards and or but then saying telling asking once while explaining is are was were has
    have regarding concerning und auf containing whose older newer larger bigger smaller younger matching
    describing detailing mentioning announcing requesting promoting thanking inviting informing complaining
    apologizing apologising confirming stating reporting ending starting beginning stored sitting belonging
    lying residing living whenever unless whether created named called except excluding"""
)
_AFTERTHOUGHTS = word_set(
    """now today immediately again permanently completely asap alphabetically numerically chronologically
    descending ascending please too first tonight tomorrow entirely forever right away everywhere instead anyway
    already recursively forcibly irrevocably manually weekly monthly daily any more anymore clean up out off
    down back once only alone somehow quickly there here afterwards twice completely silently publicly online"""
)
_NOT_ADVERBS = word_set("supply assembly anomaly butterfly monopoly")
_MEASURES = word_set(
    """all every most some any each none rest copies copy half whole both remainder contents part one
    everything lot bit set"""
)
_PARTICLES = word_set("up out off back away down over just again also only not")
_MONEY = re.compile(
    r"[$€£¥]\d|\d[\d.,]*(?:[$€£]|k?(?:usd|eur|gbp|chf|btc|eth|usdc|usdt)\b)"
    r"|\b\d[\d.,]*\s?k?\s?(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|chf|btc|eth|usdc|usdt|bitcoins?|sats|cents|yen|francs|franken)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand|million|few)\s(?:dollars?|euros?|pounds?|bucks|bitcoins?|cents)\b"
    r"|\b(?:usd|eur|gbp|chf)\s?\d|\$\s\d|€\s?\d"
)
_NUMBER = re.compile(r"#?\d+")
_NAME_OF_THING = re.compile(r"[A-Z]\w*|\w+(?:[-_./]\w+)+|\w*\d\w*|#\S+")
_EVERYTHING = frozenset({"whatever", "everything", "anything", "what"})
CODE_FILE = re.compile(
    r"[\w/.-]+\.(?:py|pyi|ts|tsx|js|jsx|mjs|md|rst|go|rs|rb|java|kt|c|h|cpp|cs|php|swift|html|css|scss|json|ya?ml|toml|ini|cfg"
    r"|csv|txt|sql|sh|ipynb|xml|lock|vue|tex)"
)
"""A file of code or text: taking something out of it is editing."""
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w|@\w{2,}$|\+?\d[\d ()-]{6,}$")


class Phrase(Value):
    """The object of a verb: ``words`` up to the first preposition, ``head`` its last noun, ``tail`` the rest."""

    words: tuple[str, ...]
    raw: tuple[str, ...]
    head: str
    tail: tuple[str, ...]
    raw_tail: tuple[str, ...]
    money: bool
    end: int

    @property
    def bag(self) -> frozenset[str]:
        """All words of object and surroundings."""
        return frozenset(self.words + self.tail)

    @property
    def heads(self) -> tuple[str, ...]:
        """The last noun of each part ("the cache and all backups" has two)."""
        links = [at for at, word in enumerate(self.words) if word in {"and", "or", "und", "oder"} and at]
        wide = self.words[:1] if set(self.words[:1]) & _EVERYTHING else ()
        return (*wide, *(self.words[at - 1] for at in links), self.head)

    @property
    def empty(self) -> bool:
        """Whether there is no object at all."""
        return not self.words


def _take(words: list[Token]) -> int:
    """Return how many words belong to the object."""
    at = 0
    for at, word in enumerate(words[:MAX_PHRASE_WORDS]):
        if word.text not in PREPOSITIONS or (word.text == "that" and at == 0):
            continue
        before = words[at - 1].text if at else ""
        if word.text == "of" and (before in _MEASURES or before in {"it", "them"}):
            continue
        if word.text in {"and", "or"} and at + 1 < len(words):
            continue
        return at
    return min(len(words), MAX_PHRASE_WORDS)


def _bare(word: Token) -> str:
    """Return the word without quotes."""
    return word.text.strip("\"'`").strip()


def _is_name(word: Token) -> bool:
    """Say whether a word names a thing rather than is one ("acme-logs", "Sessions2", but not "VMs")."""
    return _NAME_OF_THING.fullmatch(word.raw) is not None and word.text not in CODE | GENERIC | STORES


def _head(words: list[Token]) -> str:
    """Return the last noun; in ``the label "Delete"`` and ``the bucket acme-logs`` the word before the name."""
    if len(words) > 1 and words[-1].kind == "q" and words[-2].text not in DETERMINERS:
        return _bare(words[-2])
    if len(words) > 1 and words[-2].text in NAMED_THINGS and _is_name(words[-1]):
        return words[-2].text
    return _bare(words[-1]) if words else ""


def _is_afterthought(word: str) -> bool:
    """Say whether a last word is an adverb or a number rather than the thing."""
    adverb = word.endswith("ly") and word not in _NOT_ADVERBS and len(word) > len("daily")
    return adverb or word in _AFTERTHOUGHTS or _NUMBER.fullmatch(word) is not None


def read(words: list[Token]) -> Phrase:
    """Read the words after a verb."""
    start = 0
    while start < len(words) and words[start].text in _PARTICLES:
        start += 1
    rest = words[start:]
    taken = _take(rest)
    inside, outside = rest[:taken], rest[taken : taken + MAX_TAIL_WORDS]
    trimmed = list(inside)
    while len(trimmed) > 1 and _is_afterthought(trimmed[-1].text):
        trimmed.pop()
    everything = " ".join(token.text for token in rest[: MAX_PHRASE_WORDS + MAX_TAIL_WORDS])
    return Phrase(
        words=tuple(_bare(token) for token in trimmed),
        raw=tuple(token.raw for token in trimmed),
        head=_head(trimmed),
        tail=tuple(_bare(token) for token in [*outside, *inside[len(trimmed) :]]),
        raw_tail=tuple(token.raw for token in outside),
        money=bool(_MONEY.search(everything)),
        end=(rest[min(len(rest), taken + 6) - 1].end if rest else 0),
    )
