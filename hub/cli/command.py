"""What every command has: `--home`, `--json`, `--no-color`, and expected failures in words instead of a traceback."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from hub.contract.errors import PulseError
from hub.io.home.folder import default_home
from hub.kit.called import as_called

SHORT_HELP_CHARS_MAX = 200
KEEP_LINES = "\b"  # click's mark for a paragraph that is not wrapped; a raw docstring has it as two characters
TEXT_COLUMNS_MIN = 20
"""In less room than that a text is left to the terminal."""
COMMAND_QUOTED = re.compile(r"`[^`\n]+`")
NO_BREAK = "\N{NO-BREAK SPACE}"
EXIT_FAILED = 1
EXIT_UNREACHABLE = 3
T = TypeVar("T")


class CommandContext:
    """Where and how a command was called."""

    def __init__(self, home: Path, *, as_json: bool, colour: bool) -> None:
        self.home = home
        self.as_json = as_json
        self.colour = colour

    @property
    def colours(self) -> bool | None:
        """What click wants to know: False for none, None for those that the terminal shows."""
        return None if self.colour else False

    def say(self, text: str = "", tone: str | None = None, *, bold: bool = False) -> None:
        """Print a line; colours vanish where they are not wanted."""
        click.echo(click.style(text, fg=tone, bold=bold or None), color=self.colours)

    def hint(self, text: str, tone: str | None = None, *, bold: bool = False) -> None:
        """Print a line of ours that names commands, each as it was called; never what others wrote."""
        self.say(wrapped(as_called(text)), tone, bold=bold)

    def say_below(self, head: str, text: str, margin: str) -> None:
        """Print a text behind its head; at a terminal, lines that follow begin at the margin instead of at its edge."""
        self.say((head + wrapped(margin + text, margin).removeprefix(margin)).rstrip())

    def document(self, content: bytes) -> None:
        """Print one of the API's documents: indented for eyes, on one line for programs."""
        indent = 2 if sys.stdout.isatty() else -1
        click.echo(msgspec.json.format(content, indent=indent))

    def printed(self, content: object) -> bool:
        """Print a document of the API's, or a value as one, where JSON is wanted; say whether it is."""
        if self.as_json:
            self.document(content if isinstance(content, bytes) else msgspec.json.encode(content))
        return self.as_json


def wrapped(text: str, margin: str | None = None, *, err: bool = False) -> str:
    """Return a text broken between words where a terminal shows it (with `err`, standard error); a command stays whole.

    What follows stands at the margin, by default where the text begins.
    """
    room = shutil.get_terminal_size().columns if (sys.stderr if err else sys.stdout).isatty() else 0
    below = text[: len(text) - len(text.lstrip())].rpartition("\n")[2] if margin is None else margin
    if room < TEXT_COLUMNS_MIN + len(below):
        return text
    whole = COMMAND_QUOTED.sub(lambda command: command[0].replace(" ", NO_BREAK), text)
    lines = (
        textwrap.fill(line, room, subsequent_indent=below, break_on_hyphens=False, break_long_words=False)
        for line in whole.split("\n")
    )
    return "\n".join(lines).replace(NO_BREAK, " ")


def _shared() -> list[click.Parameter]:
    return [
        click.Option(
            ["--home"],
            type=click.Path(file_okay=False, path_type=Path),
            metavar="DIR",
            help="Where this Pulse keeps its state (default: $PULSE_HOME).",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON."),
        click.Option(["--no-color"], is_flag=True, help="Print without colours (NO_COLOR does the same)."),
    ]


class Command(click.Command):
    """A command with the shared options."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401  whatever click's own class takes
        """Add the shared options behind the command's own."""
        super().__init__(*args, **options)
        self.help = (self.help or "").replace(r"\b", KEEP_LINES)
        self.params += _shared()

    def get_help(self, ctx: click.Context) -> str:
        """Write the help with each command as it was called."""
        return as_called(super().get_help(ctx))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  whatever the command returns
        """Run it; an expected failure is told in words and becomes an exit status."""
        return _run(ctx, super().invoke)


class Group(Command, click.Group):
    """A group of commands with the shared options on each."""

    command_class = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first sentence of each command whole; click cuts it where the line ends."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(SHORT_HELP_CHARS_MAX)) for name, one in commands if one])


def command(name: str | None = None, **options: Any) -> Callable[[Callable[..., None]], Command]:  # noqa: ANN401  click's
    """Make a command with the shared options."""
    return click.command(name, cls=Command, **options)


def group(name: str | None = None, **options: Any) -> Callable[[Callable[..., None]], Group]:  # noqa: ANN401  click's
    """Make a group with the shared options."""
    return click.group(name, cls=Group, **options)


def _run(ctx: click.Context, invoke: Callable[[click.Context], T]) -> T:
    context = _context(ctx)
    ctx.obj = context
    ctx.color = context.colours
    try:
        return invoke(ctx)
    except PulseError as error:
        from hub.cli.failure import exit_code_of, show  # noqa: PLC0415  only for a failure

        show(context, error)
        ctx.exit(exit_code_of(error))


def _context(ctx: click.Context) -> CommandContext:
    above = ctx.obj if isinstance(ctx.obj, CommandContext) else None
    home, as_json = ctx.params.pop("home"), ctx.params.pop("as_json")
    plain = ctx.params.pop("no_color") or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    if home is None and above is None:
        home = default_home()
    return CommandContext(
        home.absolute() if home is not None or above is None else above.home,
        as_json=as_json or (above is not None and above.as_json),
        colour=not plain and (above is None or above.colour),
    )
