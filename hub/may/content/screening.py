"""Read a prompt in every reading and answer with the first order that must not be carried out."""

from collections.abc import Iterator
from itertools import chain

from hub.may.content import german, idioms, prose_rules, rules_code, rules_files, rules_tools
from hub.may.content.clauses import Guard, Splitter
from hub.may.content.hit import ContentHit, Finding
from hub.may.content.limits import MAX_EXPANDED_CHARS, MAX_NESTING, MAX_SCREENED_CHARS
from hub.may.content.normalise import by_sound, normalise
from hub.may.content.prose import tokenise
from hub.may.content.reasons import REASONS, family_of
from hub.may.content.shell_words import calls
from hub.may.content.views import readings

_PROGRAMS = frozenset(rules_files.RULES) | frozenset(rules_tools.RULES)
_SPLITTER = Splitter(prose_rules.acts)
_EVIDENCE_CHARS_MAX = 160


def _commands(text: str, lowered: str) -> Iterator[Finding]:
    """Yield every dangerous command in ``text``, whether given or only mentioned."""
    yield from rules_code.findings(rules_code.without_sql_comments(lowered))
    for call in calls(text, _PROGRAMS):
        rule = rules_files.check(call) or rules_tools.check(call)
        if rule:
            yield Finding(rule=rule, start=call.start, end=call.end)


def _orders(text: str, depth: int = 0) -> Iterator[Finding]:
    """Yield what ``text`` orders to be done, in one reading."""
    lowered = text.lower()
    clauses = _SPLITTER.split(tokenise(text))
    guard = Guard(clauses)
    carried_out_before = prose_rules.runs_back_from(clauses)
    for finding in _commands(text, lowered):
        if finding.start < carried_out_before or not guard.mentioned(finding.start):
            yield finding
    yield from prose_rules.findings(clauses)
    yield from prose_rules.passives(lowered, guard)
    yield from idioms.findings(lowered, guard)
    yield from german.findings(text)
    if depth < MAX_NESTING:
        for quoted, start in prose_rules.quoted_orders(clauses):
            for finding in _orders(quoted, depth + 1):
                yield Finding(rule=finding.rule, start=start, end=start + len(quoted))


def _sounded(text: str, plain: str) -> Iterator[str]:
    """Yield the reading of foreign letters by their sound, if it is another one."""
    sounded = by_sound(text)
    if sounded != plain:
        yield sounded


def _hit(rule: str, evidence: str) -> ContentHit:
    shown = " ".join(evidence.split())[:_EVIDENCE_CHARS_MAX]
    return ContentHit(rule=rule, family=family_of(rule), evidence=shown, reason=REASONS[rule])


def screen(text: str) -> ContentHit | None:
    """Return why ``text`` must not be carried out by an agent, or None when nothing speaks against it.

    Pure and total: never raises, whatever the text. Text longer than ``MAX_SCREENED_CHARS`` is held back unread.
    """
    if len(text) > MAX_SCREENED_CHARS:
        return _hit("destructive.unscreened", text[:_EVIDENCE_CHARS_MAX])
    plain = normalise(text)
    if len(plain) > MAX_EXPANDED_CHARS:
        return _hit("destructive.unscreened", plain[:_EVIDENCE_CHARS_MAX])
    for reading in chain(readings(plain), () if text.isascii() else _sounded(text, plain)):
        for finding in _orders(reading):
            return _hit(finding.rule, reading[finding.start : finding.end])
    return None
