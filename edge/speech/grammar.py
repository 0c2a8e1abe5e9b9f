"""Says what words mean, or that they mean nothing: a closed grammar, in which the nearest match is no match.

A command must be the whole of what was heard, but for polite words around it. That alone keeps negation ("don't
approve"), quotation ("he said approve") and side talk out: none of them is a form. The word lists of negation and
quotation only tell the person why nothing was done.
"""

import re

from msgspec.structs import replace

from edge.speech.commands import WAIT_MINUTES_MAX, Command, Refused, Word
from edge.speech.phrasebook import Form, Phrasebook, Tokens, words_of
from hub.contract.api import PROMPT_CHARS_MAX

COMMAND_WORDS_MAX = 10
CHOICE_WORDS_MIN = 3
"""A choice that is named in fewer is read back: "two" sounds like "to", "the second" like "second hand"."""
NUMBER_WORDS_MAX = 2
HEARD_CHARS_MAX = PROMPT_CHARS_MAX
MINUTES_PER_HOUR = 60
OPEN_KEYS = frozenset({"edit", "answer"})
_MOMENTS = {"later_tonight": "tonight", "later_tomorrow": "tomorrow"}

Slots = dict[str, str]


def understand(text: str, book: Phrasebook) -> Command | Refused:
    """Return the command that `text` is as a whole, or why it is none."""
    if len(text) > HEARD_CHARS_MAX:
        return Refused(why="too-long")
    tokens = words_of(text)
    if not tokens:
        return Refused(why="silence")
    for candidate in dict.fromkeys((tokens, _plain(tokens, book.polite))):
        command = _matched(candidate, book)
        if command is not None:
            return _with_its_own_words(command, text)
    return Refused(why=_why(tokens, book))


def _with_its_own_words(command: Command, text: str) -> Command:
    """Put dictation back as it came, with its capitals and its punctuation."""
    if not command.text:
        return command
    where = re.search(
        r"[^\w]+".join(map(re.escape, words_of(command.text))), text.replace("\u2019", "'"), re.IGNORECASE
    )
    return command if where is None else replace(command, text=text[where.start() :].strip())


def _plain(tokens: Tokens, polite: tuple[Tokens, ...]) -> Tokens:
    """Take polite words off both ends, once each."""
    head = next((words for words in polite if tokens[: len(words)] == words), ())
    tokens = tokens[len(head) :]
    tail = next((words for words in polite if tokens[-len(words) :] == words), ())
    return tokens[: len(tokens) - len(tail)]


def _matched(tokens: Tokens, book: Phrasebook) -> Command | None:
    if not tokens:
        return None
    for form in book.forms:
        if len(tokens) > COMMAND_WORDS_MAX and form.key not in OPEN_KEYS:
            continue
        slots = _slots(form.tokens, tokens, book)
        command = None if slots is None else _command(form, slots, book)
        if command is not None:
            return command
    return None


def _slots(form: Tokens, tokens: Tokens, book: Phrasebook) -> Slots | None:
    """Return what the slots of a form stand for when it covers all `tokens`; None when it does not."""
    if not form:
        return None if tokens else {}
    if not tokens:
        return None
    head, rest = form[0], form[1:]
    if not head.startswith("{"):
        return _slots(rest, tokens[1:], book) if head == tokens[0] else None
    most = len(tokens) if head == "{text}" else NUMBER_WORDS_MAX if head in {"{minutes}", "{hours}"} else 1
    for count in range(min(most, len(tokens)), 0, -1):
        found = _slots(rest, tokens[count:], book)
        if found is not None and _fits(head, tokens[:count], book):
            return {head: " ".join(tokens[:count]), **found}
    return None


def _fits(slot: str, tokens: Tokens, book: Phrasebook) -> bool:
    match slot:
        case "{check}":
            return tokens[0] in book.check_words
        case "{text}":
            return True
        case _:
            return _number(" ".join(tokens), book) is not None


def _number(text: str, book: Phrasebook) -> int | None:
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= len(str(WAIT_MINUTES_MAX)) and int(text) > 0 else None
    return dict(book.numbers).get(tuple(text.split()))


def _command(form: Form, slots: Slots, book: Phrasebook) -> Command | None:
    key = form.key
    if key in _MOMENTS:
        return Command(word=Word.LATER, moment=_MOMENTS[key])
    if key in {"later_minutes", "later_hours"}:
        factor = 1 if key == "later_minutes" else MINUTES_PER_HOUR
        minutes = (_number(next(iter(slots.values())), book) or 0) * factor
        return Command(word=Word.LATER, minutes=minutes) if 0 < minutes <= WAIT_MINUTES_MAX else None
    said = Command(word=Word(key), text=slots.get("{text}", ""), check=slots.get("{check}", ""))
    if said.word is not Word.CHOOSE:
        return said
    return replace(said, place=form.place, is_brief=len(form.tokens) < CHOICE_WORDS_MIN)


def _why(tokens: Tokens, book: Phrasebook) -> str:
    if len(tokens) > COMMAND_WORDS_MAX:
        return "too-long"
    if book.negation.intersection(tokens):
        return "negated"
    if book.quotation.intersection(tokens):
        return "quoted"
    return "unknown"


def jsgf(book: Phrasebook, keys: frozenset[str]) -> str:
    """Return a JSGF grammar of the forms of `keys`, one public rule for each (dictation cannot be in a grammar)."""
    lines = ["#JSGF V1.0;", "grammar pulse;"]
    lines.append(f"<number> = {' | '.join(' '.join(words) for words, _ in book.numbers)};")
    lines.append(f"<check> = {' | '.join(book.check_words)};")
    found: dict[str, list[str]] = {}
    for key, pattern in book.patterns:
        if key in keys and "{text}" not in pattern:
            found.setdefault(key, []).append(_rule(pattern))
    lines += [f"<{key}> = {' | '.join(rules)};" for key, rules in found.items()]
    lines.append(f"<polite> = {' | '.join(' '.join(words) for words in book.polite)};")
    lines.append(f"public <command> = [<polite>] ({' | '.join(f'<{key}>' for key in found)}) [<polite>];")
    return "\n".join(lines) + "\n"


def _rule(pattern: str) -> str:
    text = pattern.casefold()
    for slot, rule in (("{minutes}", "<number>"), ("{hours}", "<number>"), ("{check}", "<check>")):
        text = text.replace(slot, rule)
    return f"( {text} )"


def words_in(book: Phrasebook) -> Tokens:
    """Return every single word of the grammar, sorted: what an engine's dictionary must know."""
    words = {word for form in book.forms for word in form.tokens if not word.startswith("{")}
    words |= {word for number, _ in book.numbers for word in number}
    words |= {word for line in book.polite for word in line}
    return tuple(sorted(words | set(book.check_words)))
