"""What stands open, by drive: the ideas of a look as wants that press (DRIVES 2).

An idea presses while it may still be put before the person: it is fresh, welcome and wanted now. One whose card is open
stands open too. What was answered in this very state is settled, and a template presses nothing: it only fills a lull.
"""

from collections.abc import Collection, Mapping
from datetime import datetime

from msgspec.structs import replace

from hub.contract.drives import IdleReason
from hub.domain.drives import Want
from hub.domain.mind import Mind
from hub.domain.provenance import CLOSE, OPEN, Wording
from hub.domain.suggestion import Candidate
from hub.kit.text import one_line
from hub.what.appetite import is_wanted
from hub.what.ideas import is_welcome
from hub.what.reasons import is_fresh
from hub.what.scoring import worthwhile

SAYS_CHARS_MAX = 120
IDLE_MAX = 20


def wants(
    ideas: tuple[Candidate, ...], mind: Mind, known: Mapping[str, str], open_keys: Collection[str], now: datetime
) -> dict[str, tuple[Want, ...]]:
    """Return what stands open by the name of its drive, the best idea first; nobody has brought it up yet.

    Args:
        ideas: all ideas of the situation, best first.
        mind: what the person answered, and what they want less of.
        known: the last signature that each matter was suggested with.
        open_keys: the reasons of the cards that are pending, snoozed ones included.
        now: when the look was.
    """
    found: dict[str, dict[str, Want]] = {}
    for idea in ideas:
        if idea.drive and _stands_open(idea, mind, known, open_keys, now):
            found.setdefault(idea.drive, {}).setdefault(idea.reason_key, _want(idea, now))
    return {drive: tuple(by_key.values()) for drive, by_key in found.items()}


def idle(
    ideas: tuple[Candidate, ...], mind: Mind, known: Mapping[str, str], pressing: Collection[str], now: datetime
) -> tuple[tuple[str, IdleReason], ...]:
    """Return what was seen and presses nothing, in a line each, with the reason; `pressing` are the keys of what does.

    What fills a lull, is weak, or comes only when asked for is left out: nobody waits for it.
    """
    found: dict[str, tuple[str, IdleReason]] = {}
    for idea in ideas:
        is_apt = idea.drive and not idea.last_resort and worthwhile(idea) and is_welcome(idea, mind)
        if not is_apt or idea.reason_key in pressing:
            continue
        why: IdleReason = "no-agent"
        if not is_wanted(mind, idea, now):
            why = "less-wanted"
        elif not is_fresh(idea, known, ()):
            why = "answered"
        found.setdefault(idea.reason_key, (_gist(idea.prompt).text, why))
    return tuple(found.values())[:IDLE_MAX]


def _stands_open(
    idea: Candidate, mind: Mind, known: Mapping[str, str], open_keys: Collection[str], now: datetime
) -> bool:
    if idea.reason_key in open_keys:
        return True
    is_apt = not idea.last_resort and worthwhile(idea) and is_welcome(idea, mind)
    return is_apt and is_fresh(idea, known, ()) and is_wanted(mind, idea, now)


def _want(idea: Candidate, now: datetime) -> Want:
    return Want(key=idea.reason_key, sensor=idea.sensor, strength=idea.urgency, says=_gist(idea.prompt), since=now)


def _gist(prompt: Wording) -> Wording:
    """Return the prompt's first line, shortened; a quotation that is cut is closed, so it takes in no more."""
    line = prompt.text.partition("\n")[0]
    short = one_line(line, SAYS_CHARS_MAX)
    if short.count(OPEN) > short.count(CLOSE):
        short = one_line(line, SAYS_CHARS_MAX - 1) + CLOSE
    return prompt if short == prompt.text else replace(prompt, text=short, wording=None)
