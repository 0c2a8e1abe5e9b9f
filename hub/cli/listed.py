"""A list with a way back for each of its entries: shown, or with one of them taken back."""

import urllib.parse
from collections.abc import Callable, Sequence

from hub.cli.api import open_api
from hub.cli.command import CommandContext
from hub.contract.base import Value
from hub.domain.lookalikes import reveal


class ListEntry(Value):
    """One entry as a person reads it: what it is, and a line about it."""

    id: str
    summary: str
    line: str


class ListWords(Value):
    """The command that shows a list, and what is said of it: when it is empty, and once one of it was taken back."""

    command: str
    empty: str
    undone: str


def show_list(
    context: CommandContext,
    path: str,
    undo_id: str | None,
    entries: Callable[[bytes], Sequence[ListEntry]],
    words: ListWords,
) -> bytes:
    """Show the list at a path of the API, and return its document; with `undo_id`, take that entry back first.

    Raises:
        RefusedError: there is no such entry.
    """
    api = open_api(context.home)
    if undo_id is None:
        document = api.call("GET", path)
    else:
        document = api.call("DELETE", f"{path}/{urllib.parse.quote(undo_id, safe='')}")
    if context.printed(document):
        return document
    if undo_id is not None:
        context.say(f"✓ {words.undone}", "green")
    found = entries(document)
    for one in found:
        show_entry(context, one)
    if found:
        context.hint(f"To undo one: pulse {words.command} --undo ID")
    else:
        context.say(words.empty)
    return document


def show_entry(context: CommandContext, one: ListEntry) -> None:
    """Show one entry, in two lines."""
    context.say(f"{one.id}  {reveal(one.summary)}", bold=True)
    context.say(f"  {one.line}")
