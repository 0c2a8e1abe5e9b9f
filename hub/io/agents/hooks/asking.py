"""From what an agent says to the question that a person sees, and from their answer to what the agent is told."""

import hashlib
import re
from collections.abc import Callable, Mapping

import msgspec

from hub.contract.control import PermissionReply
from hub.contract.effects import Effect
from hub.contract.permission import (
    NUL,
    REASON_CHARS_MAX,
    TEXT_CHARS_MAX,
    WAIT_S_MAX,
    Act,
    Lasts,
    Permission,
    PermissionRequest,
    request_in,
)
from hub.contract.words import Risk, Verb
from hub.domain.calls import AgentCall
from hub.domain.requests import GrantUsed
from hub.io.agents.hooks.call_fields import NOTHING_KNOWN, CallFields, fields_of_call
from hub.io.agents.hooks.own_tools import ASKS_NOBODY, effects_beside, own_effect
from hub.io.agents.hooks.skills import doubt_in, file_kind
from hub.io.agents.hooks.step import NOTHING, AgentOffer, Dialect, HookStep, ToolInput, Wanted, Word, plain_json
from hub.may import read_led_to, unasked
from hub.screening.acts import ActReading, read_act
from hub.screening.commands.operands import UNCLEAR_NAME
from hub.screening.tool_input import is_loose

CALL_CHARS = 32
RISKS = tuple(Risk)
_CUT_NAME = re.compile(r" … \d+ more characters$")
"""How a name ends that was cut on the way here (`hook_shorten.py`), so that nobody knows what it names."""
FIELDS_NAMED = 3
_CUT_TEXT = re.compile(r" … (\d{1,9}) more characters")
CUT = frozenset({Act.EDIT, Act.PLAN, Act.OTHER})
"""What may be shown shortened, with how much is left out."""
WHOLE = frozenset({Act.COMMAND, Act.QUESTION})
"""What is shown whole or not at all."""
STOPPED = "Pulse's emergency stop is on. Only a person can lift it: pulse resume --emergency."
UNREAD = "Pulse: it is unclear what this would do, so a person must look at it first. Write it in plain text."
DOES: Mapping[Effect, str] = {
    Effect.READS_SECRETS: "reveal a secret",
    Effect.RUNS_UNKNOWN_CODE: "run code that nobody here has read",
    Effect.DELETES: "delete something",
    Effect.LEAVES_THE_MACHINE: "send data to another machine",
    Effect.MESSAGES: "message other people",
    Effect.PAYS: "spend money",
    Effect.CHANGES_PERMISSIONS: "change permissions",
    Effect.CHANGES_SYSTEM: "change this computer outside the project",
    Effect.TOUCHES_PRODUCTION: "change what other people use",
}
"""What each effect that a person is asked about would do, behind "It would"."""


def first_word(dialect: Dialect, step: HookStep, *, stopped: Callable[[], bool]) -> Word:
    """Return what becomes of a tool that is about to be used: nothing where it is harmless, else it asks first.

    After the emergency stop what is not harmless is refused. A command that cannot be read whole or is not where it is
    looked for, one of a program that Pulse does not know, and a tool that it does not know, always ask.
    """
    wanted = dialect.wanted(step)
    if wanted.act in {Act.QUESTION, Act.PLAN}:
        return NOTHING
    fields = fields_of_call(dialect, step, wanted)
    call = AgentCall(
        act=wanted.act,
        tool=step.tool,
        text=wanted.text,
        places=(wanted.target, *wanted.others),
        folder=fields.folder,
        workspace=step.folder,
        told_whole=_is_told(step, wanted),
        has_rules=True,
        asks_nobody=step.mode in ASKS_NOBODY,
        own_effects=_own_effects(dialect, step, wanted),
        led_to=step.led_to or (),
    )
    if not fields.asks and step.led_to is not None and unasked(call) is not None:
        return NOTHING
    if stopped():
        return Word(says="deny", reason=STOPPED)
    reading = _reading(dialect, step, wanted, fields.folder)
    return Word(says="ask", reason=f"Pulse: {_why(reading, step, fields)}")


def _is_told(step: HookStep, wanted: Wanted) -> bool:
    """Return True if what was said says which files or address are meant, or all that would be done."""
    match wanted.act:
        case Act.EDIT:
            return bool(wanted.target.strip()) and not _is_unclear(step, wanted)
        case Act.READ | Act.FETCH:
            return bool(wanted.target or (wanted.text and not step.shortened)) and not _is_unclear(step, wanted)
    return bool(wanted.text.strip()) and NUL not in wanted.text and not step.shortened


def _is_unclear(step: HookStep, wanted: Wanted) -> bool:
    """Return True if it cannot be known which file or address an agent takes a name for."""
    return _is_cut(step, wanted) or any(map(UNCLEAR_NAME.search, (wanted.target, *wanted.others)))


def _is_cut(step: HookStep, wanted: Wanted) -> bool:
    """Return True if a file, an address or the folder is not told as the agent has it."""
    names = (wanted.target, *wanted.others, step.folder)
    return any(NUL in one or (step.shortened and _CUT_NAME.search(one)) for one in names)


def _reading(dialect: Dialect, step: HookStep, wanted: Wanted, folder: str) -> ActReading:
    """Read what the tool would do; of several files by the riskiest."""
    own = _own_effects(dialect, step, wanted)
    if own:
        return ActReading(effects=own, risk=Risk.LOW)
    targets = (wanted.target, *wanted.others)
    readings = (read_act(wanted.act, wanted.text, one, folder, step.tool, workspace=step.folder) for one in targets)
    led_to = (read_led_to(one, step.folder) for one in step.led_to or ())
    return max((*readings, *led_to), key=lambda reading: RISKS.index(reading.risk))


def files_named(dialect: Dialect, step: HookStep) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files, in full, that a tool would touch, and those of them that it would write."""
    wanted = dialect.wanted(step)
    if not step.folder.startswith("/") or _own_effects(dialect, step, wanted):
        return (), ()
    folder = fields_of_call(dialect, step, wanted).folder
    targets = (wanted.target, *wanted.others)
    readings = [read_act(wanted.act, wanted.text, one, folder, step.tool) for one in targets]
    named, written = (
        (path for one in readings for path in one.named),
        (path for one in readings for path in one.written),
    )
    return tuple(dict.fromkeys(named)), tuple(dict.fromkeys(written))


def _own_effects(dialect: Dialect, step: HookStep, wanted: Wanted) -> tuple[Effect, ...]:
    """Return what a tool of the agent's own does that its input does not say; nothing for any other tool."""
    own = own_effect(dialect.own_tools, step) if wanted.act is Act.OTHER else None
    if own is None:
        return ()
    return (own, *effects_beside(step.input))


def unread_word(dialect: Dialect, *, stopped: bool) -> Word:
    """Return what follows for a tool that waits, where nobody could read which it is or what it would do."""
    return Word(says="deny", reason=STOPPED) if stopped else Word(says=dialect.unread, reason=UNREAD)


def about_to(dialect: Dialect, step: HookStep) -> Permission | None:
    """Return what an agent is about to do, to be compared with what it need not ask about; None if cut or unclear."""
    wanted = dialect.wanted(step)
    if step.shortened or len(wanted.text) > TEXT_CHARS_MAX or wanted.act in {Act.QUESTION, Act.PLAN}:
        return None
    if _is_unclear(step, wanted):
        return None
    fields = fields_of_call(dialect, step, wanted)
    return Permission(
        agent=dialect.name,
        tool=step.tool,
        act=wanted.act,
        text=wanted.text,
        target=wanted.target,
        folder=fields.folder,
        session=step.session,
        subagent=step.subagent,
        subagent_type=step.subagent_type,
        call=call_name(step),
        settings=fields.settings,
        unknown_fields=fields.unknown,
        other_files=_all_others(step, wanted),
    )


def _all_others(step: HookStep, wanted: Wanted) -> tuple[str, ...]:
    """Return the other files that are touched, and those to which links lead, which are touched as well."""
    led_to = (one.real for one in step.led_to or ()) if wanted.act in {Act.EDIT, Act.READ} else ()
    return tuple(dict.fromkeys((*wanted.others, *led_to)))


def granted_word(used: GrantUsed) -> Word:
    """Tell an agent to go on, and by whose word."""
    return Word(says="allow", reason=f"Pulse: the user allowed this without asking ({used.summary}).")


def as_given(dialect: Dialect, step: HookStep) -> ToolInput:
    """Return what a tool of this step is to be given: all that was shown, but what an agent shows its hooks alone."""
    before_only = dialect.fields.get(step.tool, NOTHING_KNOWN).before_only
    return {name: value for name, value in step.input.items() if name not in before_only}


def call_name(step: HookStep) -> str:
    """Name one use of a tool: the agent's own name for it is not given when it asks, its input is."""
    said = msgspec.json.encode((step.tool, step.input), order="deterministic")
    return hashlib.sha256(said).hexdigest()[:CALL_CHARS]


def request_of(dialect: Dialect, step: HookStep, wait_s: int) -> PermissionRequest | None:
    """Return the question for a person; None for what cannot be put to them, which the agent's own dialog must ask."""
    wanted = dialect.wanted(step)
    if _is_cut(step, wanted) or (step.shortened and wanted.act in WHOLE):
        return None
    told = wanted.text
    if wanted.act is Act.EDIT and not told.strip():
        told = plain_json(step.input)  # an emptied file, too, is a change that a person sees before a yes
    text = told[:TEXT_CHARS_MAX] if wanted.act in CUT else told
    wait_s = min(wait_s, WAIT_S_MAX)
    fields = fields_of_call(dialect, step, wanted)
    if fields.is_from_file and any(_CUT_NAME.search(one.value) for one in fields.unknown):
        return None  # what a skill brings along is shown whole or not at all
    said = {
        "agent": dialect.name,
        "tool": step.tool,
        "act": wanted.act,
        "text": text,
        "target": wanted.target,
        "folder": fields.folder,
        "settings": msgspec.to_builtins(fields.settings),
        "unknownFields": msgspec.to_builtins(fields.unknown),
        "otherFiles": list(_all_others(step, wanted)),
        "reason": wanted.reason[:REASON_CHARS_MAX],
        "session": step.session,
        "subagent": step.subagent,
        "subagentType": step.subagent_type,
        "call": call_name(step),
        "leftOut": len(told) - len(text) + _cut_before(step, wanted) + _cut_in(step, fields),
        "options": [{"id": one.id, "label": one.label, "lasts": Lasts(one.lasts)} for one in step.offers],
        "questions": [msgspec.to_builtins(one) for one in dialect.questions(step)],
        "editable": bool(wanted.text_in) and not step.shortened and not step.untold,
        "timeoutS": wait_s,
        "waitS": wait_s,
        "withdrawWhenGone": True,
    }
    return request_in(said)


def _cut_before(step: HookStep, wanted: Wanted) -> int:
    """Return how much was cut of a text on the way here, at least; lists are cut without a word (`hook_shorten.py`)."""
    if not step.shortened or wanted.act not in CUT:
        return 0
    return max(1, sum(map(int, _CUT_TEXT.findall(wanted.text))))


def _cut_in(step: HookStep, fields: CallFields) -> int:
    """Return how much of the fields beside the text, and of the files that say what it does, is not on the card.

    Files that could not be looked for count as well: nobody knows what stands in them.
    """
    is_unseen = fields.is_from_file and bool(step.unseen)
    return fields.left_out + sum(one.left_out for one in step.skills) + is_unseen


def word_of(dialect: Dialect, step: HookStep, reply: PermissionReply) -> Word:
    """Turn a person's answer into what the agent is told; without an answer its own dialog goes on."""
    if reply.approved and reply.prediction.settled is None:
        return Word(says="allow", reason=f"Pulse: {reply.prediction.outcome}")
    if not reply.answered or reply.prediction.settled is None:
        return NOTHING
    settled, answer = reply.prediction.settled, reply.answer
    if not reply.approved:
        return Word(says="deny", reason=_refusal(settled.reason))
    if answer is None:
        return Word(says="allow")
    wanted = dialect.wanted(step)
    if settled.verb is Verb.EDIT and answer.text and wanted.text_in:
        return _changed_word(step, wanted, answer.text)
    given = dialect.answered(step, answer.answers) if wanted.act is Act.QUESTION else None
    taken: tuple[AgentOffer, ...] = tuple(one for one in step.offers if one.id == answer.option)
    return Word(says="allow", input=given, echoes=tuple(one.echo for one in taken))


def _changed_word(step: HookStep, wanted: Wanted, text: str) -> Word:
    """Let it run with the person's own text in it, and have the model told: else it takes its own for what ran."""
    context = f"The user changed this before it ran. You asked for:\n{wanted.text}\nWhat runs instead:\n{text}"
    return Word(says="allow", input={**step.input, wanted.text_in: text}, context=context)


def _why(reading: ActReading, step: HookStep, fields: CallFields) -> str:
    does = [DOES[effect] for effect in reading.effects if effect in DOES]
    if does:
        return f"it would {' and '.join(does[:2])}."
    if step.brought:
        named = ", ".join(one.path for one in step.brought[:FIELDS_NAMED])
        return f"git may change what agents or git itself read as they start ({named})."
    if fields.asks:
        names = [one.name for one in (*fields.unknown, *filter(is_loose, fields.settings))]
        names = [doubt_in(step), *names] if fields.is_from_file and doubt_in(step) else names or [file_kind(step)]
        return f"a person must check what it would run with ({', '.join(names[:FIELDS_NAMED])})."
    if step.shortened:
        return "it is too long to read."
    if step.led_to is None:
        return "Pulse could not check in time where the files it names lead."
    return f"it is unknown what {reading.doubt or 'this'} would do."


def _refusal(reason: str) -> str:
    """Say to the agent that its person said no, with their words if there are any."""
    said = reason.strip()
    return f"The user said no: {said}" if said else "The user said no. Ask them what they want instead."
