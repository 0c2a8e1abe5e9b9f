"""Verbs that begin, change or end a contract: subscribe, book, rent, renew, cancel, register."""

import re
from collections.abc import Callable

from hub.may.content.nouns import PEOPLE
from hub.may.content.phrases import DETERMINERS, Phrase
from hub.may.content.verbs_money import PROGRAM_PARTS, is_code
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_BUY = "financial.buy"
_TIERS = word_set("premium paid pro enterprise plan tier year years business+ unlimited")


def _subscribe(phrase: Phrase) -> str | None:
    technical = word_set("topic topics event events queue channel observable stream store feed updates")
    technical |= word_set("signal changes notifications mqtt broker websocket bus rss calendar messages")
    if phrase.money:
        return "financial.subscribe"
    if phrase.bag & technical or is_code(phrase) or any("/" in word or "()" in word for word in phrase.bag):
        return None
    return "financial.subscribe" if not phrase.empty or phrase.tail[:1] in {("to",), ("for",)} else None


def _book(phrase: Phrase) -> str | None:
    goods = word_set("flight flights hotel hotels room train ticket tickets table car taxi trip seat")
    if phrase.bag & {"time", "calendar", "focus"} or not phrase.words:
        return None
    pointed = phrase.words[0] in DETERMINERS | {"me", "us"} and phrase.head not in PROGRAM_PARTS
    if pointed and not is_code(phrase):
        return _BUY
    goods |= word_set(
        """appointment appointments venue desk slot lesson seats apartment airbnb massage uber cab cruise stay
        suite vacation"""
    )
    return _BUY if set(phrase.words) & goods and not is_code(phrase) else None


def _hire(phrase: Phrase) -> str | None:
    """Match renting, leasing and hiring of anything that is not code."""
    return None if phrase.empty or is_code(phrase) else _BUY


def _renew(phrase: Phrase) -> str | None:
    things = word_set("subscription subscriptions license licence domain domains plan membership contract hosting")
    things |= word_set(
        """insurance account trial premium pro tier seats enterprise licenses workspace lease certificate-paid"""
    )
    return (
        "financial.subscribe" if set(phrase.words) & things or phrase.money or set(phrase.tail[:6]) & _TIERS else None
    )


def _switch(phrase: Phrase) -> str | None:
    """Match changing to another paid plan."""
    kinds = word_set("annual yearly paid pro premium enterprise business team starter basic free unlimited")
    near = phrase.tail[1:6] if phrase.tail[:1] == ("to",) else ()
    return "financial.subscribe" if set(near) & kinds and set(phrase.tail) & {"plan", "tier", "version"} else None


def _register(phrase: Phrase) -> str | None:
    """Match registering a domain or a company, or somebody for an event."""
    things = word_set("domain domains trademark company business car patent")
    named = any(re.fullmatch(r"[\w-]+\.(?:com|dev|io|net|org|de|app|ai|co)", word) for word in phrase.words)
    events = word_set("conference webinar workshop course event race meetup exam tournament")
    people = phrase.empty or bool(set(phrase.words[:1]) & (PEOPLE | {"us", "me"}))
    joins = people and phrase.tail[:1] == ("for",) and bool(set(phrase.tail[:6]) & events)
    joins = joins or bool(set(phrase.words[:1]) & {"us", "me"} and phrase.tail[:1] == ("as",))
    return "financial.subscribe" if set(phrase.heads) & things or named or joins else None


def _cancel(phrase: Phrase) -> str | None:
    things = word_set(
        """subscription subscriptions membership insurance order orders licence license licences licenses"""
    )
    things |= word_set("contract contracts booking bookings reservation flight flights appointment trial hotel")
    if phrase.head in {"plan", "plans", "policy", "lease"} and not phrase.tail:
        return "financial.subscribe"
    return "financial.subscribe" if set(phrase.heads) & things and not is_code(phrase) else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("register enter", _register),
    ("subscribe enrol enroll", _subscribe),
    ("switch", _switch),
    ("book reserve", _book),
    ("rent lease hire commission", _hire),
    ("prolong renew downgrade upgrade activate extend", _renew),
    ("cancel", _cancel),
)
