"""Codex's hooks, for sessions to which Pulse cannot attach (ADR 114).

Written after the schemas in codex 0.169.0 and what it does. It says what Claude Code says, by the same names. Its own
dialog opens only when the hook is done, and it fails where it is told of another command, of lasting leave, or to stop;
so it is told yes or no, and nothing else. Before a tool it can be told no alone. Of several hooks that are asked for
leave one no counts, else one yes: beside a hook of somebody else silence is told as a no.
"""

import re

from msgspec.structs import replace

from hub.contract.permission import Act
from hub.domain.provenance import say
from hub.io.agents.hooks import call_fields, claude_code, claude_tools, own_tools
from hub.io.agents.hooks.several_files import edit_of_files
from hub.io.agents.hooks.step import At, Dialect, HookOutput, HookStep, Unreadable, Wanted, Word
from hub.io.agents.hooks.wiring import HookWish, Json, asking_entries, program_line
from hub.kit.loose_json import text_of

PATCH, IMAGE, RESOURCE = "apply_patch", "view_image", "read_mcp_resource"
FILE = re.compile(r"^[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): ?(.+)$", re.MULTILINE)
"""Codex passes over blanks of every kind before and behind such a line, as Rust's `trim` does."""
NOTES = ("SessionStart", "UserPromptSubmit", "Stop")
SAYS = (
    say("For Codex without its background server (`--no-daemon`, or settings by `-c`), which Pulse cannot attach to."),
    say("Its request becomes a card, and it waits for you."),
    say("Its dialog opens when nobody has answered in time (--wait)."),
    say("While you are at the terminal, it opens after 30 seconds."),
    say("Then say `/hooks` in Codex and trust Pulse's hooks."),
)


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what one hook was given."""
    step = claude_code.read(raw)
    return step if isinstance(step, Unreadable) else replace(step, offers=())


def write(step: HookStep, word: Word) -> HookOutput:
    """Say yes or no so that Codex understands it; with nothing to say its own rules and its own dialog go on."""
    if word.says == "deny" or (word.says == "allow" and step.at is At.LEAVE):
        return claude_code.write(step, Word(says=word.says, reason=word.reason))
    return HookOutput()


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do; nothing of it can be changed."""
    if step.tool == IMAGE:
        return Wanted(act=Act.READ, target=text_of(step.input, "path"))
    if step.tool == RESOURCE:
        return claude_tools.resource(step.input)
    if step.tool != PATCH:
        return replace(claude_tools.wanted_of(step), text_in="")
    text = text_of(step.input, "command")
    return edit_of_files((one.strip() for one in FILE.findall(text)), text, step.folder)


def entries(wish: HookWish) -> dict[str, Json]:
    """Return what stands in its file of hooks."""
    return asking_entries(wish, NOTES, _entry)


def _entry(wish: HookWish, options: list[str], timeout_s: int) -> Json:
    return {"hooks": [{"type": "command", "command": program_line(wish, *options), "timeout": timeout_s}]}


CODEX = Dialect(
    name="codex",
    title="Codex",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.CODEX,
    own_tools=own_tools.CODEX,
    events=claude_code.EVENTS,
    before="PreToolUse",
    decides_at=("PermissionRequest",),
    unread="deny",
    hides_dialog=True,
)
