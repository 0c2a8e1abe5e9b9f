"""Find orders in prose: a dangerous verb that leads its clause, or is told to happen further inside it."""

import re
from collections.abc import Callable, Iterator

from hub.may.content import (
    losses,
    phrases,
    verbs_contracts,
    verbs_destructive,
    verbs_money,
    verbs_outward,
    verbs_people,
    verbs_systems,
)
from hub.may.content.clauses import SEARCHERS, Clause, Guard, is_text
from hub.may.content.heads import EXECUTE, FILLERS, MERGES, NEGATIONS, TALK, WORK
from hub.may.content.hit import Finding
from hub.may.content.phrases import DETERMINERS, Phrase
from hub.may.content.prose import Token
from hub.may.content.wordlist import word_set

_Rule = Callable[[Phrase], str | None]
_GROUPS = (verbs_destructive, verbs_systems, verbs_money, verbs_contracts, verbs_outward, verbs_people)
_RULES: dict[str, tuple[_Rule, ...]] = {
    verb: tuple(group.VERBS[verb] for group in _GROUPS if verb in group.VERBS)
    for group in _GROUPS
    for verb in group.VERBS
}
_EXECUTED: tuple[_Rule, ...] = (verbs_destructive.EXECUTED, verbs_money.EXECUTED, verbs_outward.EXECUTED)
_LIGHT = (EXECUTE | {"cancel", "send", "schedule", "set", "write"}) - {"use", "have", "open", "call", "evaluate"}
_TOLD = word_set(
    """to and please you we should must will can done finished ready pass passes green complete just then
    now lets let's ll they i also go -- :"""
)
_NOT_TOLD = DETERMINERS | word_set("of in for about on no new with as at der die das den dem eine einen ein")
_ASKED = frozenset(["how", "what", "why", "which", "whether"])
_TITLES = word_set(
    """buy tweet broadcast order transfer post mail email message text call book tip share trade release
    comment reply invite upload charge bid refund purchase wipe reset stake swap exchange deposit format
    forward announce notify contact rent"""
)
_HEADED = word_set("lazy explain smoother docs tests raise")
_TITLE_WORDS_MAX = 7
_GERUND_LEADS = word_set("by start begin via with and keep see-to consider")
_SCHEDULERS = word_set("apply run execute deploy add create schedule set install write make configure")
_PARTED_WORDS_MAX = 8
_TASKED = word_set("move work do finish continue complete start begin resume")
_PASSIVE_CHARS_MAX = 200
_DESTROYS = word_set("delete erase wipe destroy purge nuke obliterate")
_BACK = word_set("it them that this those these both so")
_NAMED_BACK = word_set("script command commands query code statement snippet program it")
_RUNS = word_set(
    """run execute do launch start invoke apply perform trigger eval evaluate try ship deploy schedule use"""
)


def _gerunds(verb: str) -> tuple[str, ...]:
    """Return how ``verb`` may look with -ing."""
    stem = verb.removesuffix("e")
    return (f"{stem}ing", f"{verb}{verb[-1]}ing")


_PARTICLES = word_set("up down out off away back clean offline public over")
_GERUND_OF = {form: verb for verb in _RULES if "-" not in verb for form in _gerunds(verb)}
_THIRD_OF = {form: verb for verb in _RULES for form in (f"{verb}s", f"{verb}es")}


_PARTED = {
    verb: tuple((rest[0], meaning) for rest, meaning in ways if len(rest) == 1 and rest[0] in _PARTICLES)
    for verb, ways in MERGES.items()
}


def acts(word: str) -> bool:
    """Say whether ``word`` is a verb some rule knows."""
    return word in _RULES


def _apply(verb: str, rest: list[Token]) -> tuple[str, Phrase] | None:
    """Ask every rule of ``verb`` about the words after it."""
    phrase = phrases.read(rest)
    rules = _RULES.get(verb, ())
    if verb in _LIGHT:
        rules = (*rules, *_EXECUTED)
    for rule in rules:
        found = rule(phrase)
        if found:
            return found, phrase
    return None


def _told(words: list[Token], at: int) -> str | None:
    """Return the verb that the word at ``at`` orders, if it is used as an order and not as a noun."""
    word, before = words[at].text, words[at - 1].text
    following = words[at + 1].text if at + 1 < len(words) else ""
    if word in _GERUND_OF:
        return _GERUND_OF[word] if before in _GERUND_LEADS else None
    if word in _THIRD_OF and before in {"that", "which", "it", "and"}:
        return _THIRD_OF[word] if {words[0].text, words[1].text} & _SCHEDULERS else None
    if word not in _RULES or before in _NOT_TOLD:
        return None
    if before in _TOLD or before in FILLERS:
        return word
    return word if following in DETERMINERS | {"me", "us", "everyone"} and before not in NEGATIONS else None


def _inside(clause: Clause) -> Iterator[tuple[int, str]]:
    """Yield the orders further inside a clause."""
    words = clause.words
    by_only = clause.mode in {"talk", "work"}
    for at in range(max(clause.head, 0) + 1, len(words)):
        verb = _told(words, at)
        if verb is None or (by_only and not (words[at - 1].text == "by" and words[at].text in _GERUND_OF)):
            continue
        yield at, verb


def _parted(verb: str, rest: list[Token]) -> tuple[str, Phrase] | None:
    """Judge a verb whose particle stands behind its object ("tear the cluster down")."""
    for particle, meaning in _PARTED.get(verb, ()):
        at = next((at for at, word in enumerate(rest[:_PARTED_WORDS_MAX]) if at and word.text == particle), None)
        if at is not None:
            return _apply(meaning, rest[:at] + rest[at + 1 :])
    return None


def _priced(clause: Clause, rest: list[Token]) -> tuple[str, Phrase] | None:
    """Judge an order that names a sum of money, whatever its verb."""
    if clause.own_mode not in {"act", "execute"} and clause.leader not in {"add", "set", "move", "change", "update"}:
        return None
    phrase = phrases.read(rest)
    rule = verbs_money.amount(phrase)
    return (rule, phrase) if rule else None


def _pointing_back(verb: str, rest: list[Token], before: Clause | None) -> tuple[str, Phrase] | None:
    """Judge a pronoun object by what the clause before was about ("the beta is unused, remove it")."""
    if before is None or not rest or rest[0].text not in _BACK | {"all", "everything"}:
        return None
    earlier = before.words[before.head + 1 :]
    skipped = 1 if earlier and earlier[0].text in phrases.PREPOSITIONS else 0
    found = _apply(verb, earlier[skipped:])
    if found is None and verb in _DESTROYS and not any(map(losses.is_text, before.words)):
        return "destructive.data", phrases.read(rest)
    return found


def _leading(clause: Clause, before: Clause | None) -> tuple[str, Phrase] | None:
    """Judge the leading verb; a pronoun object stands for what the clause before was about."""
    rest = clause.words[clause.head + 1 :]
    leader = clause.leader
    known = leader in _RULES or leader in _LIGHT or _PARTED.get(leader)
    verb = leader if known else _GERUND_OF.get(leader, "")
    if not verb:
        unknown = clause.mode == "none" and clause.words[clause.head : clause.head + 1] and leader.isalpha()
        if not unknown or not rest:
            return None
        phrase = phrases.read(rest)
        rule = verbs_outward.spoken_to(phrase) if rest[0].text in DETERMINERS else None
        rule = rule or verbs_outward.on_platform(phrase) or verbs_money.amount(phrase)
        return (rule, phrase) if rule else None
    found = _apply(verb, rest) or _parted(verb, rest) or _priced(clause, rest)
    if verb == "pay" and not rest and (before is None or before.mode in {"none", "execute", "act"}):
        return "financial.pay", phrases.read(clause.words)
    return found or _pointing_back(verb, rest, before)


def _judge(clause: Clause, before: Clause | None) -> tuple[str, int, int] | None:
    """Return rule and span when the clause orders something."""
    if clause.negated or ((clause.own_mode == "talk" and not acts(clause.leader)) and clause.leader not in TALK):
        return None
    start = clause.words[min(clause.head, len(clause.words) - 1)].start
    found = _leading(clause, before)
    if found:
        return found[0], start, found[1].end
    if clause.own_mode == "none" and clause.mode in {"talk", "work"}:
        return None
    asked_at = next((at for at, word in enumerate(clause.words) if word.text in _ASKED), len(clause.words))
    for at, verb in _inside(clause):
        if asked_at < at:
            break
        rest = clause.words[at + 1 :]
        inner = _apply(verb, rest) or _pointing_back(verb, rest, before)
        if inner and clause.negation_at >= at:
            return inner[0], clause.words[at].start, inner[1].end
    return None


def _runs_back(clause: Clause) -> bool:
    """Say whether the clause orders to run what was written about before ("... and run it")."""
    if clause.negated or clause.leader not in _RUNS:
        return False
    phrase = phrases.read(clause.words[clause.head + 1 :])
    return phrase.words[:1] != () and (phrase.words[0] in _BACK | {"make", "npm"} or phrase.head in _NAMED_BACK)


def _loosely(clause: Clause) -> Iterator[tuple[str, int, int]]:
    """Yield what any verb of a clause would do if the clause were carried out."""
    for at, word in enumerate(clause.words):
        verb = _GERUND_OF.get(word.text) or _THIRD_OF.get(word.text) or word.text
        found = _apply(verb, clause.words[at + 1 :]) if verb in _RULES else None
        if found:
            yield found[0], word.start, found[1].end


def _is_title(clauses: list[Clause], at: int) -> bool:
    """Say whether a clause is a heading for ordinary work ("Tweet embeds: lazy load", "Trade flow: add tests")."""
    clause = clauses[at]
    short = clause.head == 0 and clause.leader in _TITLES and 1 < len(clause.words) <= _TITLE_WORDS_MAX
    if not short or at + 1 >= len(clauses) or clause.words[1].text in DETERMINERS | phrases.PREPOSITIONS:
        return False
    return clauses[at + 1].own_mode in {"talk", "work"} or clauses[at + 1].leader in _HEADED


def findings(clauses: list[Clause]) -> Iterator[Finding]:
    """Yield what the clauses order."""
    for at, clause in enumerate(clauses):
        if _is_title(clauses, at):
            continue
        judged = _judge(clause, clauses[at - 1] if at else None)
        if judged:
            yield Finding(rule=judged[0], start=judged[1], end=max(judged[1:]))
    back = next((at for at, clause in enumerate(clauses) if at and _runs_back(clause)), 0)
    for clause in clauses[:back]:
        for rule, start, end in _loosely(clause) if not clause.negated else ():
            yield Finding(rule=rule, start=start, end=max(start, end))


def runs_back_from(clauses: list[Clause]) -> int:
    """Return the position of the last "run it"; commands before it are not only mentioned. Zero when there is none."""
    return max((clause.start for clause in clauses[1:] if _runs_back(clause)), default=0)


def passives(lowered: str, guard: Guard) -> Iterator[Finding]:
    """Yield indirect orders such as "the customer table should be dropped"."""
    for match in verbs_destructive.PASSIVE.finditer(lowered):
        clause = guard.clause_at(match.start())
        if clause is None or clause.negated or (clause.mode in {"talk", "work"} and match.group("made") is None):
            continue
        rule = verbs_destructive.passive(
            match, lowered[max(clause.start, match.start() - _PASSIVE_CHARS_MAX) : match.start()]
        )
        if rule:
            yield Finding(rule=rule, start=clause.start, end=match.end())


def quoted_orders(clauses: list[Clause]) -> Iterator[tuple[str, int]]:
    """Yield quoted text that its clause carries out rather than mentions, with its position."""
    for index, clause in enumerate(clauses):
        tasked = any(word.text == "task" for word in clause.words[:4]) and clause.leader in _TASKED
        if clause.negated or (not tasked and (clause.mode in {"talk", "work", "act"} or clause.leader in WORK)):
            continue
        if SEARCHERS & {word.text for word in clause.words}:
            continue
        for word in clause.words:
            if word.kind == "q" and re.search(r"\w \w", word.text) and not is_text(clauses, index, word):
                yield word.raw.strip("`\"'"), word.start
