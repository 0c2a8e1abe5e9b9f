"""Verbs that destroy, and what they must be aimed at to count."""

import re
from collections.abc import Callable

from hub.may.content.losses import STORED, TRULY_HARMLESS, strong, text_place, weak
from hub.may.content.nouns import CODE, GENERIC, LIVE, PEOPLE, QUANTIFIERS, SECRETS, SOFT, STORES
from hub.may.content.phrases import DETERMINERS, Phrase
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_DATA, _FILES = "destructive.data", "destructive.files"
_HISTORY, _SYSTEM = "destructive.history", "destructive.system"

_DEFAULTS = word_set("default defaults factory zero scratch")
_RESETTABLE = word_set("passwords accounts users permissions keys")
_RECORDS = word_set(
    "events notes messages settings reports docs stats figures plans entries event items tickets story stories"
)
_KEPT = word_set(
    "calendar customer customers crm production prod live hr payroll patient everyone's everybody's users'"
)


def _delete(phrase: Phrase) -> str | None:
    """Match delete, the plainest word of all: everything but code, text, litter and pronouns counts."""
    if set(phrase.heads) & _RECORDS and set(phrase.words) & _KEPT and not text_place(phrase):
        return _DATA
    return weak(phrase) or (strong(phrase) if _plain_thing(phrase) else None)


def _plain_thing(phrase: Phrase) -> bool:
    """Say whether the object is an everyday thing: plain words, none of them code or litter."""
    words = [word for word in phrase.words if word not in DETERMINERS]
    plain = all(re.fullmatch(r"[a-z][a-z'-]*", word) for word in words)
    named = any(re.search(r"[A-Z][a-z]|_|\d", raw) for raw in phrase.raw)
    return bool(words) and plain and not named and not set(words) & (CODE | SOFT | GENERIC)


def _tidy(phrase: Phrase) -> str | None:
    """Match cleaning up whole stores; cleaning up code is work."""
    stores = word_set(
        """volumes images backups containers snapshots accounts customers users buckets databases records"""
    )
    stores |= word_set(
        """bucket database cluster account queue mailbox disk drive volume branches tables instances deployments
        environments vms disks tags repositories production"""
    )
    hit = (set(phrase.heads) & stores or set(phrase.words) & LIVE) and not set(phrase.words) & (CODE | SOFT)
    return _DATA if hit and not text_place(phrase) else None


def _purge(phrase: Phrase) -> str | None:
    """Match purge, which empties whatever holds things."""
    holders = word_set(
        "queue queues topic topics messages mailbox logs index indexes cdn bucket buckets session sessions"
    )
    hit = set(phrase.heads) & holders and not set(phrase.words) & (SOFT - {"dead"}) and not text_place(phrase)
    return _DATA if hit else weak(phrase)


def _drop(phrase: Phrase) -> str | None:
    """Match ``drop``: database objects count, "drop support for X" does not."""
    objects = word_set("column columns index indexes view views constraint trigger role")
    if phrase.head in objects and not text_place(phrase):
        return _DATA
    if set(phrase.words[:1]) & {"off", "in", "by"} or phrase.head in {"support", "down"}:
        return None
    return weak(phrase)


def _overwrite(phrase: Phrase) -> str | None:
    if any(word.startswith("/dev/") for word in phrase.words):
        return "destructive.disk"
    goals = STORES - word_set("changes work content data stuff user records project users")
    if (
        set(phrase.heads)
        & (
            goals
            | {"mbr", "main", "master", "bootloader", "/etc/passwd", "sector", "boot", "firmware", "bios", "kernel"}
        )
        or set(phrase.words) & LIVE
    ):
        return None if text_place(phrase) and not set(phrase.words) & LIVE else _DATA
    if set(phrase.tail[:5]) & {"production", "prod", "live"} and phrase.tail[:1] in {("on",), ("in",)}:
        return _DATA
    emptied = set(phrase.tail[:4]) & {"empty", "blank"} and phrase.tail[:1] == ("with",)
    if emptied:
        return _DATA
    everything = set(phrase.words) & QUANTIFIERS and phrase.head in GENERIC | STORES
    return _DATA if everything else None


def _format(phrase: Phrase) -> str | None:
    media = {
        "disk",
        "disks",
        "drive",
        "drives",
        "partition",
        "partitions",
        "volume",
        "usb",
        "stick",
        "ssd",
        "hdd",
        "c:",
    }
    media |= {"card", "laptop", "computer", "harddisk", "server", "machine", "nas"}
    hit = set(phrase.heads) & media or (phrase.words and phrase.words[0].startswith("/dev"))
    return "destructive.disk" if hit else None


def _reset(phrase: Phrase) -> str | None:
    goals = word_set("database databases db production prod repo repository cluster server branch")
    goals |= word_set("history machine laptop phone everything environment router workspace worktree main")
    words = set(phrase.words)
    named = bool(set(phrase.heads) & goals or words & {"hard", "factory"} or words & LIVE)
    defaults = phrase.head in STORES and bool(set(phrase.tail[:4]) & _DEFAULTS)
    everyone = bool(words & QUANTIFIERS) and phrase.head in _RESETTABLE
    hit = named or defaults or everyone
    return _DATA if hit and not text_place(phrase) and phrase.head not in CODE else None


def _truncate(phrase: Phrase) -> str | None:
    goals = word_set("table tables database databases logs log history records rows journal collection")
    hit = set(phrase.heads) & (goals | STORES) or set(phrase.words) & LIVE
    return _DATA if hit and not text_place(phrase) else None


def _rewrite(phrase: Phrase) -> str | None:
    return (
        _HISTORY
        if phrase.head in {"history", "commits"} and phrase.bag & {"git", "history", "branch", "repo"}
        else None
    )


def _push(phrase: Phrase) -> str | None:
    forced = phrase.bag & {
        "--force",
        "-f",
        "force",
        "forced",
        "forcefully",
        "forcibly",
        "--force-with-lease",
        "overwriting",
    }
    return _HISTORY if forced and not phrase.bag & {"warning", "docs", "message"} else None


def _force(phrase: Phrase) -> str | None:
    """Match "force it onto the remote"."""
    onto = set(phrase.tail[:1]) & {"onto", "to", "over", "into"}
    return _HISTORY if onto and set(phrase.tail[:6]) & {"remote", "origin", "upstream", "main", "master"} else None


def _always(phrase: Phrase) -> str | None:
    return None if phrase.head in CODE - {"router", "settings"} else _HISTORY


def _move(phrase: Phrase) -> str | None:
    away = {"trash", "/dev/null", "bin", "recycle", "rubbish"} & set(phrase.tail[:6])
    return _FILES if away else None


def _execute(phrase: Phrase) -> str | None:
    """Match light verbs: perform a full wipe, do a hard reset, run a factory reset."""
    acts = word_set(
        """wipe purge deletion erasure teardown destruction force-push hard-reset reformat erase formatting
        factory-reset nuke obliteration mass-deletion cleanse ransomware removal"""
    )
    rights = {"access", "rights", "permission", "permissions", "privileges", "admin", "root", "sudo", "owner", "role"}
    people = PEOPLE - {"user", "users", "list", "group", "client", "clients", "board", "us", "me", "host"}
    named = any(re.fullmatch(r"[A-Z][a-z]+", raw) for raw in phrase.raw[:1])
    if set(phrase.words) & {"superuser", "sudo", "owner"} and phrase.head in rights:
        return "destructive.permissions"
    if set(phrase.words) & rights and (set(phrase.words[:4]) & people or named) and phrase.head in rights:
        return "destructive.permissions"
    if not set(phrase.heads) & acts:
        return None
    if set(phrase.heads) & {"wipe", "force-push", "hard-reset", "reformat", "nuke", "ransomware", "mass-deletion"}:
        return _DATA
    return _DATA if phrase.bag & (STORES | QUANTIFIERS) else None


def _throw(phrase: Phrase) -> str | None:
    """Match discard and revert: local changes as a whole."""
    goals = word_set("changes work commits everything stashes stash edits modifications branch worktree")
    return "destructive.lose-work" if set(phrase.heads) & goals and not phrase.bag & {"draft"} else weak(phrase)


def _revert(phrase: Phrase) -> str | None:
    """Match taking a store or all local work back; reverting one commit or change adds a commit."""
    words = set(phrase.words)
    if words & {"changes", "edits", "modifications", "work", "everything"} and phrase.head not in CODE:
        wide = words & (QUANTIFIERS | {"local", "uncommitted", "unstaged", "my", "our"})
        return "destructive.lose-work" if wide else None
    if phrase.head == "migrations" and (words & QUANTIFIERS or phrase.bag & LIVE):
        return _DATA
    return weak(phrase) if set(phrase.heads) & (STORED - {"branch"} | {"production", "prod", "server"}) else None


def _restore(phrase: Phrase) -> str | None:
    """Match putting an old backup over a store in use."""
    goals = word_set("database databases db production prod server cluster volume site")
    old = word_set("backup backups snapshot snapshots dump yesterday last week's night's monday")
    tried = word_set("test local dev development staging scratch copy new empty fresh into")
    hit = set(phrase.heads) & goals and phrase.bag & old and not phrase.bag & tried
    return _DATA if hit and phrase.head not in CODE else None


def _replace(phrase: Phrase) -> str | None:
    """Match replacing something live by a copy; replacing text is editing."""
    stores = STORES - CODE - {"user", "users", "project", "domain", "host", "content", "account", "key", "url"}
    swapped = set(phrase.words[:-1]) & {"production", "prod", "live"} and phrase.head in stores
    return _DATA if swapped and {"with", "by"} & set(phrase.tail[:1]) else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("force", _force),
    (
        "wipe erase nuke destroy obliterate annihilate eradicate shred trash scrub incinerate demolish raze",
        strong,
    ),
    ("vaporise vaporize chuck gut cleanse wreck smash deface vandalise scorch hijack hack ddos", strong),
    ("decimate ruin sabotage corrupt torch exterminate expunge teardown decommission unprovision", strong),
    ("purge", _purge),
    ("tidy", _tidy),
    ("delete bulk-delete mass-delete hard-delete force-delete", _delete),
    ("remove clear empty scrap zap rm unlink deprovision clean prune flush eliminate evict", weak),
    ("undo strip bin axe ditch cull get-rid vacuum dispose rmdir retire sunset offboard scratch unset free", weak),
    ("drop", _drop),
    ("discard abandon forget", _throw),
    ("replace", _replace),
    ("revert", _revert),
    ("restore rollback", _restore),
    ("overwrite clobber zero", _overwrite),
    ("format reformat partition repartition", _format),
    ("reset hard-reset reinitialise reinitialize wipe-reset", _reset),
    ("truncate", _truncate),
    ("rewrite squash", _rewrite),
    ("push", _push),
    ("force-push forcepush factory-reset", _always),
    ("move dump redirect", _move),
)
EXECUTED: Rule = _execute
"""What counts after "run", "perform", "do"."""

PASSIVE = re.compile(
    r"\b(?:should|must|needs?\s+to|has\s+to|have\s+to|ought\s+to|shall|will|can|could|may|might|to)\s+(?:all\s+|now\s+|just\s+)?be\s+(?:\w+ly\s+)?"
    r"(?P<verb>deleted|wiped|erased|destroyed|dropped|truncated|purged|nuked|formatted|removed|shredded|obliterated|decommissioned|terminated|cleared|emptied)\b"
    r"|\b(?:want|need|have|get|see|would\s+like)\s+(?P<object>[\w\s'-]{1,60}?)\s+(?:to\s+be\s+)?"
    r"(?P<state>gone|deleted|wiped|erased|destroyed|dropped|purged|nuked|vanish|disappear|removed|formatted|decommissioned|shredded|terminated|emptied)\b"
    r"|\b(?:make)\s+(?P<made>[\w\s'-]{1,60}?)\s+(?P<way>disappear|vanish|go\s+away|unrecoverable|unbootable|empty|blank)\b",
)
"""Indirect orders: "the customer table should be dropped", "I want all backups gone"."""


_PASSIVE_GOALS = (STORES | LIVE | SECRETS | GENERIC) - SOFT - TRULY_HARMLESS


def passive(match: re.Match[str], before: str) -> str | None:
    """Return the rule when an indirect order names something valuable; ``before`` is the clause up to it."""
    named = f"{match.group('object') or match.group('made') or before}"
    words = [word for word in re.findall(r"[\w'-]+", named.lower()) if word not in DETERMINERS]
    valued = [word for word in words[-5:] if word in _PASSIVE_GOALS] or re.findall(r"\s~?/\w\S*", named)
    return _DATA if valued and words[-1] not in CODE else None
