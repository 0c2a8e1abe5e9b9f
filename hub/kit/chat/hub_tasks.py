"""The hub's tasks for a chat: each call is one request."""

import msgspec

from hub.contract.api import TaskView
from hub.kit.chat.tasks import ChatTasks
from hub.kit.hub_api import HubAddress, NotPairedError, ask_hub

PATH = "/api/v1/tasks"


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
