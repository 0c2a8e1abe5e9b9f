"""An expected failure, in words: what happened, what to do, and its stable code."""

import click

from hub.cli.api import RefusedError
from hub.cli.command import EXIT_FAILED, EXIT_UNREACHABLE, CommandContext
from hub.contract.api import Problem
from hub.contract.errors import PulseError
from hub.kit.hub_api import NotRunningError


def show(context: CommandContext, error: PulseError) -> None:
    """Print a failure: for people on stderr, with `--json` as a problem document on stdout."""
    problem = problem_of(error)
    if context.printed(problem):
        return
    colour = context.colours
    click.echo(click.style("✗ ", fg="red") + f"{problem.detail} [{problem.code}]", err=True, color=colour)
    if problem.fix:
        click.echo(f"  {problem.fix}", err=True, color=colour)


def problem_of(error: PulseError) -> Problem:
    """Return the failure as the API would answer it."""
    if isinstance(error, RefusedError):
        return error.problem
    return Problem(
        type=f"urn:pulse:error:{error.code}",
        title=type(error).__name__,
        status=error.status,
        code=error.code,
        detail=error.detail,
        fix=error.fix,
    )


def exit_code_of(error: PulseError) -> int:
    """Return 3 when Pulse could not be reached, else 1."""
    return EXIT_UNREACHABLE if isinstance(error, NotRunningError) else EXIT_FAILED
