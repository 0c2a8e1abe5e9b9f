"""What a card is in a chat: its parts within a budget of characters, and its choices. Pure.

Whoever says yes has read all of it: where the text is cut or hidden, no yes stands below it, but the choice to be shown
the whole. A text is counted as its chat counts; `size` must be additive.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from itertools import chain

from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import AnyEvent, DigestReady
from hub.contract.permission import Act, Permission
from hub.contract.runs import PlannedRun
from hub.contract.surface import LOUD, Privacy
from hub.contract.words import Risk, Source
from hub.kit.announcing import announce, settled
from hub.kit.changed import changed_said
from hub.kit.chat.card import ChatCard
from hub.kit.chat.choices import ENDED_SIGNS, SIGNS, after_choices, numbered, open_choices, options_text
from hub.kit.chat.post import ChatPost, PartKind, PostPart, in_rows
from hub.kit.digests import heading, kind_words, line_of, more_words, opening
from hub.kit.naming import elsewhere_said, place_of, sure_of
from hub.kit.permissions import effects_said, pieces, sentence, shortened
from hub.kit.phrasebook import Phrases, capital
from hub.kit.questions import asked_now, asked_text, choice_text, chosen, questions_of
from hub.kit.shown import fields_text, target_text, yes_text
from hub.kit.text import cut, one_line, unbroken, visible
from hub.kit.wordings import follows_said, question_said, unusual_said

LINE_CHARS_MAX = 140
TITLE_CHARS_MAX = 240
QUESTION_CHARS_MAX = 600
SIDE_CHARS_MAX = 280
SHOWN_MAX = 3
SHORT_CHARS = 20
RESULT_SHARE = 2
"""Of the room for a text, the end of a run takes one part in so many."""
COUNT = str.__len__


class ChatWriter(Value):
    """How one chat is written to: the language, the zone of its times, and its bounds.

    `room` is how much of a card's own text one message has room for, `most` how much a message may be in all.
    """

    words: Phrases
    zone: tzinfo
    room: int
    most: int
    choices_in_row: int = 3
    size: Callable[[str], int] = COUNT


def card_post(card: ChatCard, writer: ChatWriter, *, is_newest: bool = True) -> ChatPost:
    """Write a card in whatever state it is; one that is not its newest says that it is open again further down."""
    words = writer.words
    parts = [PostPart(kind="title", text=_title(card, words))]
    if not is_newest:
        return ChatPost(parts=(*parts, _note(words.title("chat.again"))))
    choices = open_choices(card, words, is_whole=is_whole(card, writer)) if card.phase == "open" else ()
    parts += _body(card, writer)
    parts += _ending(card, words) if card.phase != "open" else _standing(card, writer)
    is_silent = card.loudness not in LOUD
    return ChatPost(
        parts=_fitted(parts, writer),
        rows=in_rows(choices or after_choices(card, words, is_whole=is_whole(card, writer)), writer.choices_in_row),
        binding=card.binding,
        is_silent=is_silent,
        calls=card.phase == "open" and not is_silent,
    )


def end_post(card: ChatCard, writer: ChatWriter) -> ChatPost:
    """Write how a run ended, as a message of its own."""
    words, text = writer.words, card.result or card.prediction.outcome
    parts = [PostPart(kind="title", text=_with_place(_ended(card, words), card, words, " · "))]
    if not card.is_hidden:
        told = changed_said(card.prediction, words) or (card.prediction.prompt,)
        parts += [PostPart(kind="text", text=one_line(one, LINE_CHARS_MAX)) for one in told]
        room = writer.room // RESULT_SHARE
        parts += [PostPart(kind="code", text=cut(visible(text), room, writer.size))] if text.strip() else []
    rows = in_rows(after_choices(card, words, is_whole=is_whole(card, writer)), writer.choices_in_row)
    return ChatPost(parts=tuple(parts), rows=rows, binding=card.binding)


def note_post(event: AnyEvent, writer: ChatWriter, *, is_silent: bool, privacy: Privacy = "full") -> ChatPost | None:
    """Write what is no card: a cost cap, a pause, what happened meanwhile."""
    words, told = writer.words, announce(event)
    if told is None:
        return None
    parts = [PostPart(kind="title", text=words.put(told.title))]
    if isinstance(event, DigestReady):
        parts += [PostPart(kind="text", text=line) for line in opening(event, words)]
    detail = words.put(told.detail) if told.detail is not None else ""
    text = one_line(told.text, SIDE_CHARS_MAX) if privacy == "full" else ""
    parts += [PostPart(kind="text", text=one) for one in (detail, text) if one]
    return ChatPost(parts=tuple(parts), is_silent=is_silent)


def digest_post(digest: DigestReady, known: tuple[ChatCard, ...], writer: ChatWriter, *, is_silent: bool) -> ChatPost:
    """Write several cards as numbered lines, each with a choice that brings it up, and how it stands by now."""
    words = writer.words
    parts = [PostPart(kind="title", text=words.put(heading(digest)))]
    parts += [PostPart(kind="text", text=line) for line in opening(digest, words)]
    if digest.alike:
        parts.append(PostPart(kind="text", text=one_line(kind_words(digest, words), SIDE_CHARS_MAX)))
    lines = [f"{place}. {_line(card, words)}" for place, card in enumerate(known, start=1)]
    parts += [PostPart(kind="text", text=line) for line in (*lines, more_words(digest, words)) if line]
    waiting = [place for place, card in enumerate(known) if card.phase == "open"]
    choices = tuple(numbered(place, f"d{place}", f"{place + 1}") for place in waiting)
    calls = bool(waiting) and not is_silent
    return ChatPost(parts=tuple(parts), rows=in_rows(choices, 5), is_silent=is_silent, calls=calls)


def is_whole(card: ChatCard, writer: ChatWriter) -> bool:
    """Return True if all that a person says yes to stands in the card's message."""
    if card.is_unfolded_text:
        return True
    return not card.is_hidden and _fits(card, writer)


def _fits(card: ChatCard, writer: ChatWriter) -> bool:
    """Return True if one message has room for all that can be said yes to now: of several questions, for this one."""
    parts = (*_told(card), *_new_here(card, writer), *_question(card, writer), *_offered(card, writer))
    return sum(writer.size(part.text) for part in parts) <= writer.room


def whole_of(card: ChatCard, writer: ChatWriter) -> tuple[ChatPost, ...]:
    """Write all of a card's text, in as many messages as it takes."""
    left = range(card.given.asked, len(questions_of(card.prediction.permission)))
    asked = (_question(replace(card, given=replace(card.given, asked=place)), writer) for place in left)
    answers = "\n".join(part.text for part in (*chain.from_iterable(asked), *_offered(card, writer)))
    posts = []
    for whole in (*_told(card), *_new_here(card, writer), PostPart(kind="text", text=answers)):
        rest = whole.text
        while rest:
            part = _beginning(rest, writer)
            posts.append(ChatPost(parts=(replace(whole, text=part),), is_silent=True))
            rest = rest[len(part) :]
    return tuple(posts)


def _told(card: ChatCard) -> tuple[PostPart, ...]:
    """Return what a yes is about, and what a program that asks says beside its question, which may say what follows."""
    text = PostPart(kind=_kind(card.prediction.permission), text=yes_text(card.prediction))
    if not _is_askers(card.prediction) or card.phase != "open":
        return (text,)
    return (text, PostPart(kind="quote", text=visible(card.prediction.reasoning)))


def _new_here(card: ChatCard, writer: ChatWriter) -> tuple[PostPart, ...]:
    """Return all that is unusual about a request, so that nobody says yes without having read it."""
    permission = card.prediction.permission
    if permission is None or card.phase != "open":
        return ()
    said = map(unbroken, unusual_said(permission, writer.words))
    return tuple(PostPart(kind="text", text=f"{writer.words.title('chat.new_here')}: {one}") for one in said)


def _cut_aside(parts: Sequence[PostPart], writer: ChatWriter) -> Iterator[PostPart]:
    """Return the beginning of parts that there is no room for."""
    for part in parts[:SHOWN_MAX]:
        yield replace(part, text=cut(part.text, LINE_CHARS_MAX, writer.size), aside=True)


def _is_askers(prediction: Prediction) -> bool:
    """Return True if the reason is that of a program that asks, and no advice of Pulse's."""
    return prediction.source is Source.ASK and prediction.permission is None and bool(prediction.reasoning)


def _offered(card: ChatCard, writer: ChatWriter) -> tuple[PostPart, ...]:
    """Return the agent's own ways to say yes."""
    text = options_text(card, writer.words) if card.phase == "open" else ""
    return (PostPart(kind="text", text=text),) if text else ()


def _beginning(text: str, writer: ChatWriter) -> str:
    """Return as much as one message has room for, up to the end of a line where there is one."""
    used = 0
    for place, char in enumerate(text):
        used += writer.size(char)
        if used > writer.room:
            line_end = text.rfind("\n", 0, place) + 1
            return text[: line_end or place]
    return text


def _title(card: ChatCard, words: Phrases) -> str:
    permission, prediction = card.prediction.permission, card.prediction
    if card.is_nameless:
        return f"{SIGNS[card.phase]} {words.title('hidden.waits' if card.phase == 'open' else 'hidden.news')}"
    if prediction.asked:  # the sentence is about what was asked, and that did not run
        return _with_place(SIGNS[card.phase], card, words, " ")
    if permission is not None and not card.is_hidden:
        return f"{SIGNS[card.phase]} {sentence(permission, words)}"
    risky = prediction.risk is Risk.HIGH
    kind = "new_ask" if prediction.source is Source.ASK else "new_risky" if risky else "new"
    return _with_place(f"{SIGNS[card.phase]} {words.title(kind)}", card, words, " · ")


def _with_place(said: str, card: ChatCard, words: Phrases, between: str) -> str:
    """Return it with where the card belongs, if that may be named."""
    return said if card.is_nameless else f"{said}{between}{one_line(place_of(card.prediction, words), LINE_CHARS_MAX)}"


def _kind(permission: Permission | None) -> PartKind:
    if permission is None or permission.act in {Act.PLAN, Act.QUESTION}:
        return "text"
    return "diff" if permission.act is Act.EDIT else "code"


def _runs(runs: PlannedRun | None) -> str:
    return "" if runs is None else visible(runs.line)


def _body(card: ChatCard, writer: ChatWriter) -> Iterator[PostPart]:
    words, permission = writer.words, card.prediction.permission
    if card.is_hidden:
        yield _note(words.title("chat.hidden"))
    elif changed := changed_said(card.prediction, words):
        for one in changed:
            yield PostPart(kind="code", text=cut(one, writer.room // 2, writer.size))
    elif permission is None:
        yield PostPart(kind="text", text=cut(visible(card.prediction.prompt), _room(card, writer), writer.size))
        runs = card.prediction.runs
        if runs is not None and card.phase in {"open", "waiting", "running"}:
            yield _note(words.title("chat.runs"))
            yield PostPart(kind="code", text=cut(_runs(runs), _room(card, writer), writer.size))
            if runs.unclear:
                yield _note(f"{words.title('chat.unclear')}: {one_line(visible(runs.unclear), SIDE_CHARS_MAX)}")
    else:
        yield from _asked(card, permission, writer)


def _room(card: ChatCard, writer: ChatWriter) -> int:
    """What would run has its own room; where both fit, neither is cut."""
    return writer.room if is_whole(card, writer) and not card.is_unfolded_text else writer.room // 2


def _asked(card: ChatCard, permission: Permission, writer: ChatWriter) -> Iterator[PostPart]:
    words = writer.words
    sides = (target_text(card.prediction), fields_text(permission))
    before, after = (cut(one, writer.room // 2, writer.size) for one in sides)
    room = writer.room - writer.size(before) - writer.size(after)
    told = shortened(permission, visible(permission.text), room, writer.size) if permission.text else ""
    parts: tuple[tuple[PartKind, str], ...] = (("code", before), (_kind(permission), told), ("code", after))
    yield from (PostPart(kind=kind, text=text) for kind, text in parts if text)
    if card.phase != "open":
        return
    if permission.left_out:
        yield _note(words.title("chat.left_out", number=f"{permission.left_out:,}"))
    if said := effects_said(permission, words):
        yield PostPart(kind="text", text=capital(said))
    marked = [one_line(one.text, LINE_CHARS_MAX) for one in pieces(permission) if one.is_dangerous]
    for one in marked[:SHOWN_MAX]:
        yield PostPart(kind="text", text=f"⚠️ {words.title('chat.look_at')}: {one}")
    yield from _new_here(card, writer) if _fits(card, writer) else _cut_aside(_new_here(card, writer), writer)
    if permission.folder:
        yield PostPart(kind="note", text=one_line(permission.folder, LINE_CHARS_MAX), aside=True)
    if permission.reason:
        yield PostPart(kind="quote", text=one_line(permission.reason, SIDE_CHARS_MAX), aside=True)
    if _fits(card, writer):
        yield from (replace(part, aside=False) for part in (*_question(card, writer), *_offered(card, writer)))
    else:
        yield from (_beginning_of(part, writer) for part in _question(card, writer))
    question = asked_now(questions_of(permission), card.given)
    if question is not None and question.own_words and not question.choices and is_whole(card, writer):
        yield _note(words.title("chat.ask_words"))


def _question(card: ChatCard, writer: ChatWriter) -> Iterator[PostPart]:
    """The question that is asked now, and its choices with what they mean, uncut."""
    permission = card.prediction.permission
    question = asked_now(questions_of(permission), card.given)
    if permission is None or question is None or card.phase != "open":
        return
    shown = question_said(question, writer.words)
    number = f"{card.given.asked + 1}/{len(permission.questions)} · " if len(permission.questions) > 1 else ""
    yield PostPart(kind="text", text=f"{number}{visible(asked_text(shown))}")
    taken = chosen(permission.questions, card.given)
    for place, (choice, said) in enumerate(zip(question.choices, shown.choices, strict=True), start=1):
        sign = "✓ " if choice.label in taken else ""
        yield PostPart(kind="text", text=unbroken(f"{sign}{place}. {choice_text(said)}"), aside=True)


def _beginning_of(part: PostPart, writer: ChatWriter) -> PostPart:
    """Return a part of a question that there is no room for."""
    room = LINE_CHARS_MAX if part.aside else QUESTION_CHARS_MAX
    return replace(part, text=cut(part.text, room, writer.size))


def _standing(card: ChatCard, writer: ChatWriter) -> Iterator[PostPart]:
    """Until when it is open, how sure Pulse is, why, and what keeps it from being answered here."""
    words, prediction = writer.words, card.prediction
    if prediction.permission is None and prediction.reasoning and not card.is_hidden:
        is_all = _is_askers(prediction) and _fits(card, writer)
        why = visible(prediction.reasoning) if is_all else one_line(prediction.reasoning, SIDE_CHARS_MAX)
        yield PostPart(kind="quote", text=why, aside=not is_all)
    if card.pending:
        yield PostPart(kind="text", text=f"⚠️ {words.title('shown.again')}")
    elif card.refused:
        said = words.title("chat.refused") if card.is_nameless else one_line(card.refused, SIDE_CHARS_MAX)
        yield PostPart(kind="text", text=f"⚠️ {said}")
    elif prediction.outcome and not card.is_hidden:
        yield PostPart(kind="text", text=f"⚠️ {one_line(prediction.outcome, SIDE_CHARS_MAX)}")
    if elsewhere := elsewhere_said(prediction, words):
        yield PostPart(kind="text", text=elsewhere)
    elif card.is_unshowable:
        yield PostPart(kind="text", text=f"⚠️ {words.title('chat.unshown')}")
    elif not is_whole(card, writer) and not card.is_hidden:
        yield PostPart(kind="text", text=f"⚠️ {words.title('chat.cut')}")
    until = words.say("chat.open_until", time=prediction.expires_at.astimezone(writer.zone).strftime("%H:%M"))
    sure = sure_of(prediction)
    yield _note(" · ".join(filter(None, (words.put(sure) if sure is not None else "", until))))


def _ending(card: ChatCard, words: Phrases) -> Iterator[PostPart]:
    """How it stands: who answered it where, and why."""
    yield PostPart(kind="title", text=_stands(card, words))
    done = card.prediction.settled
    if done is not None and done.reason and not card.is_hidden:
        yield PostPart(kind="quote", text=one_line(done.reason, SIDE_CHARS_MAX))
    if follows := follows_said(card.prediction, words):
        yield PostPart(kind="text", text=one_line(follows, SIDE_CHARS_MAX))
    if done is not None and done.permission is not None and not card.is_hidden:
        given = (", ".join(one) for one in done.permission.answers.values())
        yield from (PostPart(kind="quote", text=one_line(one, SIDE_CHARS_MAX)) for one in given)


def _stands(card: ChatCard, words: Phrases) -> str:
    match card.phase:
        case "snoozed":
            return words.title("snooze.done")
        case "running":
            return words.title("started.alone" if card.autonomous else "started")
        case _ if card.run_end:
            return _ended(card, words)
        case _:
            return words.put(settled(card.prediction))


def _ended(card: ChatCard, words: Phrases) -> str:
    sign = SIGNS["failed"] if card.has_failed else ENDED_SIGNS.get(card.ending, SIGNS["done"])
    return f"{sign} {words.title(card.ending)}"


def _line(card: ChatCard, words: Phrases) -> str:
    text = words.title("chat.hidden") if card.is_hidden else line_of(card.prediction, LINE_CHARS_MAX).text
    return text if card.phase == "open" else f"{text} · {_stands(card, words)}"


def _note(text: str) -> PostPart:
    return PostPart(kind="note", text=text)


def _fitted(parts: list[PostPart], writer: ChatWriter) -> tuple[PostPart, ...]:
    """Cut what stands aside, the longest first, until the message is within its bounds."""
    while sum(writer.size(part.text) + 1 for part in parts) > writer.most:
        longest = max((part for part in parts if part.aside), key=lambda part: writer.size(part.text), default=None)
        if longest is None or writer.size(longest.text) <= SHORT_CHARS:
            break
        shorter = replace(longest, text=cut(longest.text, writer.size(longest.text) * 2 // 3, writer.size))
        parts[parts.index(longest)] = shorter
    return tuple(parts)
