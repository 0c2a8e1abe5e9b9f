"""What a person approves: a hash of exactly what would run, and the text made safe to look at (design section 7).

The hash is of the raw text. `visible` is for eyes only: it never changes what runs.
"""

import functools
import hashlib
import json

import msgspec

from hub.contract.permission import Permission
from hub.contract.phrasing import Phrasing
from hub.domain.lookalikes import reveal
from hub.domain.masking import is_computing, mask
from hub.domain.plan import AnyPlan
from hub.domain.suggestion import Need, Work
from hub.domain.worded import Worded

HASH_CHARS = 32
VISIBLE_KEPT_MAX = 2_048
"""Texts whose safe form is remembered: a card's are shown several times, and masking costs most of a quick answer."""
VISIBLE_KEPT_CHARS_MAX = 4_096
_FORM = "pulse-card-2"


def card_hash(
    prompt: str,
    channel: str,
    work: Work,
    need: Need,
    plan: AnyPlan | None = None,
    *,
    permission: Permission | None = None,
) -> str:
    """Return the hash that binds an answer to what was shown: 32 hexadecimal digits of a SHA-256.

    Any change of the prompt (also an invisible one), the channel, the work, the need or the plan (the command, its
    folder, the content of the files that define it) gives another hash, and so does any of what an agent asks.
    """
    parts = [_FORM, prompt, channel, *map(msgspec.to_builtins, (work, need, plan))]
    if permission is not None:
        parts.append(msgspec.to_builtins(permission))
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_CHARS]


def digest(*parts: object) -> str:
    """Return a short digest of some values: equal ones have equal digests, in every run."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:HASH_CHARS]


def conversation_of(name: str) -> str:
    """Return a name as a UUID, which is what programs want of whoever chooses how a conversation is called."""
    made = hashlib.sha256(name.encode()).hexdigest()
    return f"{made[:8]}-{made[8:12]}-8{made[13:16]}-a{made[17:20]}-{made[20:32]}"


def visible(text: str, beside: str = "") -> str:
    """Return a text as it may be shown: secrets masked, what cannot be seen or deceives the eye marked as ⟨U+202E⟩.

    Verb, path and destination always stay readable, and what `beside`, which runs with it, reads of it by name. Doing
    it twice is the same as doing it once.
    """
    if beside or len(text) > VISIBLE_KEPT_CHARS_MAX:
        return _visible(text, beside)
    return _kept_visible(text)


def wording_for(said: Worded | None, text: str) -> Phrasing | None:
    """Return the code of a text as it may be shown; None where it says something else, or part of it is masked."""
    return said.wording if said is not None and said.text == text == visible(text) else None


@functools.lru_cache(maxsize=VISIBLE_KEPT_MAX)
def _kept_visible(text: str) -> str:
    return _visible(text)


def _visible(text: str, beside: str = "") -> str:
    return reveal(text if is_computing(text) or is_computing(beside) else mask(text, beside))
