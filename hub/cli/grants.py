"""`pulse grants`: what may run without asking, and taking it back."""

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.listed import ListEntry, ListWords, show_list
from hub.cli.person_clock import here
from hub.contract.grants import GrantList, GrantRecord
from hub.contract.phrasing import Phrasing
from hub.domain.lookalikes import reveal
from hub.kit.naming import agent_title
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded

PATH = "/grants"
NOTHING_YET = "No agent has a permission to do anything without asking."
CHANGED = "Narrowed or ended by an update, because it allowed more than it said:"
ALONE = "Also allowed, by a setting or an agent's own mode:"
BECAME = {
    "made": "allowed",
    "used": "used",
    "ended": "removed",
    "expired": "expired",
    "stopped": "stopped",
    "started": "started",
}
"""What became of a permission, or of Pulse, in a word."""
WORDS = ListWords(command="grants", empty="Nothing runs without asking.", undone="From now on it asks again.")


@command()
@click.option("--undo", "grant_id", metavar="ID", help="Remove one of them.")
@click.option("--record", "wants_record", is_flag=True, help="Show what ran without asking, newest first.")
@click.pass_obj
def grants(context: CommandContext, grant_id: str | None, *, wants_record: bool) -> None:
    """List permissions to run without asking, and remove them.

    Agents may do what you allowed on one of their requests. Pulse itself runs what you put on autopilot while you are
    away. Nothing is listed here that you did not approve.

    Example: pulse grants --undo yes_7f3a1
    """
    if wants_record:
        _show_record(context)
        return
    document = show_list(context, PATH, grant_id, _entries, WORDS)
    for line in () if context.as_json else _beside(document):
        context.say(line)


def _entries(document: bytes) -> list[ListEntry]:
    return [
        ListEntry(
            id=grant.id,
            summary=worded(grant.summary_worded, grant.summary, phrases()),
            line=f"{grant.effect}  (allowed on {here(grant.since):%Y-%m-%d %H:%M}, {reveal(grant.by)})",
        )
        for grant in read(document, GrantList).grants
    ]


def _beside(document: bytes) -> list[str]:
    """Return what stands below the list: what an update changed, and what goes on by settings and modes."""
    found = read(document, GrantList)
    changed = [f"  {reveal(one.was)} → {_said(one.left_worded, one.left) or 'ended'}" for one in found.changed]
    alone = [
        f"  {_said(one.summary_worded, one.summary)}  ({_said(one.change_worded, one.change)})" for one in found.alone
    ]
    return [*([CHANGED, *changed] if changed else []), *([ALONE, *alone] if alone else [])]


def _said(wording: Phrasing | None, text: str) -> str:
    """Return a sentence of the hub with agents called as the person knows them."""
    return reveal(worded(wording, text, phrases()))


def _show_record(context: CommandContext) -> None:
    document = open_api(context.home).call("GET", f"{PATH}/record")
    if context.printed(document):
        return
    lines = read(document, GrantRecord).lines
    for one in lines:
        by = reveal(agent_title(one.by, phrases()))
        told = f"{here(one.at):%Y-%m-%d %H:%M}  {BECAME[one.what]:<7}  {by}  {_said(one.text_worded, one.text)}"
        context.say(told.rstrip())
    if not lines:
        context.say(NOTHING_YET)
