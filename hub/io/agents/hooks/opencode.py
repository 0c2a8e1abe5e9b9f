"""OpenCode's events, as the plugin hands them on that `pulse connect opencode` puts in: requests, questions, answers.

Written after OpenCode 1.18.34. Its own rules say when it asks; a plugin hears of it and answers as its dialog does
(its hook `permission.ask` is never called). Unknown events are passed over. Other words for what it would do it takes
from nobody, so nothing here can be changed, only answered.
"""

from collections.abc import Callable, Mapping

from hub.contract.permission import Act, AgentQuestion
from hub.io.agents.hooks import call_fields, own_tools
from hub.io.agents.hooks.claude_tools import other, searched
from hub.io.agents.hooks.several_files import edit_of_files
from hub.io.agents.hooks.step import (
    LABEL_CHARS_MAX,
    AgentOffer,
    At,
    Dialect,
    HookOutput,
    HookStep,
    ToolInput,
    Unreadable,
    Wanted,
    Word,
    fields_of,
    name_of,
    plain_json,
)
from hub.kit.forms import question_of
from hub.kit.line_diff import blanks_told
from hub.kit.loose_json import object_of, objects_of, text_of, texts_of

EVENTS: Mapping[str, At] = {
    "permission.asked": At.LEAVE,
    "question.asked": At.LEAVE,
    "permission.replied": At.AFTER,
    "question.replied": At.AFTER,
    "question.rejected": At.REFUSED,
    "session.idle": At.TURN_END,
    "session.error": At.TURN_FAILED,
    "session.created": At.BEGIN,
    "session.deleted": At.END,
}
"""A reply comes with the request that it answers, for it names nothing but its number."""
REJECT = "reject"
"""How a reply says no; one of an older plugin does not say how it was, and was none."""
ABOUT_ONE = frozenset({At.LEAVE, At.AFTER, At.REFUSED})
ABORTED = "MessageAbortedError"
"""Its person broke the turn off; the model's service gave no error."""
QUESTION_TOOL, EDIT_TOOL = "question", "edit"
ALWAYS = "always"


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what the plugin handed on."""
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return fields
    event = name_of(fields, "event")
    if not event:
        return Unreadable(why="It does not say which event this is.")
    about = object_of(fields, "properties")
    at = EVENTS.get(event, At.ELSE)
    if at is At.AFTER and about.get("reply") == REJECT:
        at = At.REFUSED
    error = name_of(object_of(about, "error"), "name")
    if at is At.TURN_FAILED and error in {"", ABORTED}:
        at = At.TURN_END
    is_question = event.startswith("question.")
    tool = QUESTION_TOOL if is_question else name_of(about, "permission")
    if at in ABOUT_ONE and not tool:
        return Unreadable(why=f"{event} does not say what is asked for.")
    return HookStep(
        at=at,
        event=event,
        session=name_of(about, "sessionID"),
        folder=text_of(fields, "folder"),
        tool=tool,
        call=name_of(about, "id"),
        input={"questions": about.get("questions")} if is_question else _input(about),
        offers=_offers(about),
        error=error,
    )


def write(step: HookStep, word: Word) -> HookOutput:
    """Say it so that the plugin can answer for the person; with nothing to say OpenCode's own dialog goes on."""
    if step.at is not At.LEAVE or word.says not in {"allow", "deny"}:
        return HookOutput()
    if step.tool == QUESTION_TOOL:
        given = (word.input or {}).get("answers")
        return HookOutput(text=plain_json({"answers": given} if word.says == "allow" else {"reject": True}))
    if word.says == "deny":
        return HookOutput(text=plain_json({"reply": REJECT, "message": word.reason}))
    return HookOutput(text=plain_json({"reply": ALWAYS if word.echoes else "once"}))


def wanted_of(step: HookStep) -> Wanted:
    """Say what is asked for."""
    return _edit(step) if step.tool == EDIT_TOOL else WANTED.get(step.tool, other)(step.input)


def questions_of(step: HookStep) -> tuple[AgentQuestion, ...]:
    """Return the questions that the agent asks, none where it asks for leave."""
    asked = objects_of(step.input, "questions") if step.tool == QUESTION_TOOL else ()
    return tuple(
        question_of(one, f"q{number}", several="multiple", own_words=one.get("custom") is not False)
        for number, one in enumerate(asked)
    )


def answered(step: HookStep, answers: Mapping[str, tuple[str, ...]]) -> ToolInput:
    """Return the answers in the order of their questions."""
    return {"answers": [list(answers.get(one.id, ())) for one in questions_of(step)]}


def _input(about: ToolInput) -> ToolInput:
    patterns = about.get("patterns")
    return {**object_of(about, "metadata"), "patterns": patterns if isinstance(patterns, list) else []}


def _offers(about: ToolInput) -> tuple[AgentOffer, ...]:
    """Return the one offer that OpenCode makes: to ask no more for what fits these patterns, in this session.

    One whose patterns do not all fit on the card is not offered: the yes would hold for those, too.
    """
    patterns = [one for one in texts_of(about, "always") if one]
    label = f"Always allow {', '.join(patterns)}, in this session"
    if not patterns or len(label) > LABEL_CHARS_MAX:
        return ()
    return (AgentOffer(id=ALWAYS, label=label, lasts="session", echo={"reply": ALWAYS}),)


def _first_pattern(given: ToolInput) -> str:
    return next(iter(texts_of(given, "patterns")), "")


def _bash(given: ToolInput) -> Wanted:
    return Wanted(act=Act.COMMAND, text=text_of(given, "command") or _first_pattern(given))


def _edit(step: HookStep) -> Wanted:
    """Say which files are changed: a patch of several names them all in its patterns and in `files`, moves included."""
    given = step.input
    patterns, path = texts_of(given, "patterns"), text_of(given, "filepath", "filePath")
    if path == ", ".join(patterns):
        path = ""
    files = (text_of(one, name) for one in objects_of(given, "files") for name in ("filePath", "movePath"))
    full = list(dict.fromkeys(one for one in (path, *files) if one))
    named = (*full, *(one for one in patterns if one and not any(f"/{each}".endswith(f"/{one}") for each in full)))
    found = edit_of_files(named, blanks_told(text_of(given, "diff")), step.folder)
    return found if found.act is Act.EDIT else other(given)


def _read(given: ToolInput) -> Wanted:
    return Wanted(act=Act.READ, target=text_of(given, "filepath", "filePath", "path") or _first_pattern(given))


def _outside(given: ToolInput) -> Wanted:
    """Return a look at a folder outside; a server `external` with a tool `directory` has this name, and no folder."""
    wanted = _read(given)
    return wanted if wanted.target.startswith(("/", "~")) else other(given)


def _search(given: ToolInput) -> Wanted:
    pattern = text_of(given, "pattern") or _first_pattern(given)
    return searched(text_of(given, "path"), pattern, text_of(given, "include"))


def _fetch(given: ToolInput) -> Wanted:
    target = text_of(given, "url", "query") or _first_pattern(given)
    return Wanted(act=Act.FETCH, target=target)


def _question(given: ToolInput) -> Wanted:
    del given
    return Wanted(act=Act.QUESTION)


WANTED: Mapping[str, Callable[[ToolInput], Wanted]] = {
    "bash": _bash,
    "read": _read,
    "glob": _search,
    "grep": _search,
    "list": _read,
    "external_directory": _outside,
    "webfetch": _fetch,
    "websearch": _fetch,
    QUESTION_TOOL: _question,
}

OPENCODE = Dialect(
    name="opencode",
    title="OpenCode",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.OPENCODE,
    own_tools=own_tools.OPENCODE,
    events=EVENTS,
    questions=questions_of,
    answered=answered,
    asks_beside=True,
)
