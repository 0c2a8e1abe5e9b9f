"""Verbs that destroy, and what they must be aimed at to count."""

import re
from collections.abc import Callable

from hub.may.content.nouns import CODE, DEFENCES, GENERIC, LIVE, PEOPLE, PLACES_OF_TEXT, QUANTIFIERS, SECRETS, SOFT, STORES
from hub.may.content.phrases import CODE_FILE, DETERMINERS, PREPOSITIONS, Phrase
from hub.may.content.prose import Token
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_DATA, _FILES = "destructive.data", "destructive.files"
_HISTORY, _SYSTEM, _DEFENCE = "destructive.history", "destructive.system", "destructive.defence"
_WIDE_PATH = re.compile(r"/|~/?|/\w[\w./*-]*|~/\S+|[a-z]:\\?\S*|\*|\.\*|\*\.\*")
_PRONOUNS = frozenset({"it", "them", "those", "these", "that", "this"})
_TRULY_HARMLESS = word_set(
    """mutant mutants bug bugs flake flakiness process-list whitespace lint ambiguity doubt doubts cache
    caches cached warning warnings todo todos time buffer screen terminal cursor cookie-banner typo
    typos noise flicker latency argument arguments cat zombies dev-server watcher server-in-test
    build-cache console selection canvas form forms board state-in-test clipboard queue-in-test
    bottleneck bottlenecks artefact artefacts artifact artifacts"""
)
_HEAPS = word_set("logs log-files files folders folder directory directories dirs images videos photos documents")
_RECORDS = word_set("events notes messages settings reports docs stats figures plans entries event items tickets story stories")
_KEPT = word_set("calendar customer customers crm production prod live hr payroll patient everyone's everybody's users'")
_KEYS = word_set("api ssh access encryption private signing production master root customer gpg pgp tls ssl licence")
_STORED = word_set(
    """database databases table tables data records rows accounts users customers backups snapshots branch branches
    buckets history tenant tenants namespace namespaces collection collections repo repository documents photos
    volume volumes deployments stack infrastructure environment environments"""
)
_INSTANCES = word_set("instance instances node nodes content contents state stack tree handle object")
_TEST_SNAPSHOTS = word_set("test tests jest vitest failing obsolete component ui stale inline storybook playwright")
_MACHINES = word_set(
    """server servers machine machines computer host hosts system cluster clusters production prod instance
    instances vm vms node nodes laptop box everything site website database databases service services
    network datacenter router infrastructure workstation pc container containers pods nas"""
)
_PERSONAL = word_set(
    """downloads documents desktop photos uploads pictures archive inbox music projects home my personal
    user's family private /home user customer client employee company"""
)
_POINTED = word_set("the its our their his her this these those")
_MADE_UP = word_set("test mock dummy fake sample unused missing invalid null nan duplicate duplicated cached")


def _singular_known(word: str, known: frozenset[str]) -> bool:
    """Say whether ``word`` is known, also as the last part of a compound ("customer-records", "users_db")."""
    if word in known:
        return True
    parts = re.split(r"[-_./]", word)
    return len(parts) > 1 and "." not in word and parts[-1] in known


def _valuable(head: str, words: frozenset[str]) -> bool:
    if head in {"snapshot", "snapshots"}:
        return not words & _TEST_SNAPSHOTS
    return (
        _singular_known(head, STORES)
        and head not in CODE
        and not (words & _MADE_UP and head in {"users", "data", "user", "customers"})
    )


def _generic_loss(head: str, phrase: Phrase) -> bool:
    """Say whether a generic thing (files, logs, images) is hit as a whole or where it hurts."""
    words = frozenset(phrase.words)
    if not _singular_known(head, GENERIC) or words & SOFT:
        return False
    if head in _HEAPS and len(words) > 1 and not words - {head} & CODE:
        return True
    if head in {"key", "keys", "certificate", "certificates"} and words & _KEYS:
        return True
    many = bool(words & QUANTIFIERS) or bool(words & (_PERSONAL | LIVE)) or bool(set(phrase.tail[:4]) & LIVE)
    return many or any(_WIDE_PATH.fullmatch(word) for word in phrase.tail[:4])


def _text_place(phrase: Phrase) -> bool:
    """Say whether the thing is taken out of a text: from the README, in foo.py, but not from the test database."""
    tail = phrase.tail[:8]
    ends = next((at for at, word in enumerate(tail) if at and word in PREPOSITIONS), len(tail))
    if ends and tail[ends - 1] in STORES:
        return False
    return any(word in PLACES_OF_TEXT or CODE_FILE.fullmatch(word) for word in tail)


def _tail_value(phrase: Phrase) -> bool:
    """Say whether the surroundings name something valuable: from the production database."""
    return bool(
        set(phrase.tail[:8]) & (STORES - {"system", "work", "home", "project", "data", "content", "root", "user"})
    )


def _loss_of(head: str, phrase: Phrase, *, strong: bool) -> str | None:
    """Judge one noun of the object; text that is merely edited is no loss unless it is live."""
    words = frozenset(phrase.words)
    live = bool(words & LIVE) or bool(set(phrase.tail[:5]) & {"production", "prod"})
    spares = phrase.tail[:1] in {("except",), ("excluding",), ("but",)}
    edited = _text_place(phrase) and not live and not spares
    if _valuable(head, words) and not edited:
        return _DATA
    if _generic_loss(head, phrase) and not edited:
        return _FILES
    if live or any(_WIDE_PATH.fullmatch(word) for word in phrase.words):
        return _DATA
    if head in _PRONOUNS or _text_place(phrase):
        return None
    return _DATA if _tail_value(phrase) or (strong and not words & SOFT) else None


def _part_of_code(head: str, phrase: Phrase) -> bool:
    """Say whether a word of two meanings means code or a branch that lost its use: a chart instance, a merged branch."""
    others = {word for word in phrase.words if word != head}
    if head in {"branch", "branches"}:
        return "merged" in others and not others & {"remote", "un-merged", "all"}
    return head in _INSTANCES and bool(others & (CODE - {"test", "tests", "demo", "name", "names"}))


def loss(phrase: Phrase, *, strong: bool) -> str | None:
    """Return the rule when removing this object loses something that hurts."""
    if ".git" in phrase.words:
        return "destructive.lose-work"
    for head in phrase.heads if phrase.words else ():
        if _hosted(head, phrase):
            return _DATA
        if head.startswith("/dev/") and head != "/dev/null":
            return "destructive.disk"
        coded = (head in CODE and head not in {"snapshot", "snapshots"}) or _part_of_code(head, phrase)
        if coded or head in _TRULY_HARMLESS or head.endswith("()"):
            continue
        rule = _loss_of(head, phrase, strong=strong)
        if rule:
            return rule
    return None


def is_text(word: Token) -> bool:
    """Say whether a word speaks of code, text or litter, whose deletion is ordinary work."""
    text = word.text
    return text in CODE | SOFT | PLACES_OF_TEXT | _TRULY_HARMLESS or CODE_FILE.fullmatch(text) is not None


def _delete(phrase: Phrase) -> str | None:
    """Match delete, the plainest word of all: everything but code, text, litter and pronouns counts."""
    if set(phrase.heads) & _RECORDS and set(phrase.words) & _KEPT and not _text_place(phrase):
        return _DATA
    return _weak(phrase) or (_strong(phrase) if _plain_thing(phrase) else None)


_BROKERS = word_set("kafka rabbitmq elasticsearch opensearch pubsub sqs sns kinesis solr lambda cloud azure iam")


def _hosted(head: str, phrase: Phrase) -> bool:
    """Say whether a word of code means a thing in the cloud: a Kafka topic, Lambda functions."""
    kinds = word_set("topic topics index indexes indices queue queues stream streams function functions rule rules role roles")
    kind = head in kinds or (head == phrase.head and kinds & set(phrase.words))
    return bool(kind and set(phrase.words) & _BROKERS) and not _text_place(phrase)


def _plain_thing(phrase: Phrase) -> bool:
    """Say whether the object is an everyday thing: plain words, none of them code or litter."""
    words = [word for word in phrase.words if word not in DETERMINERS]
    plain = all(re.fullmatch(r"[a-z][a-z'-]*", word) for word in words)
    named = any(re.search(r"[A-Z][a-z]|_|\d", raw) for raw in phrase.raw)
    return bool(words) and plain and not named and not set(words) & (CODE | SOFT | GENERIC)


def _tidy(phrase: Phrase) -> str | None:
    """Match cleaning up whole stores; cleaning up code is work."""
    stores = word_set("volumes images backups containers snapshots accounts customers users buckets databases records")
    stores |= word_set("branches tables instances deployments environments vms disks tags repositories production")
    hit = (set(phrase.heads) & stores or set(phrase.words) & LIVE) and not set(phrase.words) & (CODE | SOFT)
    return _DATA if hit and not _text_place(phrase) else None


def _purge(phrase: Phrase) -> str | None:
    """Match purge, which empties whatever holds things."""
    holders = word_set("queue queues topic topics messages mailbox logs index indexes cdn bucket buckets session sessions")
    hit = set(phrase.heads) & holders and not set(phrase.words) & (SOFT - {"dead"}) and not _text_place(phrase)
    return _DATA if hit else _weak(phrase)


def _strong(phrase: Phrase) -> str | None:
    return loss(phrase, strong=True)


def _weak(phrase: Phrase) -> str | None:
    return loss(phrase, strong=False)


def _drop(phrase: Phrase) -> str | None:
    """Match ``drop``: database objects count, "drop support for X" does not."""
    objects = word_set("column columns index indexes view views constraint trigger role")
    if phrase.head in objects and not _text_place(phrase):
        return _DATA
    if set(phrase.words[:1]) & {"off", "in", "by"} or phrase.head in {"support", "down"}:
        return None
    return _weak(phrase)


def _kill(phrase: Phrase) -> str | None:
    wide = bool(set(phrase.words) & (QUANTIFIERS | LIVE))
    targets = _MACHINES | word_set("process processes jobs sessions connections pods init backups daemon")
    fleet = word_set("instance vm server droplet instances vms servers nodes clusters droplets machines hosts cluster")
    spare = word_set("test dev local mock development zombie child")
    if (wide and phrase.head in targets) or (phrase.head in fleet and not set(phrase.words) & spare):
        return _SYSTEM
    return _weak(phrase) if set(phrase.heads) & _STORED else None


def _shutdown(phrase: Phrase) -> str | None:
    if set(phrase.words) & {"test", "dev", "development", "local", "mock", "fake"} and not set(phrase.words) & LIVE:
        return None
    hit = set(phrase.heads) & _MACHINES or set(phrase.words) & LIVE
    return _SYSTEM if hit and not _text_place(phrase) else None


def _disable(phrase: Phrase) -> str | None:
    """Match switching protection off; a disabled button or lint rule is ordinary work."""
    if set(phrase.words) & QUANTIFIERS and set(phrase.heads) & {"account", "accounts", "users", "logins", "users'"}:
        return _SYSTEM
    if set(phrase.words[:-1]) & {"production", "prod", "live"} and phrase.head not in CODE:
        return _SYSTEM
    live = word_set("server servers production prod instances vms cluster website site database")
    if set(phrase.heads) & live and not set(phrase.words) & {"test", "dev", "local", "mock", "development"}:
        return _SYSTEM if not _text_place(phrase) else None
    for at, head in enumerate(phrase.heads):
        if head in DEFENCES or (at == 0 and head in {"checks", "rules", "settings"} and set(phrase.words) & DEFENCES):
            return _DEFENCE
    inner = set(phrase.words[:-1]) & DEFENCES
    if phrase.head == "logging" and phrase.bag & {"audit", "access", "security"}:
        return _DEFENCE
    covers = phrase.head in word_set(
        """system software service protection agent log trail monitoring logging policy jobs job schedule controls
        features mechanism login logins signin sign-in access prompts mode logs filter validation daemon verification requirement layer"""
    )
    return _DEFENCE if inner and covers else None


def _overwrite(phrase: Phrase) -> str | None:
    if any(word.startswith("/dev/") for word in phrase.words):
        return "destructive.disk"
    goals = STORES - word_set("changes work content data stuff user records project users")
    if (
        set(phrase.heads)
        & (goals | {"mbr", "main", "master", "bootloader", "/etc/passwd", "sector", "boot", "firmware", "bios", "kernel"})
        or set(phrase.words) & LIVE
    ):
        return None if _text_place(phrase) and not set(phrase.words) & LIVE else _DATA
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
    hit = set(phrase.heads) & goals or {"hard", "factory"} & set(phrase.words) or set(phrase.words) & LIVE
    defaults = phrase.head in STORES and set(phrase.tail[:4]) & {"default", "defaults", "factory", "zero", "scratch"}
    everyone = set(phrase.words) & QUANTIFIERS and phrase.head in {"passwords", "accounts", "users", "permissions", "keys"}
    hit = hit or defaults or everyone
    return _DATA if hit and not _text_place(phrase) and phrase.head not in CODE else None


def _truncate(phrase: Phrase) -> str | None:
    goals = word_set("table tables database databases logs log history records rows journal collection")
    hit = set(phrase.heads) & (goals | STORES) or set(phrase.words) & LIVE
    return _DATA if hit and not _text_place(phrase) else None


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


def _revoke(phrase: Phrase) -> str | None:
    wide = set(phrase.words) & (QUANTIFIERS | LIVE | {"everyone's"})
    return _SYSTEM if wide and phrase.head not in CODE else None


def _leak(phrase: Phrase) -> str | None:
    return "destructive.secrets" if not phrase.empty and phrase.head not in CODE else None


def _attack(phrase: Phrase) -> str | None:
    bad = word_set("malware ransomware backdoor keylogger rootkit virus miner cryptominer worm trojan")
    void = set(phrase.words) & {"empty", "blank", "broken", "corrupt"} and set(phrase.tail[:4]) & LIVE
    return _SYSTEM if set(phrase.heads) & bad or void else None


def _encrypt(phrase: Phrase) -> str | None:
    wide = set(phrase.words) & QUANTIFIERS and set(phrase.heads) & (STORES | GENERIC)
    return _DATA if wide and phrase.bag & {"ransom", "key", "throw", "user", "files", "pay"} else None


def _uninstall(phrase: Phrase) -> str | None:
    system = word_set("python kernel glibc systemd bash libc antivirus everything sudo openssh ssh")
    stores = STORES - CODE - {"project", "changes", "org", "content"}
    return _SYSTEM if set(phrase.heads) & (system | stores) or set(phrase.words) & (LIVE | QUANTIFIERS) else None


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
    return "destructive.lose-work" if set(phrase.heads) & goals and not phrase.bag & {"draft"} else _weak(phrase)


def _revert(phrase: Phrase) -> str | None:
    """Match taking a store or all local work back; reverting one commit or change adds a commit."""
    words = set(phrase.words)
    if words & {"changes", "edits", "modifications", "work", "everything"} and phrase.head not in CODE:
        wide = words & (QUANTIFIERS | {"local", "uncommitted", "unstaged", "my", "our"})
        return "destructive.lose-work" if wide else None
    if phrase.head == "migrations" and (words & QUANTIFIERS or phrase.bag & LIVE):
        return _DATA
    return _weak(phrase) if set(phrase.heads) & (_STORED - {"branch"} | {"production", "prod", "server"}) else None


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


def _change(phrase: Phrase) -> str | None:
    """Match changing the passwords that hold a system; changing text is editing."""
    if phrase.head in SECRETS and set(phrase.words) & LIVE:
        return _SYSTEM
    wide = QUANTIFIERS | LIVE | {"root", "admin", "administrator", "master", "everyone's", "owner"}
    return _SYSTEM if phrase.head in {"password", "passwords"} and set(phrase.words) & wide else None


def _mass(phrase: Phrase) -> str | None:
    """Match what is done to all people, sessions or columns at once, and losing or trimming stores."""
    words = set(phrase.words)
    many = word_set("users members accounts sessions tokens employees customers everyone people keys subscribers traffic")
    if words & QUANTIFIERS and (set(phrase.heads) | set(phrase.words[1:2])) & many and not _text_place(phrase):
        return _SYSTEM
    stores = word_set("table changes database records rows column backups")
    if phrase.head == "branch" and words & {"main", "master", "release"}:
        return _SYSTEM
    cut = set(phrase.heads) & stores and words & {"user", "uncommitted", "local", "customer", "production", "live", "email"}
    return _DATA if cut and not _text_place(phrase) else None


def _live_store(phrase: Phrase) -> str | None:
    """Match renaming, swapping and detaching what runs in production, and archiving whole repositories."""
    words = set(phrase.words)
    stores = (STORES - CODE - {"url", "user"}) | SECRETS
    if phrase.head in {"repository", "repo", "repositories", "repos"} and phrase.tail[:1] != ("in",):
        return _DATA
    live = words & {"production", "prod", "live"} or set(phrase.tail[:4]) & {"production", "prod"}
    if live and set(phrase.heads) & stores:
        return _DATA
    return None


def _hand_over(phrase: Phrase) -> str | None:
    """Match giving a repository, domain or account away."""
    owned = {"repository", "repo", "domain", "domains", "ownership", "account", "project"}
    taken = {"owner", "owners", "account", "organisation", "organization", "org", "user", "registrar", "them", "him"}
    return _SYSTEM if set(phrase.heads) & owned and phrase.tail[:1] == ("to",) and set(phrase.tail[:6]) & taken else None


def _cancel(phrase: Phrase) -> str | None:
    wide = set(phrase.words) & QUANTIFIERS and phrase.head in {"jobs", "processes", "pipelines", "deployments", "orders"}
    return _SYSTEM if wide else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("force", _force),
    (
        "wipe erase nuke destroy obliterate annihilate eradicate shred trash scrub incinerate demolish raze",
        _strong,
    ),
    ("vaporise vaporize chuck gut cleanse wreck smash deface vandalise scorch hijack hack ddos", _strong),
    ("decimate ruin sabotage corrupt torch exterminate expunge teardown decommission unprovision", _strong),
    ("purge", _purge),
    ("tidy", _tidy),
    ("delete bulk-delete mass-delete hard-delete force-delete", _delete),
    ("remove clear empty scrap zap rm unlink deprovision clean prune flush eliminate evict", _weak),
    ("undo strip bin axe ditch cull get-rid vacuum dispose rmdir retire sunset offboard scratch unset free", _weak),
    ("drop", _drop),
    ("discard abandon forget", _throw),
    ("replace", _replace),
    ("cancel abort", _cancel),
    ("revert", _revert),
    ("restore rollback", _restore),
    ("kill terminate", _kill),
    ("stop", lambda phrase: _shutdown(phrase) or _disable(phrase)),
    ("drain cordon evacuate", lambda phrase: _SYSTEM if set(phrase.heads) & _MACHINES else None),
    ("change rotate", _change),
    ("block kick ban expel mark expire lose nullify trim unsubscribe-all lock", _mass),
    ("rename regenerate detach unplug swap archive", _live_store),
    ("transfer", _hand_over),
    ("shutdown halt reboot poweroff brick crash suspend", _shutdown),
    ("disable deactivate bypass circumvent suppress override", _disable),
    ("overwrite clobber zero", _overwrite),
    ("format reformat partition repartition", _format),
    ("mine", lambda phrase: _SYSTEM if phrase.bag & word_set("crypto bitcoin monero coins cryptocurrency btc") else None),
    ("reset hard-reset reinitialise reinitialize wipe-reset", _reset),
    ("truncate", _truncate),
    ("rewrite squash", _rewrite),
    ("push", _push),
    ("force-push forcepush factory-reset", _always),
    ("revoke", _revoke),
    ("leak exfiltrate steal dump-secrets", _leak),
    ("inject plant deploy install", _attack),
    ("encrypt", _encrypt),
    ("uninstall", _uninstall),
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


_PASSIVE_GOALS = (STORES | LIVE | SECRETS | GENERIC) - SOFT - _TRULY_HARMLESS


def passive(match: re.Match[str], before: str) -> str | None:
    """Return the rule when an indirect order names something valuable; ``before`` is the clause up to it."""
    named = f"{match.group('object') or match.group('made') or before}"
    words = [word for word in re.findall(r"[\w'-]+", named.lower()) if word not in DETERMINERS]
    valued = [word for word in words[-5:] if word in _PASSIVE_GOALS] or re.findall(r"\s~?/\w\S*", named)
    return _DATA if valued and words[-1] not in CODE else None
