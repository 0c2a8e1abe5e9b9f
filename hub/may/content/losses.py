"""What hurts when it is gone: the object of a destroying verb, judged by its last noun and its surroundings."""

import re

from hub.may.content.nouns import CODE, GENERIC, LIVE, PLACES_OF_TEXT, QUANTIFIERS, SOFT, STORES
from hub.may.content.phrases import CODE_FILE, PREPOSITIONS, Phrase
from hub.may.content.prose import Token
from hub.may.content.wordlist import word_set

_DATA, _FILES = "destructive.data", "destructive.files"

_WIDE_PATH = re.compile(r"/|~/?|/\w[\w./*-]*|~/\S+|[a-z]:\\?\S*|\*|\.\*|\*\.\*")
_HEAPS = word_set("logs log-files files folders folder directory directories dirs images videos photos documents")
_ACCESS = word_set("key keys token tokens secret secrets credentials certificate certificates")
_KEYS = word_set("api ssh access encryption private signing production master root customer gpg pgp tls ssl licence")
_INSTANCES = word_set("instance instances node nodes content contents state stack tree handle object")
_TEST_SNAPSHOTS = word_set("test tests jest vitest failing obsolete component ui stale inline storybook playwright")
_PERSONAL = word_set(
    """downloads documents desktop photos uploads pictures archive inbox music projects home my personal
    user's family private /home user customer client employee company"""
)
_MADE_UP = word_set("test mock dummy fake sample unused missing invalid null nan duplicate duplicated cached")
_BROKERS = word_set("kafka rabbitmq elasticsearch opensearch pubsub sqs sns kinesis solr lambda cloud azure iam")
STORED = word_set(
    """database databases table tables data records rows accounts users customers backups snapshots branch branches
    buckets history tenant tenants namespace namespaces collection collections repo repository documents photos
    volume volumes deployments stack infrastructure environment environments"""
)
MACHINES = word_set(
    """server servers machine machines computer host hosts system cluster clusters production prod instance
    instances vm vms node nodes laptop box everything site website database databases service services
    network datacenter router infrastructure workstation pc container containers pods nas"""
)
TRULY_HARMLESS = word_set(
    """mutant mutants bug bugs flake flakiness process-list whitespace lint ambiguity doubt doubts cache
    caches cached warning warnings todo todos time buffer screen terminal cursor cookie-banner typo
    typos noise flicker latency argument arguments cat zombies dev-server watcher server-in-test
    build-cache console selection canvas form forms board state-in-test clipboard queue-in-test
    bottleneck bottlenecks artefact artefacts artifact artifacts"""
)
PRONOUNS = frozenset({"it", "them", "those", "these", "that", "this"})


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
    if head in _ACCESS and words & (_KEYS | QUANTIFIERS) and not words & SOFT:
        return True
    if not _singular_known(head, GENERIC) or words & SOFT:
        return False
    if head in _HEAPS and len(words) > 1 and not words - {head} & CODE:
        return True
    many = bool(words & QUANTIFIERS) or bool(words & (_PERSONAL | LIVE)) or bool(set(phrase.tail[:4]) & LIVE)
    return many or any(_WIDE_PATH.fullmatch(word) for word in phrase.tail[:4])


def text_place(phrase: Phrase) -> bool:
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
    edited = text_place(phrase) and not live and not spares
    if _valuable(head, words) and not edited:
        return _DATA
    if _generic_loss(head, phrase) and not edited:
        return _FILES
    if live or any(_WIDE_PATH.fullmatch(word) for word in phrase.words):
        return _DATA
    if head in PRONOUNS or text_place(phrase):
        return None
    return _DATA if _tail_value(phrase) or (strong and not words & SOFT) else None


def _part_of_code(head: str, phrase: Phrase) -> bool:
    """Say whether a word of two meanings means code or a branch without use: a chart instance, a merged branch."""
    others = {word for word in phrase.words if word != head}
    if head in {"branch", "branches"}:
        return "merged" in others and not others & {"remote", "un-merged", "all"}
    return head in _INSTANCES and bool(others & (CODE - {"test", "tests", "demo", "name", "names"}))


def _hosted(head: str, phrase: Phrase) -> bool:
    """Say whether a word of code means a thing in the cloud: a Kafka topic, Lambda functions."""
    kinds = word_set(
        "topic topics index indexes indices queue queues stream streams function functions rule rules role roles"
    )
    kind = head in kinds or (head == phrase.head and kinds & set(phrase.words))
    return bool(kind and set(phrase.words) & _BROKERS) and not text_place(phrase)


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
        if coded or head in TRULY_HARMLESS or head.endswith("()"):
            continue
        rule = _loss_of(head, phrase, strong=strong)
        if rule:
            return rule
    return None


def is_text(word: Token) -> bool:
    """Say whether a word speaks of code, text or litter, whose deletion is ordinary work."""
    text = word.text
    return text in CODE | SOFT | PLACES_OF_TEXT | TRULY_HARMLESS or CODE_FILE.fullmatch(text) is not None


def strong(phrase: Phrase) -> str | None:
    """Judge the object of a verb that is always meant: everything but code and litter counts."""
    return loss(phrase, strong=True)


def weak(phrase: Phrase) -> str | None:
    """Judge the object of a verb that is also used for editing: only what is known to be of value counts."""
    return loss(phrase, strong=False)
