"""Reasons and their signatures: what keeps Pulse from saying the same thing twice.

A reason key names a matter ("the tests of this repository"), its signature the state of the world behind it. A card is
only made again when the signature is new. A signature is written `base|item,item`: the base is what ends a matter
(a new test run, a new commit), the items are what belongs to it (changed modules, thresholds passed). A matter that
only got smaller is no news, so a signature whose items were all there before counts as known.
No signature holds the time of the clock: a state decides, not a timer. Where a day is the matter, its date is state.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from hub.domain.provenance import WorldText, untrusted
from hub.domain.situation import Repository, Situation
from hub.domain.suggestion import Candidate
from hub.what.text import clean

DIGEST_CHARS = 10
ITEM_CHARS = 6
ITEMS_MAX = 64
KEY_NAME_CHARS_MAX = 32


def digest(*parts: object, chars: int = DIGEST_CHARS) -> str:
    """Return a short, stable fingerprint of the parts."""
    text = "\x1f".join(_bare(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:chars]


def repository_key(kind: str, repository: Repository) -> str:
    """Return the key of a matter of one repository; its path tells apart two of the same name."""
    return f"{kind}:{untrusted(clean(repository.name, KEY_NAME_CHARS_MAX))}:{digest(repository.path)}"


def state(base: object, items: Iterable[object] = ()) -> str:
    """Return a signature; beyond 64 items only the whole set counts."""
    parts = sorted({digest(item, chars=ITEM_CHARS) for item in items})
    if len(parts) > ITEMS_MAX:
        parts = [digest(*parts)]
    return f"{digest(base)}|{','.join(parts)}"


def branch_of(repository: Repository) -> str:
    """Return a branch's name for a signature, which is hashed."""
    return str(None) if repository.branch is None else untrusted(repository.branch)


def is_known(signature: str, before: str | None) -> bool:
    """Return True if `before` already covers `signature`: the same, or the same base and nothing new in it."""
    if before is None or signature == before:
        return before is not None
    return base_of(signature) == base_of(before) and items_of(signature) <= items_of(before)


def base_of(signature: str) -> str:
    """Return the part of a signature that ends a matter when it changes."""
    return signature.partition("|")[0]


def items_of(signature: str) -> frozenset[str]:
    """Return what belongs to a matter, each as the digest that `state` made of it."""
    return frozenset(signature.partition("|")[2].split(","))


def is_fresh(candidate: Candidate, known: Mapping[str, str], open_keys: Collection[str]) -> bool:
    """Return True if a candidate is neither pending nor already said for the same reason."""
    key = candidate.reason_key
    return key not in open_keys and not is_known(candidate.signature, known.get(key))


def fingerprint(situation: Situation) -> str:
    """Return a coarse state of the world: it changes with a commit or a task, not with a saved file or the time."""
    heads = sorted(f"{found.path} {branch_of(found)} {found.head}" for found in situation.repositories or ())
    tasks = sorted(f"{task.id} {task.status} {task.updated_at.isoformat()}" for task in situation.tasks or ())
    return state(digest(*heads, "/", *tasks))


def _bare(part: object) -> str:
    return untrusted(part) if isinstance(part, WorldText) else str(part)
