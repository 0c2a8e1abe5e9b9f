"""Letting this terminal in, once: asking for the word that the person's page, phone or `pulse up` shows."""

import contextlib
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from msgspec.structs import replace

from hub.cli.api import NOT_LET_IN, HubClient, RefusedError, open_api, read, record_of
from hub.cli.command import CommandContext
from hub.contract.access import (
    CODE_CHARS_MAX,
    DeviceList,
    DeviceView,
    TerminalAnswer,
    TerminalList,
    TerminalRequest,
    TerminalView,
    TerminalWord,
)
from hub.contract.errors import UserError
from hub.io.agents.own_screen import OwnScreen
from hub.io.home.agents_connected import AgentsConnected, HookTerms
from hub.kit.called import as_called
from hub.kit.hub_api import NotRunningError

TRIES = 3
WRONG = "bad-code"
OUTSIDE = "in a terminal outside tmux, screen and recorders"
NO_PAGE = f"No page yet? Run `pulse open` {OUTSIDE}."


class ReadElsewhereError(UserError):
    """This would show a code that grants access, and your agents could read it here or in a file."""

    code = "agents-could-read-it"
    FIX = f"Run this {OUTSIDE}, or use your page: Settings, Devices, Pair a device."


class NotLetInError(UserError):
    """This terminal was not let in."""

    code = NOT_LET_IN


def can_ask() -> bool:
    """Return True if there is somebody to ask at this terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def require_own_eyes(context: CommandContext, api: HubClient) -> bool:
    """Check, once agents are connected, that only the person sees what is shown here; return True if they are.

    Raises:
        ReadElsewhereError: other programs of theirs can read what this terminal shows.
    """
    if not api.get("/terminals", TerminalList).needed:
        return False
    if not context.as_json and OwnScreen().trouble():
        raise ReadElsewhereError(
            "Agents are connected, and could read the code this would show.",
            fix=ReadElsewhereError.FIX,
        )
    return True


def let_in(api: HubClient) -> bool:
    """Ask for the word if there is somebody to ask; return True if this terminal is let in now."""
    if not can_ask():
        return False
    made = ask_for_word(api)
    click.echo(click.style(f"✓ This terminal ({made.title}) is now let in.", fg="green"), err=True)
    return True


def ask_for_word(api: HubClient) -> TerminalView:
    """Ask for the word until it is right, a few times.

    Raises:
        RefusedError: the hub refuses, because this is no person's terminal or the word was wrong too often.
    """
    shown = read(api.call("POST", "/terminals/word", may_let_in=False), TerminalWord)
    click.echo(f"Agents are connected, so this terminal ({shown.title}) has to be let in once.", err=True)
    _say_where(shown)
    for left in reversed(range(TRIES)):
        try:
            return hand_in(api, click.prompt("Word", default="", show_default=False, err=True)[:CODE_CHARS_MAX])
        except RefusedError as error:
            if error.problem.code != WRONG or not left:
                raise
            click.echo(error.detail, err=True)
    raise AssertionError("the last try returns or raises")


def _say_where(shown: TerminalWord) -> None:
    """Say where the word is, or how it does without one.

    Raises:
        NotLetInError: nothing can show one, and nothing else can let this terminal in.
    """
    if not (shown.shown_by_hub or shown.by_page or shown.by_terminal):
        raise NotLetInError(
            f"No page or phone is signed in to show a code word. {shown.trouble}",
            fix=f"Restart Pulse {OUTSIDE}: it shows a link there.",
        )
    if shown.shown_by_hub and shown.by_page:
        click.echo(
            as_called("The terminal in which `pulse up` runs shows a word; so does your page (Settings, Devices)."),
            err=True,
        )
    elif shown.shown_by_hub:
        click.echo(as_called("The `pulse up` terminal shows a code word."), err=True)
    elif shown.by_page:
        click.echo("Your page shows a code word, here or on your phone: Settings, Devices.", err=True)
    if shown.by_terminal:
        click.echo(
            as_called(f"Without a code word, in a terminal that is already let in: pulse devices let-in {shown.id}"),
            err=True,
        )
        click.echo("  (Then press Enter here.)", err=True)
    if not shown.shown_by_hub:
        click.echo(as_called(f"  (No code word in the `pulse up` terminal: {shown.trouble})"), err=True)


def let_other_in(api: HubClient, terminal_id: str) -> TerminalView:
    """Let another terminal in, from this one.

    Raises:
        RefusedError: it does not ask, or this one does not count as the person's.
    """
    document = api.call("POST", "/terminals", TerminalRequest(other=terminal_id), may_let_in=False)
    made = read(document, TerminalAnswer).terminal
    if made is None:
        raise NotLetInError(fix=f"pulse devices let-in {terminal_id}")
    return made


def hand_in(api: HubClient, word: str) -> TerminalView:
    """Hand in a word; return the terminal that it let in.

    Raises:
        RefusedError: the word is wrong, or this is no terminal of a person's.
    """
    document = api.call("POST", "/terminals", TerminalRequest(word=word), may_let_in=False)
    made = read(document, TerminalAnswer).terminal
    if made is None:
        raise NotLetInError(fix="Run `pulse devices let-in` at the prompt of a terminal.")
    return made


def say_before_first(context: CommandContext, *, asks: bool) -> None:
    """Say, before the first agent is connected, which link ends with it, and ask about what is signed in already.

    Raises:
        UserError: the person opens the link first, or not all that is signed in is theirs.
    """
    with contextlib.suppress(NotRunningError):
        api = open_api(context.home)
        known = api.get("/terminals", TerminalList)
        if known.links_end:
            context.hint(
                "No browser is signed in yet. Open the link that `pulse up` shows first: connecting ends that link,"
            )
            context.say("as agents could read it there.")
            if asks and not click.confirm("Connect without opening it?", default=False):
                raise UserError("Nothing was changed.", fix="Open the link, then run this again.")
        devices = () if known.needed else api.get("/devices", DeviceList).devices
        if devices:
            names = ", ".join(_called(one) for one in devices)
            context.say(f"These can already answer for you: {names}.")
            context.say("Once an agent is connected, they can answer it, too. Answer No if one of them is not yours.")
            if asks and not click.confirm("Are all of these yours?", default=False):
                raise UserError("Nothing was changed.", fix="Revoke what is not: pulse devices revoke SURFACE DEVICE")


def _called(device: DeviceView) -> str:
    address = f"{device.surface}/{device.device}"
    return f"{device.title} ({address})" if device.title else address


def before_disconnecting(homes: Iterable[Path], agent: str | None = None) -> None:
    """Tell each hub that an agent of its own, or each of them, is being disconnected.

    That takes a terminal that the hub let in, once it let any in. A hub that does not run is asked nothing: nor does it
    answer any agent. Its next start finds that it was disconnected.

    Raises:
        RefusedError: this terminal was not let in.
        NotRunningError: a hub runs and does not answer.
    """
    for home in {one.resolve(): one for one in homes}.values():
        if record_of(home) is not None:
            open_api(home).call("POST", "/terminals", TerminalRequest(agent=agent, removes=True))
        else:
            AgentsConnected(home).leaves(agent)


def before_connecting(context: CommandContext, agent: str, terms: HookTerms | None = None) -> None:
    """Tell the hub that an agent is being connected: the first lets this terminal in, each later one needs one that is.

    `terms` are what it is connected with everywhere, None where it is not.

    Raises:
        RefusedError: it is not the first, and this terminal was not let in.
        NotRunningError: the hub runs and does not answer.
    """
    if record_of(context.home) is None:
        return  # nothing is let in; the next start knows by the hooks that an agent is connected
    request = TerminalRequest(agent=agent)
    if terms is not None:
        request = replace(request, wait_s=terms.wait_s, closed=terms.closed)
    document = open_api(context.home).call("POST", "/terminals", request)
    answer = read(document, TerminalAnswer)
    made = answer.terminal
    if context.as_json:
        return
    if made is not None and made.this:
        context.say(f"This terminal ({made.title}) is let in: it can answer what agents ask.")
    if answer.trouble:
        context.say(f"This terminal is not let in. {answer.trouble}", "yellow")
        context.say(as_called(answer.fix))
    if answer.links_ended:
        context.hint("The link that `pulse up` showed no longer works, because agents could read it there.")
        context.say(as_called(NO_PAGE))


def after_connecting(home: Path, agent: str, terms: HookTerms | None) -> None:
    """Keep what an agent was connected with everywhere, where no hub runs that was told of it before."""
    if terms is not None and record_of(home) is None:
        known = AgentsConnected(home)
        known.comes(agent, terms)
        known.seen(agent, terms)
