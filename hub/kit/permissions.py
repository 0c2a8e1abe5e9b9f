"""What an agent asks leave for, in words: a sentence, what it would do, its text with the dangerous parts. Pure.

A text that is cut keeps its dangerous parts before anything else, and says how much is missing.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from hub.contract.api import Prediction
from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.kit.naming import agent_title
from hub.kit.phrasebook import Phrase, Phrases
from hub.kit.text import ELLIPSIS, cut, one_line
from hub.kit.wordings import question_said

TARGET_CHARS_MAX = 80
TOOL_CHARS_MAX = 40
SENTENCE_TEXT_CHARS_MAX = 160
SUBAGENT_CHARS_MAX = 40
GAP = f" {ELLIPSIS} "
QUIET_EFFECTS = frozenset({Effect.READS, Effect.WRITES_IN_WORKSPACE, Effect.RUNS_PROJECT_CODE})
"""Told only where there is nothing else to tell."""


class Piece(NamedTuple):
    """A part of the text, and whether it is dangerous."""

    text: str
    is_dangerous: bool


def sentence(permission: Permission, words: Phrases) -> str:
    """Say in one sentence who wants to do what and where: `Claude wants to delete build in shop`."""
    agent = asker_said(permission, words)
    place = _place(permission, words)
    target = one_line(permission.target, TARGET_CHARS_MAX)
    deletes = permission.act is Act.COMMAND and bool(target) and Effect.DELETES in permission.effects
    name = "wants.delete" if deletes else f"wants.{permission.act.value}"
    asked = question_said(permission.questions[0], words).text if permission.questions else ""
    text = one_line(asked, SENTENCE_TEXT_CHARS_MAX)
    return words.title(
        name, agent=agent, target=target, place=place, tool=one_line(permission.tool, TOOL_CHARS_MAX), text=text
    )


def asker_said(permission: Permission, words: Phrases) -> str:
    """Return who asks: the agent, and which of those that it started itself."""
    agent = agent_title(permission.agent, words)
    if not permission.subagent:
        return agent
    kind = one_line(permission.subagent_type, SUBAGENT_CHARS_MAX)
    return words.say("wants.subagent_of_kind" if kind else "wants.subagent", agent=agent, kind=kind)


def effects_said(permission: Permission, words: Phrases) -> str:
    """Say what it would do, the dangerous first; nothing where that could not be read."""
    loud = [effect for effect in permission.effects if effect not in QUIET_EFFECTS]
    more = [
        effect for effect in permission.effects if effect is not Effect.READS
    ]  # "only reads" is said of nothing else
    return " · ".join(words.say(f"effect.{effect.value}") for effect in loud or more or permission.effects)


def effects_line(card: Prediction | None, words: Phrases) -> str:
    """Return the effects as a line below a text; empty where a card has none."""
    permission = card.permission if card is not None else None
    said = effects_said(permission, words) if permission is not None else ""
    return f"⚠️ {said}" if said else ""


def pieces(permission: Permission) -> tuple[Piece, ...]:
    """Return the whole text in parts."""
    return tuple(_pieces(permission))


def shortened(permission: Permission, told: str, room: int, size: Callable[[str], int] = len) -> str:
    """Return what is told of a request in at most `room`, as the additive `size` counts.

    Where it has the request's text, only that is cut, so that what stands around it stays; of the text stay first the
    dangerous parts, then as much of its beginning as there is room for.
    """
    before, text, after = told.partition(permission.text) if permission.text else (told, "", "")
    left = room - size(before) - size(after)
    if size(told) <= room or not text or left < size(GAP):
        return cut(told, room, size)
    return f"{before}{_text_cut(pieces(permission), left, size)}{after}"


def _text_cut(parts: tuple[Piece, ...], room: int, size: Callable[[str], int]) -> str:
    spare = room - sum(size(one.text if one.is_dangerous else GAP) for one in parts)
    if spare < 0:
        return cut(GAP.join(one.text.strip() for one in parts if one.is_dangerous), room, size)
    kept: list[str] = []
    for text, is_dangerous in parts:
        if is_dangerous:
            kept.append(text)
            continue
        mine = spare + size(GAP)
        shown = text if size(text) <= mine else _beginning(text, mine, size)
        kept.append(shown)
        spare = mine - size(shown)
    return "".join(kept).rstrip()


def _beginning(text: str, room: int, size: Callable[[str], int]) -> str:
    """Return what there is room for, set off from what is dangerous: a path must not look as if it went on."""
    begun = cut(text, room - size(" "), size)
    return GAP if begun == ELLIPSIS else f"{begun} "


def _pieces(permission: Permission) -> Iterator[Piece]:
    at, text = 0, permission.text
    for one in permission.marks:
        if not at <= one.start < one.end <= len(text):
            continue
        if one.start > at:
            yield Piece(text[at : one.start], is_dangerous=False)
        yield Piece(text[one.start : one.end], is_dangerous=True)
        at = one.end
    if at < len(text):
        yield Piece(text[at:], is_dangerous=False)


def _place(permission: Permission, words: Phrases) -> str | Phrase:
    name = permission.folder.rstrip("/").rpartition("/")[2]
    return words.say("wants.place", name=one_line(name, TARGET_CHARS_MAX)) if name else ""
