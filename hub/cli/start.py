"""`pulse up` and `pulse hub`: start Pulse, say what is happening, then where everything is."""

import asyncio
import logging
import os
import shlex
import sys
from io import TextIOWrapper
from itertools import islice
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from hub.cli.command import Command, CommandContext, command
from hub.cli.reached import reach_lines
from hub.io.agents.own_screen import OwnScreen
from hub.io.home.folder import Home, default_home
from hub.io.sensors.tree import GIT, is_in_repository
from hub.kit.files import FILE_MODE
from hub.kit.naming import UNLESS_PERMITTED
from hub.kit.text import one_line

if TYPE_CHECKING:
    from logging import _SysExcInfoType

    from hub.app.start import Running

LOG_BYTES_MAX = 5_000_000
LOG_FILES_KEPT = 3
LOG_LINE_CHARS_MAX = 4_000
PORT_MAX = 65_535
PAIRS = "#pair="
"""What a link has that signs a browser in."""
NOTHING_ALONE = "on, but nothing is allowed yet: `pulse autopilot` lists what could run"
LINK_FIRST = "Open this link first: it stops working once you connect an agent, because agents could read it here."
NO_LINK = (
    "This address signs no browser in, as agents could read a link here. To add a browser, use a page or phone that "
    "you already have, or start Pulse in a terminal outside tmux, screen and recorders."
)
NAMED_MAX = 3
"""So many repositories below a folder that is none are named."""
DOC = """Start Pulse: hub, API, broker and store.

    Works without any settings, on the repository in the current folder. Runs until Ctrl-C.

    \b
    pulse up
    pulse up --workspace ~/src/shop --workspace ~/src/blog
    """


class Progress:
    """One line for each step: on a terminal with a tick when it is done, else plain."""

    def __init__(self, context: CommandContext, *, live: bool) -> None:
        self._here = context
        self._live = live
        self._step = ""

    def __call__(self, step: str) -> None:
        """Begin the next step."""
        self.done()
        self._step = step
        if self._live:
            click.echo(f"\r  … {step}", nl=False, err=True, color=self._here.colours)
        else:
            click.echo(f"pulse: {step}", err=True)

    def done(self) -> None:
        """Tick off the step that was begun."""
        self._end("✓", "green")

    def failed(self) -> None:
        """Mark the step that was begun as the one that failed."""
        self._end("✗", "red")

    def _end(self, mark: str, tone: str) -> None:
        if self._live and self._step:
            click.echo(f"\r  {click.style(mark, fg=tone)} {self._step}\x1b[K", err=True, color=self._here.colours)
        self._step = ""


def _up(context: CommandContext, workspaces: tuple[Path, ...], port: int | None) -> None:
    from hub.app.memory import loading  # noqa: PLC0415  what runs needs this first

    with loading():
        from hub.app.start import Options, up  # noqa: PLC0415  everything that runs

    if port is None:
        from hub.cli.service_units import refuse_beside_service  # noqa: PLC0415  what runs does not need it

        refuse_beside_service(context.home)
    progress = Progress(context, live=sys.stderr.isatty() and not context.as_json)
    options = Options(home=context.home, workspaces=workspaces, port=port)

    def ready(running: "Running") -> None:
        progress.done()
        _keep_log(context.home)
        say_where(context, running)

    try:
        asyncio.run(up(options, say=progress, ready=ready))
    except BaseException:
        progress.failed()
        raise
    progress.done()


def _as_user(
    context: CommandContext, command_name: str, user: str, workspaces: tuple[Path, ...], port: int | None
) -> None:
    """Run as another user, and end with it; what was not named is that user's own. Return if we are that user."""
    from hub.io.processes.as_user import run_as  # noqa: PLC0415  only for who asks

    arguments = [command_name]
    for folder in workspaces:
        arguments += ["--workspace", str(folder.absolute())]
    if port is not None:
        arguments += ["--port", str(port)]
    if context.home != default_home():
        arguments += ["--home", str(context.home)]
    arguments += ["--json"] if context.as_json else []
    arguments += [] if context.colour else ["--no-color"]
    code = run_as(user, arguments, "/" if workspaces else str(Path.cwd()))
    if code is not None:
        click.get_current_context().exit(code)


def _command(name: str) -> Command:
    @command(name, help=DOC)
    @click.option(
        "--workspace",
        "workspaces",
        multiple=True,
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="A folder to work in; repeat for several. Default: the current folder.",
    )
    @click.option("--port", type=click.IntRange(0, PORT_MAX), help="The API's port; 0 for any free one.")
    @click.option("--as-user", metavar="NAME", help="Switch to this user first (as root): docs/howto/another-user.md.")
    @click.pass_obj
    def run(context: CommandContext, workspaces: tuple[Path, ...], port: int | None, as_user: str | None) -> None:
        if as_user is not None:
            _as_user(context, name, as_user, workspaces, port)
        _up(context, workspaces, port)

    return run


up = _command("up")
hub_alone = _command("hub")


def say_where(context: CommandContext, running: "Running") -> None:
    """Say where everything is, and what is missing."""
    if context.as_json:
        click.echo(msgspec.json.encode(running, enc_hook=str))
        return
    rows = [
        ("open", running.link),
        ("API", running.api),
        ("broker", f"{running.broker} ({running.broker_kind})"),
        ("home", str(running.home)),
        *(("workspace", str(one)) for one in running.workspaces),
        ("time zone", running.zone),
        ("autopilot", _autopilot(running)),
    ]
    context.say("Pulse is up.", "green", bold=True)
    for name, value in rows:
        context.hint(f"  {name:<10} {value}")
    if running.link and OwnScreen().trouble():
        context.hint(LINK_FIRST if PAIRS in running.link else NO_LINK)
    if running.reach is not None and running.reach.unreached:  # who has no device yet is shown the link above
        for line in reach_lines(running.reach):
            context.say(f"! {line}", "yellow")
    if running.stopped:
        context.hint(f"! Nothing runs ({running.stopped}).", "red")
    if running.broker_trouble:
        context.say(f"! {unreachable(running)}", "yellow")
    if not any(map(is_in_repository, running.workspaces)):
        context.hint(no_repository(running.workspaces))
    context.hint("Answer: pulse watch   Status: pulse status   Stop: Ctrl-C")
    from hub.cli.installing import offer  # noqa: PLC0415  what runs does not need it

    offer(context)


def _autopilot(running: "Running") -> str:
    if not running.autonomous:
        return f"off: Pulse asks before everything{UNLESS_PERMITTED}"
    return "on: runs what you allowed while you are away" if running.runs_alone else NOTHING_ALONE


def unreachable(running: "Running") -> str:
    """Say that the broker cannot be reached, what works all the same, and what to do."""
    return (
        f"{running.broker_trouble} Pulse keeps running without it: "
        "the page and the commands work, `watch` and other devices "
        "wait. Is mqtt.url right, and the broker running?"
    )


def no_repository(workspaces: tuple[Path, ...]) -> str:
    """Return what Pulse looks at where there is no repository, and how to name one."""
    where = " and ".join(map(str, workspaces))
    below = islice((path.parent for folder in workspaces for path in folder.glob(f"*/{GIT}")), NAMED_MAX)
    named = sorted(map(str, below)) or ["~/src/shop"]
    options = " ".join(f"--workspace {shlex.quote(one) if one[0] != '~' else one}" for one in named)
    return (
        f"{where} is not a Git repository, so Pulse watches its texts and pictures. For code, stop it with Ctrl-C and "
        f"name a repository: pulse up {options}"
    )


class PrivateLog(RotatingFileHandler):
    """A log that only its owner can read, also where an earlier version left it open."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        os.fchmod(descriptor, FILE_MODE)
        return os.fdopen(descriptor, "a", encoding=self.encoding)


class PlainFormatter(logging.Formatter):
    """Writes a record as one line, and a traceback in lines of its own. Others may be quoted there: nothing moves."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name that logging calls
        """Return the line."""
        record.message = one_line(record.message, LOG_LINE_CHARS_MAX)
        return super().formatMessage(record)

    def formatException(self, ei: "_SysExcInfoType") -> str:  # noqa: N802  the name that logging calls
        """Return the traceback."""
        lines = super().formatException(ei).split("\n")
        return "\n".join("".join(char if char.isprintable() else " " for char in line) for line in lines)


def _keep_log(home: Path) -> None:
    """Keep what the hub has to say in $PULSE_HOME/hub.log, bounded; warnings are shown as well."""
    kept = PrivateLog(Home(home).log, maxBytes=LOG_BYTES_MAX, backupCount=LOG_FILES_KEPT, encoding="utf-8")
    kept.setFormatter(PlainFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    shown = logging.StreamHandler()
    shown.setLevel(logging.WARNING)
    shown.setFormatter(PlainFormatter("pulse: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[kept, shown])
