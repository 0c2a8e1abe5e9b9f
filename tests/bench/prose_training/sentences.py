"""Sentences by pattern (patterns.toml), to learn from beside the lists: wide in words, narrow in wit."""

import random
import re
import tomllib
from pathlib import Path

PATTERNS = Path(__file__).with_name("patterns.toml")
SEED = 1
CAPITAL_SHARE = 0.7
SALAD_SHARE, SALAD_WORDS_MAX = 0.03, 6
"""Loose words that order nothing: what a text is about must not speak as loudly as what it wants."""
_PART = re.compile(r"\{(\w+)\}")
SHARES: tuple[tuple[str, str, str, float], ...] = (
    ("acts", "order", "block", 0.30),
    ("acts", "long", "block", 0.08),
    ("works", "long", "pass", 0.10),
    ("contexts", "", "pass", 0.02),
    ("chats", "", "pass", 0.02),
    ("acts", "talk", "pass", 0.16),
    ("orders", "", "block", 0.08),
    ("mentions", "", "pass", 0.08),
    ("works", "", "pass", 0.22),
    ("works", "polite", "pass", 0.06),
    ("taten", "befehl", "block", 0.05),
    ("taten", "rede", "pass", 0.02),
    ("arbeiten", "", "pass", 0.03),
)
"""Kind of sentence, frame around it, what it then is, and its share of all."""


def sentences(count: int) -> list[tuple[str, str]]:
    """Return about so many different sentences with their labels, the same at every call."""
    found = tomllib.loads(PATTERNS.read_text(encoding="utf-8"))
    words, kinds, frames = found["words"], found["sentences"], found["frames"]
    chance = random.Random(SEED)  # noqa: S311  the same sentences at every call

    def filled(pattern: str) -> str:
        return _PART.sub(lambda match: chance.choice(words[match[1]]), pattern)

    made: dict[tuple[str, str], None] = {}
    for kind, frame, label, share in SHARES:
        for _ in range(int(count * share)):
            text = filled(chance.choice(kinds[kind]))
            if frame:
                text = text.join(filled(part) for part in chance.choice(frames[frame]).split("{}"))
            capital = chance.random() < CAPITAL_SHARE
            made[(text[:1].upper() + text[1:] if capital else text, label)] = None
    for _ in range(int(count * SALAD_SHARE)):
        loose = " ".join(chance.choice(words["context"]) for _ in range(2)).split()
        made[" ".join(chance.sample(loose, chance.randint(1, SALAD_WORDS_MAX))), "pass"] = None
    return list(made)
