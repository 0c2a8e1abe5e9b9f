"""Verbs whose object is a person: telling, asking, answering, calling, handing over."""

import re
from collections.abc import Callable

from hub.may.content.nouns import ARTEFACTS, CODE, OUTSIDE, PEOPLE, TECHNICAL
from hub.may.content.phrases import DETERMINERS, Phrase
from hub.may.content.receivers import (
    PAPERS,
    PRONOUNS,
    SOCIAL,
    addressed,
    code,
    given_first,
    names,
    recipient,
    served,
    technical,
)
from hub.may.content.verbs_outward import send
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_SEND, _CALL = "outward.message", "outward.call"

_OUTSIDERS = word_set(
    """customer customers client clients vendor vendors supplier suppliers press investor investors authorities police
    landlord journalist journalists partner partners maintainer maintainers upstream regulator regulators lawyer
    accountant bank insurance shareholders donors sponsors candidate candidates apple google microsoft amazon stripe
    github support government board"""
)


def _to_person(phrase: Phrase) -> str | None:
    """Match verbs whose object is the person: email Bob, text mom, notify all users."""
    if phrase.empty:
        return _SEND if recipient(phrase) else None
    if given_first(phrase):
        return _SEND
    if code(phrase) and not recipient(phrase) and phrase.head not in PEOPLE:
        return None
    words = tuple(word for word in phrase.words if word not in DETERMINERS)
    if (addressed(words, phrase.raw) and phrase.head not in CODE - PEOPLE) or recipient(phrase):
        return _SEND
    return (
        _SEND
        if phrase.words[0] in DETERMINERS and not technical(phrase) and phrase.head not in CODE | TECHNICAL
        else None
    )


def _mail(phrase: Phrase) -> str | None:
    """Match mailing something or somebody; "mail it" needs no receiver."""
    return _SEND if set(phrase.words[:1]) & PRONOUNS and not technical(phrase) else _to_person(phrase)


def _notify(phrase: Phrase) -> str | None:
    """Match telling people; telling the asker, or listeners in the code, passes."""
    if phrase.words[:1] in {("me",), ("us",)}:
        return None
    if technical(phrase) and set(phrase.heads) & {"subscribers", "users", "user", "clients", "client", "subscriber"}:
        return None
    inner = word_set("handler listener observers listeners process thread worker watchers user ui")
    if set(phrase.heads) & inner and not recipient(phrase) and "all" not in phrase.words:
        return None
    return _SEND if addressed(phrase.words, phrase.raw) or recipient(phrase) else None


def _speak(phrase: Phrase) -> str | None:
    """Match verbs whose listener follows "to" or "with": apologise to the client, chat with Bob."""
    if code(phrase) or phrase.tail[:1] not in {("to",), ("with",)}:
        return None
    heard = phrase.tail[1:6]
    return _SEND if set(heard) & (PEOPLE - {"list", "user", "users", "group"}) or names(phrase.raw_tail[1:4]) else None


def _tell_outsiders(phrase: Phrase) -> str | None:
    """Match words of talk aimed at people outside: report the bug to the vendor, explain the delay to the client."""
    if "to" not in phrase.tail[:6] or phrase.tail[:1] == ("how",):
        return None
    at = phrase.tail.index("to")
    outside = _OUTSIDERS | SOCIAL | {"authority", "ombudsman", "department", "office"}
    return _SEND if set(phrase.tail[at + 1 : at + 6]) & outside and not technical(phrase) else None


def _hand(phrase: Phrase) -> str | None:
    """Match handing something to a person: pass it to legal, hand the report in to the authorities."""
    if phrase.empty or served(phrase) or not recipient(phrase) or (code(phrase) and phrase.head not in PAPERS):
        return None
    return _SEND if "to" in phrase.tail[:3] else None


def _ask_from(phrase: Phrase) -> str | None:
    """Match requesting something from somebody; requesting data from a server is work."""
    at = phrase.tail.index("from") if "from" in phrase.tail[:6] else None
    if at is None:
        return None
    near, raw = phrase.tail[at + 1 : at + 5], phrase.raw_tail[at + 1 : at + 3]
    people = PEOPLE - {"user", "users", "client", "list", "group", "host", "us", "me"}
    return _SEND if set(near) & people or names(raw) or "IT" in raw else None


def _introduce(phrase: Phrase) -> str | None:
    known = names(phrase.raw[:1]) or set(phrase.words[:2]) & PEOPLE
    return _SEND if known and phrase.tail[:1] == ("to",) and not technical(phrase) else None


def _accept(phrase: Phrase) -> str | None:
    """Match answering an invitation or an offer."""
    things = word_set(
        """invitation invitations invite invites offer offers proposal appointment bid quote counteroffer"""
    )
    things |= word_set("applicant candidate meeting rsvp referral connection")
    return _SEND if set(phrase.heads) & things and not code(phrase) else None


def _confirm(phrase: Phrase) -> str | None:
    """Match confirming something with somebody; confirming that tests pass is work."""
    if phrase.tail[:1] and phrase.tail[0] in {"is", "are", "was", "were", "has", "that", "by"}:
        return None
    things = word_set("appointment attendance reservation invitation participation booking interview slot")
    sure = set(phrase.heads) & things and not code(phrase)
    with_whom = phrase.tail[:1] in {("with",), ("to",)} and set(phrase.tail[1:5]) & (PEOPLE - {"user", "users", "list"})
    named = phrase.tail[:1] in {("with",), ("to",)} and names(phrase.raw_tail[1:3])
    return _SEND if sure or with_whom or named else None


def _follow(phrase: Phrase) -> str | None:
    """Match following up with somebody."""
    near, raw = phrase.tail[:10], phrase.raw_tail[:10]
    at = near.index("with") if "with" in near else len(near)
    return _SEND if set(near[at + 1 : at + 5]) & PEOPLE or names(raw[at + 1 : at + 4]) else None


def _call(phrase: Phrase) -> str | None:
    if phrase.head in {"support", "service", "hotline"} and set(phrase.words) & {"customer", "tech", "technical", "it"}:
        return _CALL
    if phrase.empty or phrase.head in CODE | TECHNICAL or re.search(r"[_().]|^[a-z]+[A-Z]", phrase.raw[-1]):
        return None
    number = any(re.match(r"\+?\d[\d-]{5,}|911|112|110", word) for word in phrase.words)
    people = PEOPLE - {"list", "group", "board", "it", "company-class"}
    if all(re.fullmatch(r"\+?\d[\d-]*", word) for word in phrase.words):
        return _CALL
    if phrase.words[0] in {"a", "an", "me"} | DETERMINERS and len(phrase.words) > 1 and "with" not in phrase.tail[:1]:
        return _CALL
    return (
        _CALL
        if number
        or set(phrase.heads) & people
        or (names(phrase.raw[:2]) and len(phrase.words) < len(("first", "last", "title")))
        else None
    )


def _submit(phrase: Phrase) -> str | None:
    """Match handing papers in: claims, returns, applications, papers."""
    papers = word_set(
        """expense tax vat claim application proposal bid return timesheet rfp grant complaint manuscript"""
    )
    papers |= word_set("paper abstract talk cfp tender declaration entry")
    handed = set(phrase.words) & papers and phrase.words[-1:] != ("form",) and not technical(phrase)
    return _SEND if handed else send(phrase)


def _apply_for(phrase: Phrase) -> str | None:
    """Match applying for something; applying a patch is work."""
    goals = word_set(
        """job position role grant loan visa mortgage program programme accelerator membership permit card"""
    )
    wanted = phrase.empty and phrase.tail[:1] == ("for",) and set(phrase.tail[:6]) & goals
    return _SEND if wanted else None


def _to_others(phrase: Phrase) -> bool:
    """Say whether an answer has a receiver beside the person who asked ("reply with X to the customer")."""
    places = word_set("thread discussion issue ticket channel review comments email")
    others = PEOPLE - {"me", "us", "list"}
    to = phrase.tail.index("to") if "to" in phrase.tail else len(phrase.tail)
    beyond = phrase.tail[to + 1 : to + 6]
    return bool(set(phrase.tail[:5]) & (places | (OUTSIDE - {"list", "internet"}))) or bool(set(beyond) & others)


def _reply(phrase: Phrase) -> str | None:
    """Match answering somebody; answering with a list, or a request with a status code, passes."""
    if any(word.endswith("'s") and word[:-2] in PEOPLE - {"user"} for word in phrase.words):
        return _SEND
    if phrase.tail[:1] == ("from",) and set(phrase.tail[1:5]) & PEOPLE:
        return _SEND
    if code(phrase) or phrase.bag & {"http", "json", "404", "200", "status", "handler", "endpoint"}:
        return None
    if phrase.empty and phrase.tail[:1] in {("with",), ("in",)} and not _to_others(phrase):
        return None
    if phrase.words[:1] == ("all",) or (
        phrase.words and phrase.words[0] in DETERMINERS and phrase.head not in TECHNICAL
    ):
        return _SEND
    goals = (
        ARTEFACTS
        | PEOPLE
        | {"discussion"}
        | word_set("rfp tender ad listing complaint complaints invitation posting applicants")
        | word_set("issue review thread ticket inquiry question inquiries pr tickets requests request")
    )
    return _SEND if phrase.bag & goals or names(phrase.raw[:1]) or addressed(phrase.tail, phrase.raw_tail) else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    (
        "text message dm sms contact ping write-to whatsapp slack imessage fax skype invite",
        _to_person,
    ),
    ("email e-mail mail", _mail),
    ("apologise apologize chat talk speak", _speak),
    (
        """notify alert inform tell ask remind thank congratulate warn advise nudge poke invite-all brief chase
        page hassle welcome greet wish approach consult interview survey pester badger alert-all summon lobby
        counsel reassure""",
        _notify,
    ),
    ("call phone dial telephone ring facetime", _call),
    ("reply respond answer", _reply),
    ("report explain present propose suggest recommend pitch disclose justify escalate demonstrate", _tell_outsiders),
    ("hand pass escort bring surrender turn-in", _hand),
    ("submit", _submit),
    ("apply", _apply_for),
    ("request", _ask_from),
    ("connect", lambda phrase: _speak(phrase) if phrase.tail[:1] == ("with",) else None),
    ("introduce", _introduce),
    ("accept decline reject turn-down", _accept),
    ("confirm", _confirm),
    ("followup", _follow),
)
