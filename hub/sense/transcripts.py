"""What agent session transcripts tell: who spoke last, when, about what, and whether a question is open.

Two formats of JSON lines, both undocumented and changing, so everything that is not understood is passed over:
Claude Code (`~/.claude/projects/*/*.jsonl`) and Codex (`~/.codex/sessions/**/rollout-*.jsonl`). Of the content nothing
is kept but two short strings.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, Literal

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import TranscriptText
from hub.domain.situation import Conversation
from hub.kit.text import one_line

Source = Literal["claude-code", "codex"]

QUESTION_CHARS_MAX = 200
TOPIC_CHARS_MAX = 80
FOLDER_CHARS_MAX = 4_096
SENTENCE_ENDS = (". ", "! ", "? ", "\n")
MARKUP_AT_END = " \t\r\n*_`)\"'”"


class Utterance(Value):
    """Somebody did something: `text` is empty for work without words, such as a tool call."""

    at: datetime
    who: Literal["person", "agent"]
    text: str = ""
    folder: str = ""


class Gist(Value):
    """What is remembered of a transcript. `automated` ones were started by a program, so nobody spoke in them."""

    last: Utterance | None = None
    person_at: datetime | None = None
    topic: str = ""
    automated: bool = False
    folder: str = ""


AUTOMATED: Final = "automated"
Reader = Callable[[bytes], "Utterance | Literal['automated'] | None"]


def gist(lines: Iterable[bytes], read: Reader) -> Gist:
    """Fold the lines of a transcript, oldest first."""
    last: Utterance | None = None
    person_at: datetime | None = None
    topic = folder = ""
    for line in lines:
        found = read(line)
        if isinstance(found, str):
            return Gist(automated=True)
        if found is None:
            continue
        last = found
        folder = found.folder or folder
        if found.who == "person":
            person_at = found.at
            topic = topic or one_line(found.text, TOPIC_CHARS_MAX)
    return Gist(last=last, person_at=person_at, topic=topic, folder=folder)


def conversation(name: str, source: Source, beginning: Gist, end: Gist) -> Conversation | None:
    """Make a conversation of the gists of a file's beginning and end; None when nobody speaks in it."""
    if end.last is None or beginning.automated or end.automated:
        return None
    return Conversation(
        id=TranscriptText(name),
        source=TranscriptText(source),
        last_at=end.last.at,
        last_from=end.last.who,
        open_question=TranscriptText(open_question(end.last)),
        topic=TranscriptText(beginning.topic or end.topic),
        person_at=end.person_at or beginning.person_at,
        folder=(end.folder or beginning.folder)[:FOLDER_CHARS_MAX],
        is_done=end.last.who == "agent" and bool(end.last.text.strip()),
    )


def open_question(last: Utterance) -> str:
    """Return the question that the agent's last message ends with, shortened; empty when it asks nothing."""
    said = last.text.rstrip(MARKUP_AT_END)
    if last.who != "agent" or not said.endswith(("?", "？")):  # noqa: RUF001  the full-width mark is meant
        return ""
    body = said[:-1]
    start = max(body.rfind(end) + len(end) if end in body else 0 for end in SENTENCE_ENDS)
    return one_line(said[start:].lstrip("*_`#>- "), QUESTION_CHARS_MAX)


# -- Claude Code -------------------------------------------------------------------------------------------------------

SYSTEM_TEXT = ("<local-command", "<system-reminder", "<task-notification", "<bash-stdout", "<bash-stderr", "Caveat:")
"""How texts begin that the program writes in the person's name."""
ACTION_TEXT = ("<command-", "<bash-input", "[Request interrupted")
"""How the person's own acts begin that are no words to quote."""


ABSENT = msgspec.Raw()
"""For a part that does not exist; one that is gets decoded only when it is needed."""


class Question(Value):
    """One question of the tool by which the agent asks."""

    question: str = ""


class ToolInput(Value):
    """The input of that tool."""

    questions: tuple[Question, ...] = ()


class Block(Value):
    """One part of a message; other kinds of input than the one looked for are left undecoded."""

    type: str = ""
    text: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


class ClaudeMessage(Value):
    """The words themselves."""

    content: str | list[Block] = ""


class MessageOrigin(Value):
    """Who wrote it."""

    kind: str = "human"


class Answers(Value):
    """The result of a tool; `answers` is there when the person answered a question."""

    answers: msgspec.Raw = ABSENT


class ClaudeLine(Value):
    """One line of a Claude Code transcript."""

    type: str = ""
    timestamp: datetime | None = None
    message: ClaudeMessage | None = None
    entrypoint: str = ""
    cwd: str = ""
    is_meta: bool = msgspec.field(name="isMeta", default=False)
    is_sidechain: bool = msgspec.field(name="isSidechain", default=False)
    is_summary: bool = msgspec.field(name="isCompactSummary", default=False)
    origin: MessageOrigin | None = None
    tool_result: msgspec.Raw = msgspec.field(name="toolUseResult", default=ABSENT)


_claude = msgspec.json.Decoder(ClaudeLine)


def claude_line(line: bytes) -> "Utterance | Literal['automated'] | None":
    """Read one line of Claude Code; "automated" for a session that a program drives (`claude -p`, the SDKs)."""
    try:
        found = _claude.decode(line)
    except msgspec.DecodeError:
        return None
    if found.entrypoint.startswith("sdk"):
        return AUTOMATED
    if found.message is None or found.timestamp is None or found.timestamp.tzinfo is None:
        return None
    if found.is_sidechain or found.is_meta or found.is_summary:
        return None
    if found.type == "assistant":
        said = _claude_said(found.message.content)
        return Utterance(at=found.timestamp, who="agent", text=said, folder=found.cwd)
    user = _claude_user(found, found.message, found.timestamp) if found.type == "user" else None
    return user and msgspec.structs.replace(user, folder=found.cwd)


def _claude_user(line: ClaudeLine, message: ClaudeMessage, at: datetime) -> Utterance | None:
    blocks = message.content if isinstance(message.content, list) else [Block(type="text", text=message.content)]
    if any(block.type == "tool_result" for block in blocks):
        return Utterance(at=at, who="person" if _answered(line.tool_result) else "agent")
    words = " ".join(block.text for block in blocks if block.type == "text").strip()
    if words.startswith(SYSTEM_TEXT) or (line.origin and line.origin.kind != "human"):
        return None
    return Utterance(at=at, who="person", text="" if words.startswith(ACTION_TEXT) else words)


def _answered(result: msgspec.Raw) -> bool:
    try:
        return bytes(msgspec.json.decode(result, type=Answers).answers) != b""
    except msgspec.DecodeError:
        return False


def _claude_said(content: str | list[Block]) -> str:
    """Return the message's words, or the question asked by a tool; empty when the agent went on to work."""
    if isinstance(content, str):
        return content
    last = content[-1] if content else Block()
    if last.type == "tool_use" and last.name == "AskUserQuestion":
        return _asked(last.input)
    return last.text if last.type == "text" else ""


def _asked(raw: msgspec.Raw) -> str:
    try:
        questions = msgspec.json.decode(raw, type=ToolInput).questions
    except msgspec.DecodeError:
        return ""
    return questions[0].question if questions else ""


# -- Codex -------------------------------------------------------------------------------------------------------------


class CodexPayload(Value):
    """The payload of any line; `source` is a word or, for a sub-agent, a document."""

    type: str = ""
    message: str | None = None
    role: str = ""
    content: msgspec.Raw = msgspec.Raw(b"[]")
    originator: str = ""
    source: msgspec.Raw = msgspec.Raw(b'""')


class CodexLine(Value):
    """One line of a Codex rollout."""

    type: str = ""
    timestamp: datetime | None = None
    payload: CodexPayload | None = None


CODEX_WORK = frozenset({"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"})

_codex = msgspec.json.Decoder(CodexLine)


def codex_line(line: bytes) -> "Utterance | Literal['automated'] | None":
    """Read one line of Codex; "automated" for `codex exec` and sub-agents."""
    try:
        found = _codex.decode(line)
    except msgspec.DecodeError:
        return None
    if found.payload is None or found.timestamp is None or found.timestamp.tzinfo is None:
        return None
    if found.type == "session_meta":
        return AUTOMATED if _codex_automated(found.payload) else None
    return _codex_said(found.type, found.payload, found.timestamp)


def _codex_automated(meta: CodexPayload) -> bool:
    source = bytes(meta.source).strip()
    return meta.originator == "codex_exec" or source == b'"exec"' or source.startswith(b"{")


def _codex_said(kind: str, payload: CodexPayload, at: datetime) -> Utterance | None:
    if kind == "event_msg" and payload.type == "user_message":
        return Utterance(at=at, who="person", text=payload.message or "")
    if kind == "event_msg" and payload.type == "agent_message":
        return Utterance(at=at, who="agent", text=payload.message or "")
    if kind == "response_item" and payload.type == "message" and payload.role == "assistant":
        return Utterance(at=at, who="agent", text=_codex_text(payload.content))
    if kind == "response_item" and payload.type in CODEX_WORK:
        return Utterance(at=at, who="agent")
    return None


def _codex_text(content: msgspec.Raw) -> str:
    try:
        blocks = msgspec.json.decode(content, type=list[Block])
    except msgspec.DecodeError:
        return ""
    return " ".join(block.text for block in blocks)
