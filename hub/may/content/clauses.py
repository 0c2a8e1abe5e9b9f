"""Split a prompt into clauses and say of each whether it does something or talks about something.

The guard of the whole filter is here. "Explain what rm -rf does" is one clause led by a word of talk, so what it
names is not done. "Explain X, then run rm -rf build" is two clauses, and the second one is led by an order.
A clause without a leading verb ("in simple words", a bare command after a colon) belongs to the one before it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise

from hub.may.content.heads import (
    EXECUTE,
    FILLERS,
    INSTRUMENTS,
    MODALS,
    NEGATIONS,
    PRONOUNS,
    QUESTIONS,
    TALK,
    WORK,
    WORK_INSTRUMENTS,
)
from hub.may.content.prose import Token
from hub.may.content.wordlist import word_set

_SENTENCE_ENDS = frozenset({".", "!", "?", ";", "\n", "...", "&", "|"})
_COMMA_LIKE = frozenset({",", ":", "(", ")", "--", ">"})
_JOINERS = word_set("and or but so while plus und oder")
_BREAKERS = word_set("then before after once when if until afterwards dann danach")
_BARE_LINK = word_set("between vs versus both compare compared difference differ differs")
_LOOSE = frozenset({"create", "schedule", "cron", "add", "set", "install", "write", "make"})
_RECURRING = word_set("cron cronjob crontab job alias nightly daily hourly scheduled timer startup boot trigger")
_NOTED = word_set("to-do todo backlog agenda checklist task-list journal diary")
_SQL_VERBS = word_set("drop delete truncate update insert select exec alter")
_INJECTIONS = word_set("injection injections sqli payload payloads exploit exploits or")
_LY_VERBS = word_set("apply reply supply multiply rely comply fly imply ply bully rally tally assembly family july")
_EXAMPLES = word_set("such like e.g e.g. including namely")
_TOPICS = word_set(
    """alternative alternatives meaning explanation danger dangers risk risks difference differences overview
    tutorial guide article documentation docs warning warnings implications consequences usage syntax semantics
    example examples cheatsheet comparison test tests blogpost note notes summary lesson talk slides section
    paragraph sentence question questions faq rule policy lint check checks hook detection detector regex pattern
    equivalent counterpart wrapper mention mentions occurrences uses instances references"""
)
_TOPIC_LINKS = word_set("of to for about on against between that which covering regarding like in")
_TOPIC_WORDS_MAX = 7
_SHOWING = word_set("give show get provide need have put make let open prepare")
_COUNTING = word_set("wc cut sort uniq md5sum sha1sum sha256sum less more head tail hexdump grep jq")
_TEXT_FILE = re.compile(r"\S+\.(?:md|rst|txt|adoc|tex)")


def _first(words: list[Token], wanted: frozenset[str]) -> int:
    """Return where the first of the wanted words stands, or the number of words."""
    return next((at for at, word in enumerate(words) if word.text in wanted), len(words))


class Clause:
    """A run of words with one leading verb; ``mode`` is talk, work, execute, act or none."""

    __slots__ = ("head", "mode", "negated", "negation_at", "own_mode", "searcher_at", "start", "words")

    def __init__(self, words: list[Token], start: int) -> None:
        self.words = words
        self.start = start
        self.head = 0
        self.mode = "none"
        self.own_mode = "none"
        self.negated = False
        self.negation_at = _first(words, NEGATIONS)
        self.searcher_at = _first(words, SEARCHERS)

    def words_before(self, position: int) -> int:
        """Return how many words end before ``position`` of the text."""
        return bisect_right(self.words, position, key=lambda word: word.end)

    @property
    def leader(self) -> str:
        """The leading verb, or nothing."""
        return self.words[self.head].text if self.head < len(self.words) else ""


_WRITING = word_set(
    """add write implement create generate refactor rewrite fix-wording rename replace update edit change
    reword correct test check verify validate assert cover parse support handle catch escape allow
    reference mention mark improve"""
)


SEARCHERS = word_set("grep rg ag ack egrep fgrep ripgrep --grep -G -S search")
_CONTEXT_WORDS = 8
_OPEN_QUESTIONS = frozenset({"should i", "should we", "may i", "may we", "must i", "must we"})
_ASKING = word_set("do does did would should is are was were can could to will must might")
_DONE = word_set("done finished ready complete completed passes pass passed green over through")
_WAITING = word_set("when once after if as while until")
Starts = Callable[[str], bool]


def _skip_fillers(words: list[Token]) -> tuple[int, bool, bool]:
    """Return the index of the first word that matters, and whether a negation or a question came before it."""
    negated = asked = False
    for at, word in enumerate(words):
        text = word.text
        if text in NEGATIONS:
            negated = True
        elif text in MODALS:
            near = {words[at - 1].text if at else "", words[at + 1].text if at + 1 < len(words) else ""}
            second_person = near & PRONOUNS and not (at == 0 and words[at + 1].text in {"i", "we"})
            asked = asked or (at == 0 and not second_person)
        elif text in {"when", "where"} and at == 0 and len(words) > 1 and words[1].text in _ASKING:
            asked = True
        elif (text in QUESTIONS and at == 0) or not (
            text in FILLERS or _is_adverb(text) or (text.rstrip(".)").isdigit() and at == 0) or text in {"*", "-", "|"}
        ):
            return at, negated, asked
    return len(words), negated, asked


def _is_adverb(word: str) -> bool:
    """Say whether a word in front of a verb only says how ("recursively delete")."""
    return word.endswith("ly") and word not in _LY_VERBS


def _mode_of(head: str, acts: Starts) -> str:
    if head in TALK:
        return "talk"
    if head in WORK:
        return "work"
    if head in EXECUTE:
        return "execute"
    return "act" if acts(head) else "none"


def _classify(clause: Clause, before: Clause | None, *, hard: bool, acts: Starts) -> None:
    """Set head and mode; a clause without a verb inherits from the one before unless a sentence ended."""
    clause.head, clause.negated, asked = _skip_fillers(clause.words)
    leader = clause.leader
    opener = " ".join(word.text for word in clause.words[:2])
    clause.negated = clause.negated or opener in _OPEN_QUESTIONS
    clause.own_mode = "talk" if clause.negated or asked else _mode_of(leader, acts)
    recurring = any(word.text in _RECURRING for word in clause.words)
    if leader == "put" and {word.text for word in clause.words} & _NOTED:
        clause.own_mode = "talk"
    if clause.own_mode == "work" and leader in _LOOSE and recurring:
        clause.own_mode = "execute"
    clause.mode = clause.own_mode
    opening = {word.text for word in clause.words[:3]}
    waits = opening & _WAITING and any(word.text in _DONE for word in clause.words)
    inherits = clause.own_mode == "none" and not hard and not waits
    if inherits and before is not None and before.mode in {"talk", "work"} and _hands_on(before):
        clause.mode = before.mode


def _names_command(clause: Clause) -> bool:
    """Say whether a clause spells out a command ("never run rm -rf"), so that a list may go on."""
    return any(word.kind == "q" or word.text.startswith("-") for word in clause.words)


def _hands_on(before: Clause) -> bool:
    """Say whether a clause without a verb of its own may belong to ``before`` ("Fix it with: rm -rf" does not)."""
    if before.words[-1].text in WORK_INSTRUMENTS | INSTRUMENTS:
        return False
    if before.negated and not _names_command(before):
        return False
    return before.mode == "talk" or before.leader in _WRITING


def _next_word(tokens: list[Token], at: int) -> Token | None:
    """Return the next word that is not a filler."""
    for token in tokens[at : at + 6]:
        if token.kind == "p":
            return None
        if token.text not in FILLERS:
            return token
    return None


class Splitter:
    """Cuts tokens into clauses; ``acts`` says whether a word is a dangerous verb."""

    def __init__(self, acts: Starts) -> None:
        self._acts = acts

    def _is_verb(self, word: Token) -> bool:
        text = word.text
        return text in TALK - QUESTIONS or text in WORK or text in EXECUTE or self._acts(text) or text in NEGATIONS

    def _splits(self, tokens: list[Token], at: int, current: list[Token], lead: str) -> bool:
        """Say whether the joining word at ``at`` starts a new clause."""
        if lead not in TALK and tokens[at + 1 : at + 2] and tokens[at + 1].text == "let":
            return True
        following = _next_word(tokens, at + 1)
        if following is None or not (self._is_verb(following) or tokens[at].text in _BREAKERS):
            return False
        if tokens[at].text in {"if", "when"} and lead in TALK:
            return False
        if lead in TALK and current and current[0].text in _EXAMPLES:
            return False
        if tokens[at].text in _BREAKERS:
            return tokens[at].text in {"then", "dann", "danach"} or self._is_verb(following)
        after = next((token for token in tokens[at + 2 : at + 3] if token.kind == "w"), None)
        if after is not None and after.text.startswith("-") and tokens[at].text in _JOINERS:
            return lead not in TALK  # "compare rm -r and find -delete" lists commands
        spoken = [token.text for token in current]
        infinitive = any(one == "to" and self._acts(two) for one, two in pairwise(spoken[:12]))
        scoped = infinitive or bool(
            {"how", "why", "when", *_BARE_LINK} & set(spoken[:12]) or NEGATIONS & set(spoken[:6])
        )
        led = next((text for text in spoken if text not in FILLERS), "")
        explicit = tokens[at + 1].text in {"then", "also", "finally", "actually", "please", "now", "afterwards", "just"}
        named = next((token.text for token in tokens[at + 2 : at + 3]), "") in {"it", "them", "that", "everything"}
        if (led in TALK or led in NEGATIONS) and scoped and not (explicit or named):
            return following.text in EXECUTE and following.text not in {"use", "call", "make", "set"}
        return True

    def _pieces(self, tokens: list[Token]) -> Iterable[tuple[list[Token], bool]]:
        """Yield the words of each clause and whether a sentence ended before it."""
        current: list[Token] = []
        hard = True
        lead = ""
        for at, token in enumerate(tokens):
            ends = token.kind == "p" and token.text in _SENTENCE_ENDS and not _is_here(tokens, at)
            soft = token.kind == "p" and token.text in _COMMA_LIKE
            joins = token.kind == "w" and token.text in _JOINERS | _BREAKERS and self._splits(tokens, at, current, lead)
            if not (ends or soft or joins):
                current.append(token)
                lead = lead or (token.text if token.text not in FILLERS else "")
                continue
            if current:
                yield current, hard
                hard = False
            hard = hard or ends
            lead = "" if ends else lead
            current = []
        if current:
            yield current, hard

    def split(self, tokens: list[Token]) -> list[Clause]:
        """Return the clauses in order, each with its mode."""
        clauses: list[Clause] = []
        colons = [token.start for token in tokens if token.text == ":"]
        for words, hard in self._pieces(tokens):
            clause = Clause(words, words[0].start)
            before = clauses[-1] if clauses else None
            announced = before is not None and _announces(before, colons)
            _classify(clause, before, hard=hard and not announced, acts=self._acts)
            if announced and clause.own_mode in {"work", "act"} and any(word.text[0] == "-" for word in words):
                clause.own_mode, clause.mode = "none", "talk"
            if before is not None and _is_injection(before, clause, tokens):
                clause.own_mode, clause.mode, clause.negated = "talk", "talk", True
            clauses.append(clause)
        return clauses


def _is_here(tokens: list[Token], at: int) -> bool:
    """Say whether a dot is the folder of a command (``find . -name x``) rather than the end of a sentence."""
    if tokens[at].text != "." or not at or at + 1 >= len(tokens) or tokens[at - 1].end == tokens[at].start:
        return False
    return tokens[at + 1].text.startswith("-") or tokens[at + 1].text in {"&", "|", ">"}


def _is_injection(before: Clause, clause: Clause, tokens: list[Token]) -> bool:
    """Say whether ``; DROP TABLE users`` is the example of talk about injections."""
    if before.mode != "talk" or clause.leader not in _SQL_VERBS:
        return False
    taught = before.own_mode == "none" or {word.text for word in before.words} & _INJECTIONS
    at = bisect_left(tokens, clause.start, key=lambda token: token.start)
    return bool(taught) and at > 0 and tokens[at - 1].text == ";"


def _announces(before: Clause, colons: list[int]) -> bool:
    """Say whether ``before`` is talk that announces what follows ("Explain these commands:")."""
    if before.own_mode != "talk" or not colons:
        return False
    end = before.words[-1].end
    at = bisect_left(colons, end)
    return at < len(colons) and colons[at] - end <= 1


class Guard:
    """Answers for any position of the text whether what stands there is only mentioned."""

    def __init__(self, clauses: list[Clause]) -> None:
        self._clauses = clauses
        self._starts = [clause.start for clause in clauses]

    def clause_at(self, position: int) -> Clause | None:
        """Return the clause that covers ``position``."""
        index = bisect_right(self._starts, position) - 1
        return self._clauses[index] if index >= 0 else None

    def mentioned(self, position: int) -> bool:
        """Say whether a command at ``position`` is talked about rather than given."""
        index = bisect_right(self._starts, position) - 1
        if index < 0:
            return False
        clause = self._clauses[index]
        count = clause.words_before(position)
        earlier = [word.text for word in clause.words[max(0, count - _CONTEXT_WORDS) : count]]
        here = clause.words[count] if count < len(clause.words) else None
        around = here if here is not None and here.start <= position else None
        searched = around is not None and (
            (around.kind == "q" and clause.searcher_at < count) or "grep=" in around.text
        )
        if searched or (earlier and earlier[-1].startswith("--grep")):
            return True
        if around is not None and around.kind == "q" and is_text(self._clauses, index, around):
            return True
        if clause.negation_at < count or _is_topic(clause, earlier):
            return True
        head = clause.words[clause.head] if clause.head < len(clause.words) else None
        at_head = head is not None and head.start <= position < head.end
        if at_head and clause.own_mode in {"work", "act", "execute"}:
            return False
        return _held(clause, earlier, count)


def _is_topic(clause: Clause, earlier: list[str]) -> bool:
    """Say whether the command is what an explanation or a rule is about ("give me an alternative to rm -rf")."""
    if clause.own_mode == "execute" and clause.leader not in _SHOWING:
        return False
    near = earlier[-_TOPIC_WORDS_MAX:]
    return any(one in _TOPICS and set(near[at + 1 : at + 3]) & _TOPIC_LINKS for at, one in enumerate(near))


def is_text(clauses: list[Clause], index: int, quoted: Token) -> bool:
    """Say whether a quoted span is text to keep: a commit message, or a line put into a document."""
    clause = clauses[index]
    count = clause.words_before(quoted.start)
    first = [word.text for word in clause.words[: min(count, _CONTEXT_WORDS)]]
    earlier = [word.text for word in clause.words[max(0, count - _CONTEXT_WORDS) : count]]
    if not earlier:
        return False
    if {"commit", "tag", "notes", "stash"} & set(first) and earlier[-1] in {"-m", "-am", "--message"}:
        return True
    if first[0] == "git" and {"log", "grep", "blame", "show", "diff"} & set(first):
        return True
    target = clauses[index + 1].words[0].text if index + 1 < len(clauses) else ""
    counted = _TEXT_FILE.fullmatch(target) is not None or target in _COUNTING
    return earlier[-1] in {"echo", "printf"} and counted


def _held(clause: Clause, earlier: list[str], count: int) -> bool:
    """Decide by the clause's mode and by the words right before the command."""
    near = set(earlier[-3:])
    if clause.mode == "talk":
        return not (near & INSTRUMENTS and clause.leader not in {"explain", "describe", "document", "discuss"})
    if clause.mode == "work":
        direct = count - clause.head <= 1 and clause.leader in {"test", "check", "verify", "make", "set", "try"}
        by_way = clause.leader not in _WRITING and set(earlier[-2:]) & WORK_INSTRUMENTS
        return not (near & INSTRUMENTS or by_way or direct)
    determined = bool(set(earlier[-1:]) & {"the", "a", "our", "your", "this", "that", "every"})
    return clause.mode == "none" and determined
