"""`pulse autopilot`: which kinds of work run alone while the person is away, granted and taken back."""

from datetime import timedelta
from pathlib import Path

import click

from hub.cli import times
from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext, group
from hub.contract.api import ConfigPatch
from hub.contract.control import ConfigAnswer
from hub.contract.errors import UserError
from hub.contract.grants import FOR_S_MAX, FOR_S_MIN, GrantList, GrantView, KindRequest
from hub.domain.lookalikes import reveal
from hub.domain.suggestion import RUNS_ALONE
from hub.kit.phrase_files import phrases
from hub.kit.text import duration
from hub.kit.wordings import worded

GRANTS, CONFIG = "/grants", "/crosspoll/config"


class NothingGrantedError(UserError):
    """Nothing with that name is on autopilot, so nothing was changed. `pulse grants` lists what is."""

    code = "nothing-granted"
    status = 404


@group(invoke_without_command=True)
@click.pass_context
def autopilot(ctx: click.Context) -> None:
    """Show or change what runs on autopilot while you are away.

    Only Pulse's own harmless work can run on autopilot, and only after you have approved the same command with the
    same files. If you undo it once, Pulse asks again.
    """
    if ctx.invoked_subcommand is None:
        context: CommandContext = ctx.obj
        api = open_api(context.home)
        document = api.call("GET", CONFIG)
        if not context.printed(document):
            _show(context, api, read(document, ConfigAnswer))


@autopilot.command("allow")
@click.argument("kind", type=click.Choice(tuple(RUNS_ALONE)), metavar="KIND")
@click.option(
    "--folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Only in this repository."
)
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=0.0, help="Only if Pulse is this confident of your yes."
)
@click.option("--for", "length", default="90d", show_default=True, metavar="TIME", help="For how long: 12h, 30d.")
@click.pass_obj
def allow(context: CommandContext, kind: str, folder: Path | None, threshold: float, length: str) -> None:
    """Put a kind of work on autopilot.

    Example: pulse autopilot allow run-tests --for 30d
    """
    for_s = int(times.length(length).total_seconds())
    if not FOR_S_MIN <= for_s <= FOR_S_MAX:
        raise times.BadTimeTextError(f"{length!r} is not between an hour and a year.", fix="Use 1h to 365d.")
    body = KindRequest(
        kind=kind,
        folder=None if folder is None else str(folder.resolve()),
        threshold=threshold,
        for_s=for_s,
    )
    document = open_api(context.home).call("POST", GRANTS, body)
    if not context.printed(document):
        where = f" in {folder.resolve().name}" if folder else ""
        context.hint(
            f"✓ {kind}{where} is on autopilot while you are away. To end it: `pulse autopilot stop {kind}`.", "green"
        )
        context.say("  It starts with commands you have approved before, and asks once about anything new.")
        if not read(open_api(context.home).call("GET", CONFIG), ConfigAnswer).autonomous:
            context.hint("  Autopilot is off; this takes effect when you switch it on: `pulse autopilot on`.", "yellow")


@autopilot.command("stop")
@click.argument("kind", metavar="KIND")
@click.pass_obj
def stop(context: CommandContext, kind: str) -> None:
    """Take a kind of work off autopilot, so that it asks again.

    Example: pulse autopilot stop run-tests
    """
    api = open_api(context.home)
    document = api.call("GET", GRANTS)
    meant = [one for one in _own(read(document, GrantList)) if kind in {one.kind, one.id}]
    if not meant:
        raise NothingGrantedError(f"{kind!r} is not on autopilot, so nothing was changed.")
    for one in meant:
        document = api.call("DELETE", f"{GRANTS}/{one.id}")
    if not context.printed(document):
        context.say(f"✓ {reveal(kind)} asks again from now on.", "green")


@autopilot.command("on")
@click.pass_obj
def switch_on(context: CommandContext) -> None:
    """Switch autopilot on: run what you allowed while you are away."""
    _switch(context, is_on=True)


@autopilot.command("off")
@click.pass_obj
def switch_off(context: CommandContext) -> None:
    """Switch autopilot off. What you allowed is kept for later."""
    _switch(context, is_on=False)


def _switch(context: CommandContext, *, is_on: bool) -> None:
    api = open_api(context.home)
    document = api.call("PATCH", CONFIG, ConfigPatch(autonomous=is_on))
    if not context.printed(document):
        _show(context, api, read(document, ConfigAnswer))


def _own(found: GrantList) -> list[GrantView]:
    """Return what Pulse itself does alone; the rest of the list is what agents may do."""
    return [one for one in found.grants if one.kind != "permission"]


def _show(context: CommandContext, api: HubClient, config: ConfigAnswer) -> None:
    own = _own(read(api.call("GET", GRANTS), GrantList))
    after = duration(timedelta(seconds=config.silence_s))
    if not own:
        context.hint(
            "Autopilot: nothing allowed yet. To allow a kind of work: `pulse autopilot allow KIND`.", bold=True
        )
    elif config.autonomous:
        context.say(f"Autopilot is on. After you have been away for {after}, it runs:", bold=True)
    else:
        context.hint("Autopilot is off. `pulse autopilot on` would run this while you are away:", bold=True)
    for one in own:
        context.say(f"  {reveal(worded(one.summary_worded, one.summary, phrases()))}: {reveal(one.effect)}")
    limit = duration(timedelta(seconds=config.session_s_max))
    context.say(f"  Each run: at most {limit}; agents may use {', '.join(config.allowed_tools)}.")
    context.say("Kinds of work that can run on autopilot:")
    context.say_below("  ", ", ".join(RUNS_ALONE), "  ")
