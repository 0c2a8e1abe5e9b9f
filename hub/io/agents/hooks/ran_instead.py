"""What ran in the place of what was approved, by the agent's own word after the tool. Pure.

Theory: another hook may give a tool something else after a person has looked: Claude Code takes the last input that any
hook gives it. What an agent says a tool was given is held against what was approved, field by field, so no field that
changes what runs is passed over. Left out is only what an agent shows its hooks before a tool and leaves out after it.
"""

import re

from hub.contract.base import Value
from hub.contract.permission import Act, Permission
from hub.io.agents.hooks.call_fields import NOTHING_KNOWN
from hub.io.agents.hooks.step import Dialect, HookStep, ToolInput, plain_json
from hub.kit.line_diff import line_diff
from hub.loop.permissions import title_of

ANSWERED = frozenset({Act.QUESTION, Act.PLAN})
"""What runs nothing, and has the answer or what was written in the agent's own dialog in it afterwards."""
DIFFERENCE_CHARS_MAX, RAN_CHARS_MAX = 500, 8_000
FIELDS_MAX = 8
_CUT = re.compile(r" … (\d{1,9}) more characters$")
"""How a text ends that was cut on the way here (`hook_shorten.py`)."""


class RanInstead(Value):
    """What ran, as its card shows such a call, and in what it is not what was approved."""

    text: str
    difference: str


def ran_instead(dialect: Dialect, approved: HookStep, ran: HookStep) -> RanInstead | None:
    """Return what ran, where that is not what was approved; None where it is, or where nothing runs."""
    wanted = dialect.wanted(approved)
    if wanted.act in ANSWERED:
        return None
    before_only = dialect.fields.get(approved.tool, NOTHING_KNOWN).before_only
    is_cut = approved.shortened or ran.shortened
    names = [
        name
        for name in dict.fromkeys((*approved.input, *ran.input))
        if not (name in before_only and name not in ran.input)
        and not _is_same(approved.input, ran.input, name, is_cut=is_cut)
    ]
    if not names and approved.tool == ran.tool:
        return None
    told = [_told(approved.input, ran.input, name, is_text=name == wanted.text_in) for name in names[:FIELDS_MAX]]
    return RanInstead(
        text=_bounded(_title(dialect, ran), RAN_CHARS_MAX),
        difference=_bounded("\n".join(told) or ran.tool, DIFFERENCE_CHARS_MAX),
    )


def _is_same(approved: ToolInput, ran: ToolInput, name: str, *, is_cut: bool) -> bool:
    if (name in approved) is not (name in ran):
        return False
    before, after = approved.get(name), ran.get(name)
    if is_cut and isinstance(before, str) and isinstance(after, str):
        return _same_as_far_as_known(before, after)
    may_be_cut = is_cut and isinstance(before, list | dict) and isinstance(after, list | dict)
    return may_be_cut or plain_json(before) == plain_json(after)


def _same_as_far_as_known(before: str, after: str) -> bool:
    """Return True if two texts begin alike and are as long, as far as what was cut of them lets see."""
    (one, size), (other, other_size) = _whole(before), _whole(after)
    shown = min(len(one), len(other))
    return size == other_size and one[:shown] == other[:shown]


def _whole(text: str) -> tuple[str, int]:
    """Return what is left of a text, and how long it was."""
    cut = _CUT.search(text)
    left = text if cut is None else text[: cut.start()]
    return left, len(left) + (0 if cut is None else int(cut[1]))


def _told(approved: ToolInput, ran: ToolInput, name: str, *, is_text: bool) -> str:
    if name not in ran:
        return f"{name}: ∅"
    before, after = (one if isinstance(one, str) else plain_json(one) for one in (approved.get(name, ""), ran[name]))
    if before and "\n" in f"{before}{after}":
        after = "\n".join(one for one in line_diff(name, before, after, context=0)[2:] if one[:1] in {"-", "+"})
    return after if is_text else f"{name}: {after}"


def _title(dialect: Dialect, step: HookStep) -> str:
    wanted = dialect.wanted(step)
    return title_of(
        Permission(
            agent=dialect.name,
            tool=step.tool,
            act=wanted.act,
            text=wanted.text,
            target=wanted.target,
            other_files=wanted.others,
        )
    )


def _bounded(text: str, chars_max: int) -> str:
    return text if len(text) <= chars_max else f"{text[: chars_max - 1]}…"
