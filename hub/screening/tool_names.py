"""What the name of a tool or of a field says of itself: a look, a deed behind a look, a secret. Pure and total.

A name is believed (ADR 160), and read to its end: `status_delete` begins as a look and deletes.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from hub.screening.commands.operands import names_secret
from hub.screening.commands.table import word_effects

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LOOKS = _set(
    "get list ls read search find show view describe status count info lookup inspect check diff log logs history"
    " whoami version help cat tree peek explain resolve query select stat exists directory sequentialthinking think"
)
"""Verbs that make a look of a tool whose name begins with one."""
_GETS = _set("get read find search describe lookup inspect explain resolve peek cat ls think sequentialthinking")
"""Looks that can only be verbs, so that what stands behind is a thing: `get_comment`."""
_NAMED = _set("status info help version history directory tree stat log logs diff count exists whoami")
"""Looks that name a thing, so that what stands behind is what is done to it: `status_post`."""
_NOUNS = _set("new set update upgrade import patch move sync seed install archive lock block call exec ssh migrate")
"""Words that change something where they are verbs, and may as well be things."""
_CHANGES = _set("toggle mutate rewrite bump shake share mark pop unsubscribe fix exec eval")
"""Verbs of change that are no task's or script's words for one."""
_SURELY_CHANGES = _CHANGES - _set("fix exec eval shake bump share")
_RESOLVED = _set(
    "library lib package packages module symbol symbols reference references id ids name names dns host hostname"
)
_RESOLVED |= _set(
    "path paths url uri address alias import imports version dependency dependencies definition type types"
)
"""What is looked up where it is resolved; an issue, an incident or a thread is closed by it."""
_JOINS = _set("and or then")
_PHRASES = _set("check_out check_in get_paid get_rid")
_ASIDE = _set("in on to into onto off out up over")
_LOOKS_ASIDE = _set("get read find search lookup resolve query select")
"""Looks that stay looks before such a word: `search_in_files`; others put something there: `show_in_slack`."""
_AFTERWARDS = _set("then also and auto do should must")
_HOOKS = _set("callback callbacks hook hooks webhook webhooks handler")
_FIGURES = re.compile(r"(?:count|design|max|limit|usage)_tokens?\b|tokens?_(?:count|usage|limit|budget)s?\b")
_ENVIRONMENT = re.compile(
    r"(?:^|_)(?:env$|env_(?:vars?|variables?|files?|values?)(?:_|$)|environment_(?:vars?|variables?)|dotenv|printenv|environ$)"
    r"|^(?:get|show|view|read|dump|print|cat)_(?:(?:process|system|shell|current|full|all)_)?environment$"
)
_TOKENS = re.compile(r"tokens?", re.IGNORECASE)
_FILTERS = _set("list search find query select count lookup ls filter")
"""Looks whose fields choose among what is there: `to`, `role` and `public` say which is meant."""
_PEOPLE = _set("cc bcc recipient recipients attendee attendees invitee invitees mailto")
_SHARED_WITH = (["shared", "with"], ["share", "with"])
_PERSON = re.compile(r"[^\s@/]{1,64}@[^\s@/]+|[#@+][\w.-]+")
_ACCESS = _set("visibility permission permissions acl access sharing privacy")
_TELLS = _set("transition comment message reply note reaction")
"""Fields that say or change something where they are no search's words."""
_CLOSED = _set("private none read readonly reader viewer view internal restricted closed owner self false")
_POWER = re.compile(
    r"admin|owner|edit|writ|maintain|manage|super|root|collaborat|everyone|anyone|public", re.IGNORECASE
)


def words_of(name: str) -> list[str]:
    """Return the words of a name in small letters."""
    return [one.lower() for one in _WORD.findall(name)]


def is_deed(word: str) -> bool:
    """Return True if a word says that something is done, and cannot name a thing: `delete`, `apply`."""
    changes = word_effects("(change)", word) and word not in _NOUNS and not word_effects("(thing)", word)
    return is_grave(word) or bool(changes) or word in _SURELY_CHANGES


def is_grave(word: str) -> bool:
    """Return True if a word says that something is deleted, sent, paid or published, and cannot name a thing."""
    return bool(word_effects("(verb)", word)) and not word_effects("(thing)", word)


def does_more(words: Sequence[str]) -> bool:
    """Return True if a name that begins as a look goes on as a deed: `read_and_burn`, `status_delete`, `log_event`."""
    first = words[0] if words else ""
    joined = any(one in _JOINS and after not in LOOKS for one, after in pairwise(words))
    is_phrase = "_".join(words[:2]) in _PHRASES
    aside = not _ASIDE.isdisjoint(words[1:2]) and first not in _LOOKS_ASIDE
    logs = first == "log" and not LOOKS.issuperset(words)
    closes = first == "resolve" and _RESOLVED.isdisjoint(words)
    return joined or is_phrase or aside or logs or closes or any(map(is_deed, words[1:])) or _ends_in_deed(words)


def _ends_in_deed(words: Sequence[str]) -> bool:
    """Return True if a word that may be a thing is a deed where it stands: `check_approve`, `info_grant_access`."""
    first = words[0] if words else ""
    behind = words[1:] if first in _NAMED else words[1:][-1:]
    return first not in _GETS and any(map(_may_be_deed, behind))


def _may_be_deed(word: str) -> bool:
    return word in _CHANGES or bool(word_effects("(verb)", word) or word_effects("(change)", word))


def reveals(words: Sequence[str]) -> bool:
    """Return True if the name of a tool says that it reveals secrets: `get_secret_value`, `list_env_vars`."""
    name = "_".join(words)
    return names_secret(_FIGURES.sub("", name)) or _ENVIRONMENT.search(name) is not None


def asks_for_secret(field: str) -> bool:
    """Return True if the name of a look's field says that a secret is looked at; a token turns pages or counts."""
    words = words_of(field)
    return names_secret(_TOKENS.sub("", "_".join(words))) or any(one.startswith("decrypt") for one in words)


def is_deed_beside(field: str, *, is_flag: bool) -> bool:
    """Return True if the name of a look's field says that something else is done: `delete`, `thenArchive`.

    `is_flag`: it is only switched on, or holds what would be done, and names nothing that is looked for.
    """
    words = words_of(field)
    first = words[0] if words else ""
    hooks = not _HOOKS.isdisjoint((first, *words[-1:])) or (first == "on" and len(words) > 1) or first == "then"
    flagged = is_flag and (len(words) == 1 or first in _AFTERWARDS) and any(map(_may_be_deed, words))
    hands_on = words[-1:] in (["to"], ["with"]) and _may_be_deed(first)
    return hooks or flagged or hands_on or any(map(is_grave, words))


def chooses(words: Sequence[str]) -> bool:
    """Return True if a tool of this name finds or lists, so that its fields only say what."""
    return not _FILTERS.isdisjoint(words[:1])


def tells(field: str, value: object) -> bool:
    """Return True if a field of a look that chooses nothing says or sets something, or has it done for real."""
    words = words_of(field)
    is_real = words == ["dry", "run"] and value is False
    return is_real or not _TELLS.isdisjoint(words[-1:]) or (words[:1] == ["set"] and len(words) > 1)


def names_people(field: str, value: object) -> bool:
    """Return True if a field says to whom something goes; `to` may as well be a place or a time."""
    words = words_of(field)
    if words[-1:] == ["to"]:
        return any(isinstance(one, str) and _PERSON.fullmatch(one.strip()) for one in _each(value))
    return bool(value) and (not _PEOPLE.isdisjoint(words[-1:]) or words[-2:] in _SHARED_WITH)


def opens_access(field: str, value: object) -> bool:
    """Return True if a field lets more people see or change something: `public`, `role: admin`, `private: false`."""
    words = words_of(field)
    if words[-1:] == ["private"]:
        return value is False
    if words[-1:] == ["public"]:
        return value is True
    given = [one for one in _each(value) if one not in (None, False, "")]
    if words[-1:] in (["role"], ["roles"]):
        return any(isinstance(one, str) and _POWER.search(one) for one in given)
    is_access = not _ACCESS.isdisjoint(words[-1:]) or words[-2:] == ["access", "level"]
    return is_access and not all(isinstance(one, str) and one.lower() in _CLOSED for one in given)


def _each(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
