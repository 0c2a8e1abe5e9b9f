"""Verbs that stop, lock or take over systems, switch protection off, or shut people out."""

from collections.abc import Callable

from hub.may.content.losses import MACHINES, STORED, text_place, weak
from hub.may.content.nouns import CODE, DEFENCES, GENERIC, LIVE, QUANTIFIERS, SECRETS, STORES
from hub.may.content.phrases import Phrase
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_DATA, _SYSTEM, _DEFENCE = "destructive.data", "destructive.system", "destructive.defence"


def _kill(phrase: Phrase) -> str | None:
    wide = bool(set(phrase.words) & (QUANTIFIERS | LIVE))
    targets = MACHINES | word_set("process processes jobs sessions connections pods init backups daemon")
    fleet = word_set(
        """instance vm server droplet instances vms servers nodes clusters droplets machines hosts cluster"""
    )
    spare = word_set("test dev local mock development zombie child")
    live = bool(set(phrase.tail[:6]) & {"production", "prod", "live"})
    if ((wide or live) and phrase.head in targets | {"job"}) or (
        phrase.head in fleet and not set(phrase.words) & spare
    ):
        return _SYSTEM
    return weak(phrase) if set(phrase.heads) & STORED else None


def _shutdown(phrase: Phrase) -> str | None:
    if set(phrase.words) & {"test", "dev", "development", "local", "mock", "fake"} and not set(phrase.words) & LIVE:
        return None
    hit = set(phrase.heads) & MACHINES or set(phrase.words) & LIVE
    return _SYSTEM if hit and not text_place(phrase) else None


def _disable(phrase: Phrase) -> str | None:
    """Match switching protection off; a disabled button or lint rule is ordinary work."""
    if set(phrase.words) & QUANTIFIERS and set(phrase.heads) & {"account", "accounts", "users", "logins", "users'"}:
        return _SYSTEM
    if set(phrase.words[:-1]) & {"production", "prod", "live"} and phrase.head not in CODE:
        return _SYSTEM
    live = word_set("server servers production prod instances vms cluster website site database")
    if set(phrase.heads) & live and not set(phrase.words) & {"test", "dev", "local", "mock", "development"}:
        return _SYSTEM if not text_place(phrase) else None
    for at, head in enumerate(phrase.heads):
        if head in DEFENCES or (at == 0 and head in {"checks", "rules", "settings"} and set(phrase.words) & DEFENCES):
            return _DEFENCE
    inner = set(phrase.words[:-1]) & DEFENCES
    if phrase.head == "logging" and phrase.bag & {"audit", "access", "security"}:
        return _DEFENCE
    covers = phrase.head in word_set(
        """system software service protection agent log trail monitoring logging policy jobs job schedule controls
        features mechanism login logins signin sign-in access prompts mode logs filter validation daemon
        verification requirement layer"""
    )
    return _DEFENCE if inner and covers else None


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


def _change(phrase: Phrase) -> str | None:
    """Match changing the passwords that hold a system; changing text is editing."""
    if phrase.head in SECRETS and set(phrase.words) & LIVE:
        return _SYSTEM
    wide = QUANTIFIERS | LIVE | {"root", "admin", "administrator", "master", "everyone's", "owner"}
    return _SYSTEM if phrase.head in {"password", "passwords"} and set(phrase.words) & wide else None


def _mass(phrase: Phrase) -> str | None:
    """Match what is done to all people, sessions or columns at once, and losing or trimming stores."""
    words = set(phrase.words)
    many = word_set(
        "users members accounts sessions tokens employees customers everyone people keys subscribers traffic"
    )
    if words & QUANTIFIERS and (set(phrase.heads) | set(phrase.words[1:2])) & many and not text_place(phrase):
        return _SYSTEM
    stores = word_set("table changes database records rows column backups")
    if phrase.head == "branch" and words & {"main", "master", "release"}:
        return _SYSTEM
    cut = set(phrase.heads) & stores and words & {
        "user",
        "uncommitted",
        "local",
        "customer",
        "production",
        "live",
        "email",
    }
    return _DATA if cut and not text_place(phrase) else None


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
    return (
        _SYSTEM if set(phrase.heads) & owned and phrase.tail[:1] == ("to",) and set(phrase.tail[:6]) & taken else None
    )


def _cancel(phrase: Phrase) -> str | None:
    wide = set(phrase.words) & QUANTIFIERS and phrase.head in {
        "jobs",
        "processes",
        "pipelines",
        "deployments",
        "orders",
    }
    return _SYSTEM if wide else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("cancel abort", _cancel),
    ("kill terminate", _kill),
    ("stop", lambda phrase: _shutdown(phrase) or _disable(phrase)),
    ("drain cordon evacuate", lambda phrase: _SYSTEM if set(phrase.heads) & MACHINES else None),
    ("change rotate", _change),
    ("block kick ban expel mark expire lose nullify trim unsubscribe-all lock", _mass),
    ("rename regenerate detach unplug swap archive", _live_store),
    ("transfer", _hand_over),
    ("shutdown halt reboot poweroff brick crash suspend", _shutdown),
    ("disable deactivate bypass circumvent suppress override", _disable),
    (
        "mine",
        lambda phrase: _SYSTEM if phrase.bag & word_set("crypto bitcoin monero coins cryptocurrency btc") else None,
    ),
    ("revoke", _revoke),
    ("leak exfiltrate steal dump-secrets", _leak),
    ("inject plant deploy install", _attack),
    ("encrypt", _encrypt),
    ("uninstall", _uninstall),
)
