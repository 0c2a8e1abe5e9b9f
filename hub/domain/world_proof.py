"""What a session's need asks for, part by part, and what was found of each part: values. All words are others'."""

from typing import Literal

from hub.contract.base import Value
from hub.domain.provenance import LogText, ModelText
from hub.domain.world import NO_TEXT


class FileNeed(Value, tag="file"):
    """A file or folder that fits a pattern is to be there; with `text`, a file that holds it."""

    pattern: LogText
    text: LogText = NO_TEXT


class UrlNeed(Value, tag="url"):
    """A server on this machine is to answer a request for this address; with `text`, by words that hold it."""

    url: LogText
    text: LogText = NO_TEXT


class SaysNeed(Value, tag="says"):
    """What the session said at its end is to hold words that fit a pattern."""

    pattern: LogText


class CommandNeed(Value, tag="command"):
    """A command is to end with this exit code. Others wrote it: it is shown, and run only by a person's yes to it."""

    command: LogText
    exit_code: int = 0


class WordsNeed(Value, tag="words"):
    """Free text: whether it is met is a matter of judgement."""

    text: LogText


NeedPart = FileNeed | UrlNeed | SaysNeed | CommandNeed | WordsNeed
LookedAt = FileNeed | UrlNeed
"""What is looked at outside of the loop."""


class ProofFinding(Value):
    """What came of one part: it is `there`, it is `missing`, or nobody can say (`unknown`); and in words, what."""

    part: NeedPart
    state: Literal["there", "missing", "unknown"]
    words: LogText


class FinishVerdict(Value):
    """What a model says of a session that says it is done. `guidance` is what the next try should do."""

    verdict: Literal["verified", "retry", "failed"]
    why: ModelText
    guidance: ModelText
