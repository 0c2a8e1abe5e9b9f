"""What is unusual about what an agent asks: new here, out of its place, or written so that it is easily misread.

What a person let an agent do in a folder is familiar there from then on; only their yes makes it so, never a request.
It is told, and decides nothing: no rail is loosened by what is familiar.
"""

import posixpath
import re

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import Act, CallField, Permission
from hub.contract.phrasing import Phrasing
from hub.domain.canonical import digest, visible
from hub.domain.mind import Mind
from hub.domain.worded import Worded
from hub.kit.foreign_names import within_quotes
from hub.kit.text import one_line
from hub.screening.acts import ActReading
from hub.screening.effects import HARMLESS
from hub.screening.screening import REASONS, Screening

FAMILIAR_MAX = 200
FAMILIAR_CHARS = 12
QUOTED_CHARS_MAX = 60
_OUTSIDE = Worded(text="The file is outside the folder the agent works in.", wording=Phrasing(code="unusual.outside"))
_UNKNOWN = Worded(
    text="Pulse does not recognise all of it, so it may do more than is shown here.",
    wording=Phrasing(code="unusual.unknown"),
)
_MARKED = Worded(
    text="Some characters cannot be displayed; they are marked with ⟨ ⟩.", wording=Phrasing(code="unusual.marked")
)
_GAPS = Worded(text="It has long blank stretches: read to the end.", wording=Phrasing(code="unusual.gaps"))
_LEFT_OUT_OF_RUN = Worded(
    text="Part of this was left out, and it could do harm. Say no, or start this agent in your own terminal, where it "
    "shows all of it.",
    wording=Phrasing(code="unusual.left_out_of_run"),
)
_EARLY = Worded(
    text="It asked without saying what exactly it would do, so nobody can tell. Say no, or start this agent in your "
    "own terminal, where it shows all of it.",
    wording=Phrasing(code="unusual.early"),
)
_GAP = re.compile(r"\n(?:[ \t]*\n){8,}|[ \t]{40,}")
"""Empty lines or spaces that push what follows out of sight."""


def unusual(
    asked: Permission,
    shown_text: str,
    reading: ActReading,
    mind: Mind,
    seen_folder: str,
    *,
    said: tuple[Screening, str],
) -> tuple[Worded, ...]:
    """Return sentences; `seen_folder` is where the agent's program runs by the kernel's word, empty if unknown.

    `said` is what screening makes of the agent's own words, its reason or its questions, and those words.
    """
    new = [effect for effect in _loud(reading.effects) if _key(asked, effect) not in mind.familiar]
    found = [_new_here(effect, visible(_name(asked.folder))) for effect in new[:1]]
    if asked.folder and seen_folder and not is_near(asked.folder, seen_folder):
        found.append(_elsewhere(visible(asked.folder), visible(seen_folder)))
    if asked.act is Act.EDIT and Effect.CHANGES_SYSTEM in reading.effects:
        found.append(_OUTSIDE)
    found += [_field("setting", "It would run with", one, asked.text) for one in asked.settings]
    unclear = "Pulse does not know what this field does:"
    found += [_field("unknown_field", unclear, one, asked.text) for one in asked.unknown_fields]
    if said[0].outcome != "pass":
        found.append(_said(*said))
    if asked.act in {Act.COMMAND, Act.OTHER} and not reading.understood:
        found.append(_unknown(visible(reading.doubt)))
    if shown_text != asked.text:
        found.append(_MARKED)
    if _GAP.search(asked.text) and asked.act is not Act.PLAN:
        found.append(_GAPS)
    return tuple(found)


def left_out(permission: Permission, *, is_run: bool) -> Worded:
    """Say that no yes is taken here, because what was left out could do harm; a run of Pulse's has no dialog."""
    if is_run:
        return _EARLY if permission.asks_early else _LEFT_OUT_OF_RUN
    number = f"{permission.left_out:,}"
    text = (
        f"{number} characters were left out, and they could do harm. Approve it in the agent's own dialog, which shows "
        "all of it."
    )
    return Worded(text=text, wording=Phrasing(code="unusual.left_out", values={"number": number}))


def _unknown(word: str) -> Worded:
    if not word:
        return _UNKNOWN
    word = within_quotes(word)
    text = f"Pulse does not recognise “{word}”, so it may do more than is shown here."
    return Worded(text=text, wording=Phrasing(code="unusual.unknown_word", values={"word": word}))


def _new_here(effect: Effect, place: str) -> Worded:
    does = Phrasing(code=f"doing.{effect.value}")
    if not place:
        text = f"You have not let this agent {REASONS[effect]} before."
        return Worded(text=text, wording=Phrasing(code="unusual.new", about=does))
    text = f"You have not let this agent {REASONS[effect]} in {place} before."
    return Worded(text=text, wording=Phrasing(code="unusual.new_here", values={"place": place}, about=does))


def _field(code: str, text: str, field: CallField, beside: str) -> Worded:
    name, value = visible(field.name), visible(field.value, beside)
    wording = Phrasing(code=f"unusual.{code}", values={"name": name, "value": value})
    return Worded(text=f"{text} {name}: {value}", wording=wording)


def _said(words: Screening, text: str) -> Worded:
    """Tell what an agent's words about its request speak of; the agent wrote them, so they decide nothing.

    What Pulse makes of them is no more than a guess, so the words themselves are quoted.
    """
    if not words.effects:
        return Worded(text="What it says is too long to check.", wording=Phrasing(code="unusual.reason_unread"))
    effect = words.effects[0]
    about = Phrasing(code=f"doing.{effect.value}")
    word = visible(_quoted(words.evidence, text))
    told = f"It says “{word}”: it may {REASONS[effect]}."
    return Worded(text=told, wording=Phrasing(code="unusual.reason", values={"word": word}, about=about))


def _quoted(pieces: tuple[str, ...], text: str) -> str:
    """Return the first of the pieces as it stands in the text, else how that begins."""
    found = (re.search(re.escape(piece), text, re.IGNORECASE) for piece in pieces if piece)
    return next((one[0] for one in found if one), one_line(text, QUOTED_CHARS_MAX))


def _elsewhere(said: str, seen: str) -> Worded:
    text = f"It says it works in {said}, but it runs in {seen}."
    return Worded(text=text, wording=Phrasing(code="unusual.elsewhere", values={"said": said, "seen": seen}))


def remember(mind: Mind, permission: Permission) -> Mind:
    """Return the mind in which what a person let an agent do is familiar; the oldest is forgotten first."""
    keys = [_key(permission, effect) for effect in _loud(permission.effects)]
    if not keys or tuple(keys) == mind.familiar[-len(keys) :]:
        return mind
    kept = [key for key in mind.familiar if key not in keys]
    return replace(mind, familiar=(*kept, *keys)[-FAMILIAR_MAX:])


def _loud(effects: tuple[Effect, ...]) -> list[Effect]:
    return [effect for effect in effects if effect not in HARMLESS]


def _key(permission: Permission, effect: Effect) -> str:
    return digest(permission.agent, permission.folder, effect)[:FAMILIAR_CHARS]


def _name(folder: str) -> str:
    return posixpath.basename(folder.rstrip("/"))


def is_near(said: str, seen: str) -> bool:
    """Say whether one folder is the other, or within it."""
    first, second = (f"{posixpath.normpath(one)}/" for one in (said, seen))
    return first.startswith(second) or second.startswith(first)
