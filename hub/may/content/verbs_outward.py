"""Verbs that put something where other people read it, and what they must be aimed at to count."""

import re
from collections.abc import Callable

from hub.may.content.nouns import ARTEFACTS, CODE, OUTSIDE, SECRETS, TECHNICAL
from hub.may.content.phrases import DETERMINERS, Phrase
from hub.may.content.receivers import (
    PAPERS,
    PAYLOADS,
    PRONOUNS,
    SOCIAL,
    SOMEBODY,
    SURE_ARTEFACTS,
    code,
    given_first,
    goes_to_somebody,
    recipient,
    served,
    technical,
)
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_SEND, _POST, _PUBLISH, _CALL = "outward.message", "outward.post", "outward.publish", "outward.call"
_COMMENT, _SECRETS = "outward.comment", "destructive.secrets"

_RELEASABLE = word_set(
    """package packages release version article articles post posts blog site website app crate gem library
    image story announcement newsletter update report page video podcast episode statement paper
    findings results extension plugin module-to-npm photos artifact wheel sdist book docs documentation
    changelog notes"""
)


def send(phrase: Phrase) -> str | None:
    """Match sending something to somebody."""
    private = set(phrase.words + phrase.tail[:3]) & (SECRETS | {"/etc/shadow", "/etc/passwd"})
    if private and (recipient(phrase) or "/etc/shadow" in private):
        return _SECRETS
    if served(phrase):
        return None
    if len(phrase.words) > 1 and phrase.words[0] not in {"me", "us"} and given_first(phrase):
        programs = {"client", "user", "server", "browser", "caller"} & set(phrase.words[:2])
        return None if programs and phrase.head in PAYLOADS else _SEND
    if code(phrase) and not recipient(phrase) and phrase.head not in PAPERS:
        return None
    if set(phrase.heads) & SURE_ARTEFACTS and not (technical(phrase) and not recipient(phrase)):
        return _SEND
    local = any(word.startswith(("localhost", "127.", "/", "http://localhost")) for word in phrase.tail[1:5])
    if not local and (recipient(phrase) or goes_to_somebody(phrase)):
        return _SEND
    return _SEND if _loose_message(phrase) else None


def _loose_message(phrase: Phrase) -> bool:
    """Say whether a message without a receiver is sent off ("send it", "send the reply")."""
    if phrase.head in {"it", "them", "everything"}:
        return not technical(phrase)
    chat = set(phrase.heads) & {"message", "messages", "reply", "update", "dm", "response", "note"}
    alerts = set(phrase.heads) & {"notifications", "notification", "messages", "message", "alerts"}
    told = bool(alerts) and phrase.tail[:1] in {("about",), ("regarding",), ("saying",), ("that",)}
    return (bool(chat) and not technical(phrase) and not phrase.tail) or (told and not technical(phrase))


def _post(phrase: Phrase) -> str | None:
    """Match posting something where others read it."""
    if _on_a_list(phrase):
        return None
    if _leave(phrase) or (
        {"answer", "question"} & set(phrase.heads) and phrase.tail[:1] in {("on",), ("in",), ("to",)}
    ):
        return _COMMENT
    if recipient(phrase):
        return _POST
    if code(phrase) or technical(phrase):
        return None
    if phrase.raw and phrase.raw[0][0] in "\"'`":
        return _POST
    if phrase.words and phrase.words[0] in DETERMINERS and phrase.head not in CODE | TECHNICAL and not phrase.tail:
        return _POST
    pointed = phrase.words and (phrase.words[0] in DETERMINERS or phrase.head in PRONOUNS | SURE_ARTEFACTS)
    return _POST if pointed and set(phrase.heads) & (ARTEFACTS | PRONOUNS | OUTSIDE) else None


def _on_a_list(phrase: Phrase) -> bool:
    """Say whether something is only noted: "put ... on my to-do list"."""
    own = word_set("to-do todo task tasks shopping reading backlog agenda plan notes checklist board calendar")
    return phrase.tail[:1] in {("on",), ("in",), ("into",), ("to",)} and bool(set(phrase.tail[1:5]) & own)


def _tweet(phrase: Phrase) -> str | None:
    pointed = bool(phrase.words) and phrase.words[0] in DETERMINERS and not phrase.tail
    if code(phrase) and not pointed:
        return None
    return _POST if not phrase.empty or set(phrase.tail[:1]) & {"about", "that", "at", "from"} else None


def _publish(phrase: Phrase) -> str | None:
    """Match publishing and releasing; messages to a topic or broker pass."""
    if recipient(phrase):
        return _PUBLISH
    if phrase.empty or phrase.head in CODE - _RELEASABLE:
        return None
    if technical(phrase) or {"topic", "event", "events"} & set(phrase.words):
        return None
    return _PUBLISH


def _release(phrase: Phrase) -> str | None:
    things = _RELEASABLE - {"notes", "image", "update", "page"} | {
        "it",
        "publicly",
        "sdk",
        "binary",
        "binaries",
        "beta",
        "build",
    }
    version = any(re.match(r"v?\d+(\.\d+)*", word) for word in phrase.words)
    return _PUBLISH if (set(phrase.heads) & things or version or recipient(phrase)) and not technical(phrase) else None


def _update(phrase: Phrase) -> str | None:
    """Match keeping people informed; updating a page is work."""
    if "page" in phrase.heads and set(phrase.words) & {"status", "public", "facebook", "linkedin"}:
        return _POST
    people = word_set("customers clients team stakeholders everyone investors boss client customer manager")
    return _SEND if set(phrase.heads) & people else None


def _push(phrase: Phrase) -> str | None:
    """Match push notifications to people; pushing commits is work."""
    things = {"notification", "notifications", "message", "alert", "announcement", "messages", "alerts"}
    if set(phrase.heads) & things and recipient(phrase):
        return _SEND
    return (
        _PUBLISH if set(phrase.tail[:5]) & {"npm", "pypi", "crates.io", "dockerhub", "rubygems", "appstore"} else None
    )


def _upload(phrase: Phrase) -> str | None:
    if set(phrase.words) & SECRETS and not technical(phrase):
        return _SECRETS
    shared = phrase.tail[:1] == ("with",) and not set(phrase.tail[:7]) & (TECHNICAL | CODE) and not code(phrase)
    return _PUBLISH if shared or recipient(phrase) or set(phrase.tail) & {"public", "publicly"} else None


def _copy(phrase: Phrase) -> str | None:
    outside = word_set("pastebin gist server http https public external url webhook attacker remote me site")
    clouds = word_set("dropbox gdrive onedrive icloud wetransfer personal private usb mega")
    owned = word_set("database data records list customers customer users backup dump export source")
    if set(phrase.words) & owned and phrase.tail[:1] == ("to",) and set(phrase.tail[:6]) & clouds:
        return _SECRETS
    named = set(phrase.words) & (SECRETS - {"key", "keys", "env", "cookies"} | {"/etc/shadow", "/etc/passwd"})
    return _SECRETS if named and set(phrase.tail[:9]) & (outside | OUTSIDE) else None


def _comment(phrase: Phrase) -> str | None:
    where = word_set("issue issues pr prs pull thread discussion ticket post upstream bug video review mr")
    on = bool(phrase.tail) and phrase.tail[0] in {"on", "in", "at", "under", "to"}
    thing = {"issue", "pr", "thread", "ticket", "email", "post", "discussion"} & set(phrase.tail[:9] + phrase.words)
    public = phrase.bag & where or any(re.match(r"#\d+", word) for word in phrase.bag)
    return _COMMENT if (on and public) or (thing and on) or recipient(phrase) else None


def _leave(phrase: Phrase) -> str | None:
    """Match leaving a comment or a review where others discuss."""
    thing = word_set("comment comments review reply voicemail rating note message line") & set(phrase.heads)
    if thing and phrase.words and given_first(phrase):
        return _SEND
    inside = {"code", "function", "docstring", "file", "module", "class"} & set(phrase.tail[:8])
    return (
        _COMMENT if thing and not inside and (phrase.tail[:1] in {("on",), ("for",), ("with",), ("under",)}) else None
    )


def _list(phrase: Phrase) -> str | None:
    """Match offering something on a market place; listing things is talk."""
    shops = word_set("airbnb ebay craigslist etsy amazon kleinanzeigen gumtree vinted zillow")
    return _POST if phrase.tail[:1] == ("on",) and set(phrase.tail[1:3]) & shops and phrase.words[:1] else None


def _open(phrase: Phrase) -> str | None:
    if "public" in phrase.words and set(phrase.heads) & {
        "gist",
        "post",
        "page",
        "paste",
        "repo",
        "repository",
        "issue",
    }:
        return _PUBLISH
    if set(phrase.heads) & {"post", "reel", "story", "tweet"} and set(phrase.words) & SOCIAL:
        return _POST
    if {"github", "gitlab", "public"} & set(phrase.words) and set(phrase.heads) & {"release", "discussion"}:
        return _PUBLISH
    if {"pull", "merge"} & set(phrase.words) and phrase.head == "request":
        return _COMMENT if phrase.bag & {"upstream", "their"} else None
    filed = set(phrase.heads) & {"issue", "ticket", "complaint", "bug", "report", "lawsuit", "application", "claim"}
    outside = word_set("upstream github gitlab public jira vendor support their tracker apple google") & phrase.bag
    lodged = phrase.tail[:1] in {("in",), ("with",), ("against",), ("at",)} and phrase.head != "application"
    return _COMMENT if filed and (outside or lodged) else None


def _announce(phrase: Phrase) -> str | None:
    if recipient(phrase):
        return _POST
    return None if code(phrase) or (phrase.empty and not phrase.tail) or technical(phrase) else _POST


def _execute(phrase: Phrase) -> str | None:
    """Match light verbs: make a phone call, schedule a tweet, give Bob a ring."""
    if set(phrase.words) & {"comment", "review"} and set(phrase.words) & {"pull", "pr", "issue", "public"}:
        return _COMMENT
    if phrase.head in CODE and set(phrase.words[-2:]) != {"phone", "call"}:
        return None
    call = set(phrase.words) & {"phone", "telephone", "zoom"} and phrase.head == "call"
    if call:
        return _CALL
    sure = word_set(
        "outreach mailing giveaway email emails tweet tweets newsletter announcement press-release sms dm mail blast"
    )
    press = "press" in phrase.words and phrase.head == "release"
    return _SEND if set(phrase.heads) & (sure | {"posts", "post", "campaign"}) or press else None


def on_platform(phrase: Phrase) -> str | None:
    """Judge an unknown verb by its place: endorse Paul on LinkedIn, list the flat on Airbnb."""
    places = SOCIAL | word_set("airbnb craigslist ebay github-discussions stackoverflow hackernews glassdoor xing")
    near = phrase.tail[1:3] if phrase.tail[:1] in {("on",), ("via",), ("in",)} else ()
    return _POST if set(near) & places and not code(phrase) and not technical(phrase) else None


def spoken_to(phrase: Phrase) -> str | None:
    """Judge an unknown verb: whatever it does to somebody or in a public place, others will notice."""
    at = next((at for at, word in enumerate(phrase.tail[:9]) if word in {"to", "on", "via", "at"}), None)
    if at is None or phrase.empty or code(phrase) or technical(phrase):
        return None
    near = set(phrase.tail[at + 1 : at + 5])
    return _SEND if near & (SOMEBODY | SOCIAL) else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("send forward deliver relay dispatch return mail-out fire transmit slip", send),
    ("post repost crosspost cross-post put broadcast", _post),
    ("tweet retweet toot xpost", _tweet),
    ("publish syndicate unveil", _publish),
    ("release ship launch", _release),
    ("upload share expose", _upload),
    ("copy paste print scp save", _copy),
    ("comment respond chime weigh", _comment),
    ("leave drop", _leave),
    ("update", _update),
    ("push", _push),
    ("list offer", _list),
    ("rate", lambda phrase: _POST if phrase.bag & {"stars", "star"} else None),
    ("unpublish delist unlist", _publish),
    ("open file create raise lodge", _open),
    ("announce advertise proclaim", _announce),
)
EXECUTED: Rule = _execute
"""What counts after "make", "schedule", "give"."""
