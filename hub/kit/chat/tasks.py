"""A sentence in a chat becomes a task; the answer says how it was understood, and takes it back."""

from collections.abc import Callable
from datetime import datetime

import msgspec

from hub.contract.api import TaskView
from hub.contract.base import Value
from hub.kit.chat.choices import verb_choice
from hub.kit.chat.post import ChatPost, PostPart
from hub.kit.chat.writing import ChatWriter
from hub.kit.hub_api import HubAddress, NotPairedError, ask_hub
from hub.kit.kept_task import kept_said
from hub.kit.text import one_line

SENTENCE_CHARS_MAX = 500
KEY = "task:"
PATH = "/api/v1/tasks"
WORDS_MIN = 2
"""One word alone is more often an answer that went astray."""
SHOWN_CHARS_MAX = 240


class ChatTasks(Value):
    """The hub's tasks as a chat needs them: keep a sentence as a task, and drop one that was just kept."""

    keep: Callable[[str], TaskView]
    drop: Callable[[str], None]


def tasks_of(hub: HubAddress) -> ChatTasks:
    """Return the tasks of a hub; each call is one request, and raises a PulseError where it did not do it."""

    def keep(sentence: str) -> TaskView:
        document = ask_hub(hub, "POST", PATH, {"title": sentence})
        try:
            return msgspec.json.decode(document, type=TaskView)
        except msgspec.DecodeError as error:
            raise NotPairedError(f"The hub's answer cannot be read: {error}.") from error

    def drop(task_id: str) -> None:
        ask_hub(hub, "DELETE", f"{PATH}/{task_id}")

    return ChatTasks(keep=keep, drop=drop)


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
    """Write that nothing was kept."""
    return ChatPost(parts=(PostPart(kind="text", text=writer.words.title("task.taken_back")),), is_silent=True)
