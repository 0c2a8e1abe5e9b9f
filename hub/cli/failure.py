"""An expected failure, in words: what happened, what to do, and its stable code."""

from collections.abc import Sequence
from http import HTTPStatus

import click

from hub.cli.api import RefusedError
from hub.cli.command import EXIT_FAILED, EXIT_UNREACHABLE, CommandContext, wrapped
from hub.contract.api import Problem
from hub.contract.errors import PulseError, UserError
from hub.io.home.folder import default_home
from hub.kit.called import as_called
from hub.kit.hub_api import NotRunningError

JSON_OPTION, COLOUR_OPTION = "--json", "--no-color"


class BadUsageError(UserError):
    """The command cannot be used like that. `pulse COMMAND --help` shows how."""

    code = "bad-usage"


class NoTerminalError(UserError):
    """This command needs an answer, and there is no terminal to ask on. Run it in a terminal, or use an option."""

    code = "no-terminal"


class NoSuchCommandError(click.UsageError):
    """There is no such command."""

    def __init__(self, name: str, similar: Sequence[str], ctx: click.Context) -> None:
        """Keep what may have been meant."""
        super().__init__(f"There is no command {name!r}.", ctx)
        meant = " or ".join(f"`pulse {one}`" for one in similar)
        self.fix = f"Did you mean {meant}?" if similar else "`pulse --help` lists all commands."


def show_usage(error: click.UsageError, arguments: Sequence[str]) -> None:
    """Print that a command was written wrongly, and how it is written; it was not taken up, so its options are raw."""
    detail, fix = " ".join(error.format_message().split()), "`pulse COMMAND --help` shows how to use a command."
    if isinstance(error, NoSuchCommandError):
        fix = error.fix
    elif (context := error.ctx) is not None:
        written = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
        fix = f"Usage: `{written}`; see `{context.command_path} --help`."
    if isinstance(error, click.MissingParameter) and error.param is not None and error.param.name == "card_id":
        detail = "Which suggestion? Give its id, or `latest`."
    show(written_with(arguments), BadUsageError(detail, fix=fix))


def written_with(arguments: Sequence[str]) -> CommandContext:
    """Return how a command wants to be answered that was not taken up, or broke off."""
    return CommandContext(default_home(), as_json=JSON_OPTION in arguments, colour=COLOUR_OPTION not in arguments)


def show(context: CommandContext, error: PulseError) -> None:
    """Print a failure: for people on stderr, with `--json` as a problem document on stdout."""
    problem = problem_of(error)
    if context.printed(problem):
        return
    colour = context.colours
    mark, told = "✗ ", wrapped(f"  {as_called(problem.detail)} [{problem.code}]", err=True)
    click.echo(click.style(mark, fg="red") + told.removeprefix("  "), err=True, color=colour)
    if problem.fix:
        click.echo(wrapped(f"  {as_called(problem.fix)}", err=True), err=True, color=colour)


def problem_of(error: PulseError) -> Problem:
    """Return the failure as the API would answer it."""
    if isinstance(error, RefusedError):
        return error.problem
    return Problem(
        type=f"urn:pulse:error:{error.code}",
        title=HTTPStatus(error.status).phrase,
        status=error.status,
        code=error.code,
        detail=error.detail,
        fix=error.fix,
    )


def exit_code_of(error: PulseError) -> int:
    """Return 3 when Pulse could not be reached, else 1."""
    return EXIT_UNREACHABLE if isinstance(error, NotRunningError) else EXIT_FAILED
