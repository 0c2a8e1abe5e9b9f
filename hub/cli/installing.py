"""`pulse install` and `pulse uninstall`: this command on the path, as a service, completed by the shell; and all back.

What was put in is known by what it is: a link that leads here, files that begin with our mark. No record is kept.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import msgspec

import hub
from hub.cli import attaching, connecting, letting_in, service_units, shell
from hub.cli.api import open_api
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.cli.service_units import MARK, is_ours
from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.io.agents.hooks.connections import BY_HOOKS, AgentConnection
from hub.io.attached.openclaw.kept_device import device_at
from hub.io.home.folder import Home
from hub.io.server.listening import RENEW
from hub.kit.called import NAME
from hub.kit.files import replace_file
from hub.kit.hub_api import NotRunningError
from hub.kit.text import listed

COMPLETIONS = {
    "bash": Path("bash-completion") / "completions" / NAME,
    "fish": Path("fish") / "vendor_completions.d" / f"{NAME}.fish",
    "zsh": Path("zsh") / "site-functions" / f"_{NAME}",
}
"""Below `~/.local/share`, where bash and fish look by themselves; zsh has to be told, in `~/.zshrc`."""
RC_FILES = (".bashrc", ".bash_profile", ".profile", ".zshrc", ".config/fish/config.fish")
RC_BYTES_MAX = 1_000_000
OFFERED = "install-offered"


class NotInstallableError(UserError):
    """There is nothing to put on PATH: this Pulse was started as a module of another program."""

    code = "not-installable"


class InstallChange(Value, rename="camel"):
    """One change, before it is made: of which file, and in words."""

    path: str
    does: str


class _Step(Value):
    """A change, and how it is made; `homes` are the folders of every Pulse that an agent asks no more by it."""

    change: InstallChange
    make: Callable[[], object]
    homes: frozenset[Path] = frozenset()


@command()
@click.option(
    "--workspace",
    "workspaces",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folders the service works in; repeat for several. Default: where Pulse works now.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Make the changes without asking.")
@click.pass_context
def install(ctx: click.Context, workspaces: tuple[Path, ...], *, dry_run: bool, yes: bool) -> None:
    """Put this command on your PATH, with an optional service and shell completion.

    Each change is shown before it is made, and `pulse uninstall` undoes all of it. Example: pulse install --dry-run
    """
    context: CommandContext = ctx.obj
    program = own_program()
    works_in = workspaces or _working_in(context.home)
    is_there = service_units.place(service_units.SERVICE).exists()
    served = [*_served(program, works_in, context.home)]
    steps = [*_linked(program), *served, *_completed()]
    if not _carry_out(context, steps, dry_run=dry_run, yes=yes, nothing="Everything is already installed."):
        ctx.exit(EXIT_FAILED)
    if context.as_json or dry_run:
        return
    if str(_bin()) not in os.environ.get("PATH", "").split(os.pathsep):
        context.say(f"{_bin()} is not on your PATH. Sign in again, or add it: export PATH={_bin()}:$PATH")
    if is_there and served:
        context.say(f"The service has changed. If you use it: {RENEW}")
    elif service_units.place(service_units.SERVICE).exists():
        context.say("Run it as a service, now and at each sign-in: systemctl --user enable --now pulse")
    if _shell() == "zsh":
        folder = (_data_home() / COMPLETIONS["zsh"]).parent
        context.say("For zsh to find the completion, add this to ~/.zshrc, above a line with compinit if there is one:")
        context.say(f"  fpath=({shlex.quote(str(folder))} $fpath); autoload -Uz compinit; compinit")


@command()
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", is_flag=True, help="Make the changes without asking.")
@click.pass_context
def uninstall(ctx: click.Context, *, dry_run: bool, yes: bool) -> None:
    """Undo pulse install, and give every connected agent its settings back.

    Pulse's own data stays in its folder, which is shown at the end. Example: pulse uninstall --dry-run
    """
    context: CommandContext = ctx.obj
    is_service = is_ours(service_units.place(service_units.SERVICE))
    if not context.as_json and not is_service:  # a service is stopped with its unit
        _say_if_running(context)
    restored = [*_restored(context)]
    if restored and not dry_run:
        letting_in.before_disconnecting([context.home, *(home for step in restored for home in step.homes)])
    if not _carry_out(context, [*restored, *_removed()], dry_run=dry_run, yes=yes, nothing="Nothing is installed."):
        ctx.exit(EXIT_FAILED)
    if not context.as_json:
        for line in _left(context.home):
            context.say(line)


def offer(context: CommandContext) -> None:
    """Say once, where this command is not on the path, how it gets there; nothing is asked."""
    seen = context.home / OFFERED
    if context.as_json or shutil.which(NAME) or seen.exists() or not sys.stdout.isatty():
        return
    context.hint("To run it from anywhere, `pulse install` puts it on your PATH and shows each change first.")
    seen.touch(mode=0o600)


def own_program() -> Path:
    """Return the program that starts this installation: a checkout's script, or what a wheel put beside its Python.

    Raises:
        NotInstallableError: there is neither.
    """
    script, by_wheel = Path(hub.__file__).parents[1] / NAME, Path(sys.executable).parent / NAME
    found = next((path for path in (script, by_wheel) if path.is_file() and os.access(path, os.X_OK)), None)
    if found is None:
        raise NotInstallableError(fix="Install it with pipx, or run this from a checkout of Pulse.")
    return found


def _working_in(home: Path) -> tuple[Path, ...]:
    """Return the folders the running Pulse works in; none where none runs."""
    try:
        return tuple(map(Path, open_api(home).record.workspaces))
    except NotRunningError:
        return ()


def _say_if_running(context: CommandContext) -> None:
    try:
        open_api(context.home)
    except NotRunningError:
        return
    context.say("! Pulse still runs: stop it with Ctrl-C in its terminal.", "yellow")
    context.hint(f"  Until then it goes on, and writes to {context.home}.")


def _bin() -> Path:
    return Path.home() / ".local" / "bin"


def _data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _shell() -> str:
    return Path(os.environ.get("SHELL", "")).name


def _linked(program: Path) -> Iterator[_Step]:
    link, found = _bin() / NAME, shutil.which(NAME)
    if found is not None and Path(found).resolve() == program.resolve():
        return
    if link.is_symlink() and link.resolve() == program.resolve():
        return
    if link.is_symlink() or link.exists():
        raise UserError(f"{link} already exists, and points elsewhere.", fix="Move it away, and run this again.")

    def make() -> None:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(program)

    yield _Step(change=InstallChange(path=str(link), does=f"a link to {program}"), make=make)


def _served(program: Path, workspaces: tuple[Path, ...], home: Path) -> Iterator[_Step]:
    if shutil.which("systemctl") is None:
        return
    port = service_units.page_port(home)
    texts = service_units.texts(program, workspaces, port)
    for name in service_units.NAMES:
        path = service_units.place(name)
        if path.exists() and not service_units.is_ours(path):
            raise UserError(f"{path} is there already, and is yours.", fix="Move it away, and run this again.")
        if name not in texts and path.exists():
            change = InstallChange(path=str(path), does="is removed: systemd holds no address outside this machine")
            yield _Step(change=change, make=path.unlink)
    names = listed([str(folder) for folder in workspaces]) or "the folders in config.toml"
    does = {
        service_units.SERVICE: f"a user service for {names}, which you switch on yourself; nothing starts now",
        service_units.SOCKET: f"with it, systemd holds port {port} for Pulse while Pulse is not running",
    }
    for name, text in texts.items():
        yield from _written(service_units.place(name), text, does[name])


def _completed() -> Iterator[_Step]:
    name = _shell()
    if name in COMPLETIONS:
        first, _, rest = f"{shell.completion_script(name)}\n".partition("\n")
        is_tagged = first.startswith("#compdef")  # zsh looks at the first line alone
        text = f"{first}\n{MARK}{rest}" if is_tagged else f"{MARK}{first}\n{rest}"
        yield from _written(_data_home() / COMPLETIONS[name], text, f"what {name} completes after `pulse`")


def _written(path: Path, text: str, does: str) -> Iterator[_Step]:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return

    def make() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())

    yield _Step(change=InstallChange(path=str(path), does=does), make=make)


def _carry_out(context: CommandContext, steps: list[_Step], *, dry_run: bool, yes: bool, nothing: str) -> bool:
    """Say each change, ask once, make them; return False where the person does not want it."""
    changes = [step.change for step in steps]
    if context.as_json and not (dry_run or yes) and changes:
        raise UserError("--json cannot ask for confirmation.", fix="Use --dry-run, or add --yes.")
    if not context.as_json:
        for change in changes:
            context.say(f"  {change.path}: {change.does}")
        if not changes:
            context.say(nothing)
        elif not dry_run and not yes and not click.confirm("Make this change?", default=True):
            context.say("Nothing was changed.")
            return False
    if not dry_run:
        for step in steps:
            step.make()
    if context.as_json:
        context.document(msgspec.json.encode({"changes": changes, "done": not dry_run}))
    elif changes:
        context.say("Nothing was changed: this was a dry run." if dry_run else "✓ Done.", None if dry_run else "green")
    return True


def _removed() -> Iterator[_Step]:
    link = _bin() / NAME
    if link.is_symlink() and link.resolve() == own_program().resolve():
        yield _Step(change=InstallChange(path=str(link), does="the link is removed"), make=link.unlink)
    units = [path for name in service_units.NAMES if is_ours(path := service_units.place(name))]
    if units:
        change = InstallChange(path=listed([str(path) for path in units]), does="the service is stopped and removed")
        yield _Step(change=change, make=lambda: _remove_service(units))
    for below in COMPLETIONS.values():
        if is_ours(path := _data_home() / below):
            yield _Step(change=InstallChange(path=str(path), does="the completion is removed"), make=path.unlink)


def _remove_service(units: list[Path]) -> None:
    service_units.systemctl("disable", "--now", *(path.name for path in units))
    for path in units:
        path.unlink()


def _restored(context: CommandContext) -> Iterator[_Step]:
    """Yield what gives each agent its own settings back: those of the person, and of the project in this folder."""
    for which in BY_HOOKS:
        seen: set[Path] = set()
        for project in (False, True):
            path = connecting.place_of(which, project=project)
            if path.exists() and path.resolve() not in seen:
                seen.add(path.resolve())
                yield from _taken_out(which, project=project)
    if attaching.is_attached(context.home):
        change = InstallChange(path=str(Home(context.home).set_up), does=f"{attaching.TITLE} is no longer attached")
        yield _Step(change=change, make=lambda: attaching.leave(context.home))
    if (device := device_at(context.home)) is not None:
        from hub.cli.connect_openclaw import TITLE, leave  # noqa: PLC0415  brings a WebSocket's client along

        yield _Step(
            change=InstallChange(path=device.url, does=f"Pulse is no longer a device of {TITLE}"),
            make=lambda: leave(context.home),
        )


def _taken_out(which: AgentConnection, *, project: bool) -> Iterator[_Step]:
    change = connecting.removal(which, project=project)
    if change.after == change.before and not change.is_whole:
        return
    does = f"{which.title} no longer asks Pulse" + ("; the file is as it was before" if change.is_exact else "")
    yield _Step(
        change=InstallChange(path=str(change.path), does=does),
        make=lambda: connecting.write(change),
        homes=change.homes,
    )


def _left(home: Path) -> Iterator[str]:
    """Yield what stays, and how it goes."""
    if home.exists():
        yield f"Your decisions and what Pulse learned stay in {home}. To remove them, too: rm -r {home}"
    for name in RC_FILES:
        path = Path.home() / name
        is_small = path.is_file() and path.stat().st_size <= RC_BYTES_MAX
        if is_small and any(
            f"pulse {what}" in path.read_text(errors="replace") for what in ("completion", "shell-hook")
        ):
            yield f"{path} has a line with `pulse` that you added; remove it."
    yield "Agents that were connected for one project with --project: run this once in that project's folder."
    program = own_program()
    by_wheel = "use what installed it, such as `pipx uninstall pulse-hub`"
    is_wheel = program.parent == Path(sys.executable).parent
    yield f"To remove Pulse itself: {by_wheel if is_wheel else f'delete {program.parent}'}."
