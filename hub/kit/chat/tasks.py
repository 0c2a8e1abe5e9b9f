"""A sentence in a chat becomes a task; the answer says how it was understood, and takes it back. Pure."""

from collections.abc import Callable
from datetime import datetime

from hub.contract.api import TaskView
from hub.contract.base import Value
from hub.kit.chat.choices import verb_choice
from hub.kit.chat.post import ChatPost, PostPart
from hub.kit.chat.writing import ChatWriter
from hub.kit.kept_task import kept_said
from hub.kit.text import one_line

KEY = "task:"
WORDS_MIN = 3
"""Fewer, without a moment, are more often thanks or an answer that went astray."""
SHOWN_CHARS_MAX = 240


class ChatTasks(Value):
    """The hub's tasks as a chat needs them: keep a sentence as a task, and drop one that was just kept."""

    keep: Callable[[str], TaskView]
    drop: Callable[[str], None]


def kept_post(task: TaskView, writer: ChatWriter, now: datetime, *, card_waits: bool) -> ChatPost:
    """Write how a sentence was understood, with the choice to take it back."""
    words = writer.words
    said = [kept_said(task, words, now.astimezone(writer.zone))]
    said += [words.title("task.card_waits")] if card_waits else []
    parts = (
        PostPart(kind="title", text=one_line(task.title, SHOWN_CHARS_MAX)),
        *(PostPart(kind="text", text=line) for line in said),
    )
    return ChatPost(parts=parts, rows=((verb_choice("u", words),),), is_silent=True)


def dropped_post(writer: ChatWriter) -> ChatPost:
    """Return the message in place of a task that was taken back."""
    return ChatPost(parts=(PostPart(kind="text", text=writer.words.title("task.taken_back")),), is_silent=True)
