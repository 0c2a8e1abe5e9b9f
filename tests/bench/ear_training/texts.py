"""What is said to train the ear: commands, words that sound like them, and pieces of this project's own documents."""

import random
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from edge.engines.pronunciation import Phones, distance
from edge.phrase_files import phrasebook
from edge.speech.phrasebook import Phrasebook

ROOT = Path(__file__).resolve().parents[3]
LEADING = ("please", "hey pulse")
TRAILING = ("please", "thanks", "thank you")
NEGATIONS = ("don't", "do not", "never", "not", "i won't", "you can't", "i would not", "please don't", "we did not")
SHARES = {"command": 0.4, "negation": 0.08, "alike": 0.22, "prose": 0.3}
SHARES_OF = {
    "hard": {"command": 0.12, "negation": 0.08, "alike": 0.25, "prose": 0.1, "family": 0.45},
    "answers": {"answer": 0.5, "command": 0.08, "negation": 0.05, "alike": 0.22, "prose": 0.07, "family": 0.08},
}
ANSWERS = ("approve", "approve", "yes", "yes", "no")
FAMILY = """
approval approved approves approving disapprove disapproves disapproved approvingly improve improves improvement
prove proves proved proving proven reprove disprove remove removes removed move moves groove grooves upper
uproar approach approached apron operate uproot uproots prude prunes confirms confirming confirmation conform
confer unproven accrue accrued accrues aggrieve upriver proofs sender sending sends heads a-head had going
"""
"""Words that nothing but their ends, or their beginnings, tells from what grants something."""
NEAR_MAX = 2.0
"""Words whose phones are at most so far from those of a command's word are look-alikes."""
LOOKALIKES_MAX = 60
PROSE_WORDS = (1, 7)
COMMON_GAIN = 0.5
ASKED = ("approve", "confirm", "skip", "later", "repeat", "details", "stop")
ASKED_WEIGHT, SHORT_SHARE, LEADING_SHARE, TRAILING_SHARE = 4, 0.4, 0.1, 0.15
NEAREST = ("approve", "yes")
APPROVE_SHARE, OBJECT_SHARE, OBJECTS = 0.3, 0.2, ("it", "that", "this")


def read_pronunciations(path: Path) -> dict[str, Phones]:
    """Return the first pronunciation of every word of a CMU dictionary."""
    found: dict[str, Phones] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        head, *phones = line.split()
        if "(" not in head and head[0].isalpha():
            found[head] = tuple(phones)
    return found


def forms(book: Phrasebook, chance: random.Random) -> dict[str, list[str]]:
    """Return what may be said for each meaning, with the numbers and check words of the book in the slots."""
    found: dict[str, list[str]] = {}
    slots = {"{minutes}", "{hours}"}
    for form in book.forms:
        if form.key == "edit":
            continue
        words = [" ".join(chance.choice(book.numbers)[0]) if token in slots else token for token in form.tokens]
        words = [chance.choice(book.check_words) if word == "{check}" else word for word in words]
        found.setdefault(form.key, []).append(" ".join(words))
    return found


def prose(known: Iterable[str]) -> list[str]:
    """Return the runs of known words in this project's documents."""
    words, lines = frozenset(known), []
    for path in sorted((ROOT / "docs").rglob("*.md")):
        for sentence in re.split(r"[.;:!?|`()\[\]\n]", path.read_text(encoding="utf-8").lower()):
            parts = re.findall(r"[a-z']+", sentence)
            if len(parts) > 1 and all(part in words for part in parts):
                lines.append(" ".join(parts))
    return lines


def look_alikes(known: dict[str, Phones], words: Iterable[str], common: frozenset[str]) -> dict[str, list[str]]:
    """Return for each word the nearest other words; `common` ones come first."""
    found = {}
    for word in words:
        own = known[word]
        near = [
            (distance(phones, own) - (COMMON_GAIN if other in common else 0.0), other)
            for other, phones in known.items()
            if abs(len(phones) - len(own)) <= NEAR_MAX and len({*own} - {*phones}) <= NEAR_MAX and phones != own
        ]
        found[word] = [other for far, other in sorted(near)[:LOOKALIKES_MAX] if far <= NEAR_MAX]
    return found


def is_kept_apart(word: str) -> bool:
    """Say whether a look-alike is only for judging: one in four, by its spelling."""
    return zlib.crc32(word.encode()) % 4 == 0


class Texts:
    """A source of texts; none of `apart`, and no look-alike that is kept apart, ever comes from it."""

    def __init__(
        self, known: dict[str, Phones], apart: frozenset[str], seed: int, shares: dict[str, float] | None = None
    ) -> None:
        self._shares = shares or SHARES
        self._chance = random.Random(seed)  # noqa: S311  a choice of texts
        self._book = phrasebook("en")
        self._known, self._apart = known, apart
        self._prose = prose(known)
        common = frozenset(word for line in self._prose for word in line.split())
        keys = forms(self._book, self._chance)
        said = {word for key in ASKED for line in keys[key] for word in line.split()}
        longer = sorted(word for word in said if len(known.get(word, ())) > NEAR_MAX)
        found = look_alikes(known, longer, common)
        self._alikes = {word: [other for other in others if not is_kept_apart(other)] for word, others in found.items()}
        self._kinds = {
            "answer": lambda: self._chance.choice(ANSWERS),
            "command": self._command,
            "negation": self._negation,
            "alike": self._alike,
            "prose": self._piece,
            "family": self._relative,
        }

    def draw(self) -> str:
        """Return a text all of whose words have a pronunciation."""
        while True:
            text = self._kinds[self._chance.choices(list(self._shares), list(self._shares.values()))[0]]()
            if text not in self._apart and all(word in self._known for word in text.split()):
                return text

    def _command(self) -> str:
        keys = forms(self._book, self._chance)
        key = self._chance.choices(list(keys), [ASKED_WEIGHT if key in ASKED else 1 for key in keys])[0]
        short = [line for line in keys[key] if " " not in line]
        text = self._chance.choice(short if short and self._chance.random() < SHORT_SHARE else keys[key])
        roll = self._chance.random()
        if roll < LEADING_SHARE:
            return f"{self._chance.choice(LEADING)} {text}"
        return f"{text} {self._chance.choice(TRAILING)}" if roll > 1 - TRAILING_SHARE else text

    def _negation(self) -> str:
        keys = forms(self._book, self._chance)
        return f"{self._chance.choice(NEGATIONS)} {self._chance.choice([*keys['approve'], *keys['confirm']])}"

    def _alike(self) -> str:
        words = NEAREST if self._chance.random() < APPROVE_SHARE else tuple(self._alikes)
        of = self._chance.choice(words)
        text = self._chance.choice(self._alikes[of] or [of])
        return f"{text} {self._chance.choice(OBJECTS)}" if self._chance.random() < OBJECT_SHARE else text

    def _relative(self) -> str:
        text = self._chance.choice(FAMILY.split())
        return f"{text} {self._chance.choice(OBJECTS)}" if self._chance.random() < OBJECT_SHARE else text

    def _piece(self) -> str:
        words = self._chance.choice(self._prose).split()
        count = self._chance.randint(*PROSE_WORDS)
        at = self._chance.randrange(max(1, len(words) - count + 1))
        return " ".join(words[at : at + count])
