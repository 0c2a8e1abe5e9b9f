"""Who or what a message goes to: a person, a place outside, or a program."""

import re

from hub.may.content.nouns import CODE, OUTSIDE, PEOPLE, TECHNICAL
from hub.may.content.phrases import ADDRESS, DETERMINERS, Phrase
from hub.may.content.wordlist import word_set

_SITE = re.compile(r"https?:|[\w.-]+\.(?:com|org|net|io|dev|de|co|ru|cn|xyz|app)(?:/|$)")
_NAME = re.compile(r"[A-Z][a-z]{1,20}(?:-[A-Z][a-z]{1,20})?$")
_TO = frozenset(word_set("to with for on in at into via through onto over"))
_NOT_NAMES = word_set(
    """API HTTP SQL The A An All Python Django React Java Rust Go Docker Redis Kafka MQTT JSON Monday
    Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Prometheus Grafana Postgres Linux"""
)
_PROGRAM_USERS = word_set(
    """user users client clients subscriber subscribers host list group author authors contact contacts lead leads
    member members public world customer customers people person support legal finance board editor editors"""
)
_WRITTEN = word_set(
    """note notes doc docs documentation report changelog feedback summary statement article story comment"""
)
SURE_ARTEFACTS = word_set(
    """email emails e-mail e-mails mail mails tweet tweets dm dms sms text texts newsletter newsletters
    invitation invitations invite invites letter letters press-release apology fax postcard campaign
    greeting greetings offer condolences congratulations voicemail complaint rsvp teaser outreach pitch
    announcement announcements blast quote reminder reminders proposal survey resignation invoice
    invoices feedback application thank-you"""
)
SOCIAL = word_set(
    """twitter linkedin facebook instagram tiktok youtube mastodon reddit slack discord whatsapp telegram"""
)
PAYLOADS = word_set(
    """response responses payload payloads token header headers cookie cookies json html xml error errors stream
    chunk chunks packet packets frame frames bytes event events code value values object objects props state ack
    acknowledgement redirect 200 201 204 301 302 304 400 401 403 404 409 418 422 429 500 502 503 null request signal"""
)
PAPERS = word_set(
    """guide docs documentation report tutorial plan plans roadmap analysis audit link links questions question
    estimate estimates feedback review wiki figures stats statistics metrics requirements template proposal-draft
    example examples story stories lesson lessons exercise demo dashboard"""
)
PRONOUNS = frozenset({"it", "them", "this", "that", "these", "those", "everything"})
SOMEBODY = PEOPLE - word_set(
    """user users list group board author authors contact contacts support me us people world person team"""
)


def names(raw: tuple[str, ...]) -> bool:
    """Say whether one of the words, as written, is a person's or a company's name."""
    return any(_NAME.match(word) and word not in _NOT_NAMES and word.upper() != word for word in raw)


def addressed(words: tuple[str, ...], raw: tuple[str, ...]) -> bool:
    """Say whether somebody is named: a person noun, a name, a handle, an address."""
    if any(_SITE.match(word) for word in words):
        return True
    people = any(word in PEOPLE or (word.removesuffix("'s") in PEOPLE and word in PEOPLE) for word in words)
    return (
        people or names(raw) or any(ADDRESS.match(word) or (word.startswith("#") and len(word) > 1) for word in words)
    )


def code(phrase: Phrase) -> bool:
    """Say whether the object is a piece of code rather than something written for people."""
    head = phrase.head
    return (head in CODE and head not in _WRITTEN) or head.endswith("()")


def recipient(phrase: Phrase) -> bool:
    """Say whether the surroundings name people or places outside."""
    tail, raw = phrase.tail[:9], phrase.raw_tail[:9]
    if not set(tail) & _TO:
        return False
    start = next(at for at, word in enumerate(tail) if word in _TO)
    near, near_raw = tail[start + 1 :], raw[start + 1 :]
    near += tuple(part for word in near if "/" in word[1:] for part in word.split("/"))
    outside = OUTSIDE - {"list", "page", "channel"} | (PEOPLE - _PROGRAM_USERS)
    if set(near[:4]) & TECHNICAL and not set(near[:5]) & outside:
        return False
    return bool(set(near) & OUTSIDE) or addressed(near, near_raw)


def technical(phrase: Phrase) -> bool:
    """Say whether the surroundings are programs: a queue, a test, a socket."""
    return bool(set(phrase.tail[:7]) & TECHNICAL) or bool(
        set(phrase.words[:-1]) & {"mqtt", "websocket", "http", "test", "get", "post", "put"}
    )


def given_first(phrase: Phrase) -> bool:
    """Say whether the receiver stands before the thing: "Bob the notes", "the team the meeting notes"."""
    skip = 1 if phrase.words[0] in DETERMINERS else 0
    who = slice(skip, skip + 1)
    return addressed(phrase.words[who], phrase.raw[who]) and set(phrase.words[skip + 1 : skip + 2]) <= DETERMINERS


def served(phrase: Phrase) -> bool:
    """Say whether a program answers a program: a response to the client, a token to the user's browser."""
    near = set(phrase.tail[1:5])
    programs = near & word_set("client clients user users caller callers browser customer subscriber subscribers")
    return bool(programs) and phrase.tail[:1] == ("to",) and bool(set(phrase.heads) & PAYLOADS)


def goes_to_somebody(phrase: Phrase) -> bool:
    """Say whether the receiver, before or after the thing, is anything but a program."""
    near = phrase.tail[1:5]
    if phrase.tail[:1] == ("to",) and near and not set(near) & (TECHNICAL | CODE | {"be", "see", "check", "make"}):
        return True
    first = tuple(word for word in phrase.words if word not in DETERMINERS)[:1]
    if first and ADDRESS.match(first[0]) and first[0][0] not in "+0123456789":
        return True
    many = len(phrase.words) > 1
    return many and (bool(set(first) & (PEOPLE - {"me"}) and phrase.head not in CODE) or names(phrase.raw[:1]))
