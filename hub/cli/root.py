"""The table of all commands, and the program around them."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click

from hub import __version__
from hub.kit.called import as_called, called_as

EXIT_INTERRUPTED = 130
SIMILAR_MAX = 3
"""So many commands are named for a word that is none."""
SPELT_LIKE_MIN = 0.7
"""How much of a command's spelling such a word must share with it, of 1."""
CALLED_ELSEWHERE = {
    **dict.fromkeys(("log", "logs", "history", "past"), ("cards --past",)),
    **dict.fromkeys(("mute", "quieten", "silence"), ("less ID", "dnd 2h")),
    **dict.fromkeys(("quiet", "disturb", "focus"), ("dnd 2h",)),
    **dict.fromkeys(("start", "run", "serve"), ("up",)),
    **dict.fromkeys(("yes", "accept", "allow"), ("approve ID",)),
    **dict.fromkeys(("no", "deny"), ("reject ID",)),
    **dict.fromkeys(("permissions", "allowed"), ("grants",)),
    **dict.fromkeys(("panic", "halt"), ("kill",)),
}
"""Words from other programs, and the commands that do the same here."""


class CommandEntry(NamedTuple):
    """One command: where it is and, so that `--help` imports nothing, its short help."""

    name: str
    module: str
    help: str
    attribute: str = ""


SECTIONS: dict[str, tuple[CommandEntry, ...]] = {
    "Run": (
        CommandEntry("up", "start", "Start Pulse: hub, API, broker and store."),
        CommandEntry("hub", "start", "Start the hub alone; the page, chats and others run elsewhere.", "hub_alone"),
        CommandEntry("open", "opening", "Open Pulse in a browser, with a link that signs it in.", "open_page"),
        CommandEntry("confirm", "opening", "Show a code to confirm a change on the page.", "confirm"),
        CommandEntry("watch", "watching", "Watch suggestions live, and answer with single keys."),
        CommandEntry("surface", "watching", "Run one surface as a separate process."),
        CommandEntry("edge", "edge", "Glasses: suggestions read aloud, answers understood on the device."),
    ),
    "Look": (
        CommandEntry("status", "status", "Show what waits, what failed, what is connected and what reaches you."),
        CommandEntry("cards", "look", "List the open suggestions."),
        CommandEntry("digest", "digest", "Show everything that is waiting, or send it to every device now."),
        CommandEntry("why", "why", "Show how a suggestion came about."),
        CommandEntry("drives", "drives", "Show the drives, their pressure, and why Pulse wakes or does not."),
        CommandEntry(
            "insight", "insight", "Show how suggestions were answered, how confident Pulse was, and what it cost."
        ),
        CommandEntry("export", "export", "Export every suggestion and its outcome to a file."),
        CommandEntry("tail", "tail", "Print events as they happen."),
        CommandEntry("doctor", "doctor", "Find problems, and say how to fix them."),
    ),
    "Answer": (
        CommandEntry("approve", "answer", "Approve a suggestion; it runs."),
        CommandEntry("reject", "answer", "Dismiss a suggestion."),
        CommandEntry("less", "answer", "Dismiss a suggestion and see fewer like it."),
        CommandEntry("never", "answer", "Dismiss a suggestion and never suggest it here again."),
        CommandEntry("snooze", "answer", "Snooze a suggestion, on every surface."),
        CommandEntry("edit", "answer", "Change what a suggestion does, and approve it."),
        CommandEntry("undo", "answer", "Undo an answer."),
        CommandEntry("stop", "answer", "Stop what a suggestion is running."),
        CommandEntry("retry", "answer", "Run a failed suggestion once more."),
        CommandEntry("fix", "answer", "Let one of your agents fix what failed."),
        CommandEntry("ignore", "answer", "Ignore a failed suggestion."),
    ),
    "Steer": (
        CommandEntry("trigger", "steer", "Ask for a suggestion now."),
        CommandEntry("autopilot", "autopilot", "Show or change what runs on autopilot while you are away."),
        CommandEntry("grants", "grants", "List permissions to run without asking, and remove them."),
        CommandEntry("muted", "muted", "List what you muted or asked for less of, and undo it."),
        CommandEntry("attention", "attention", "Set how much interruptions bother you, and see today's count."),
        CommandEntry("always-ask", "muted", "Always be asked about suggestions of this kind.", "always_ask"),
        CommandEntry("dnd", "disturb", "Turn on do not disturb until a given time."),
        CommandEntry("pause", "steer", "Pause: stop acting on its own for a while."),
        CommandEntry("resume", "steer", "Resume after a pause, or lift the emergency stop."),
        CommandEntry("kill", "stopping", "Emergency stop: end all runs and start nothing."),
        CommandEntry("tasks", "tasks", "List and change your tasks."),
    ),
    "For scripts": (
        CommandEntry("ask", "ask", "Ask a person and wait for the answer."),
        CommandEntry("world", "world", "Report what you work on, and see what is going on: the world log."),
        CommandEntry("hook", "hook", "Answer a coding agent's hook."),
        CommandEntry("mcp", "mcp", "Let any agent that speaks MCP ask you."),
        CommandEntry("a2a", "a2a", "Let agents that speak A2A ask you."),
        CommandEntry("lab", "lab", "Measure how well Pulse predicts your answers."),
        CommandEntry("rails", "rails", "Try the content filter on a file or a prompt."),
        CommandEntry(
            "contract", "contract", "List, print or write the API's documents and the schema of each message."
        ),
        CommandEntry("bench", "edge", "Measure parts of Pulse on your own recordings."),
    ),
    "Set up": (
        CommandEntry("config", "config", "Check and show the settings file, and reset what was changed on the page."),
        CommandEntry("train", "train", "Train a model on your answers."),
        CommandEntry("twin", "twin", "Test the models that predict your decisions, or switch to another."),
        CommandEntry("agent", "agent", "Let a coding agent do work for Pulse."),
        CommandEntry("connect", "connect", "Let a coding agent ask you on every surface."),
        CommandEntry("setup", "setup", "Show where suggestions reach you, and what does not arrive and why."),
        CommandEntry("phone", "phone", "Let a phone in: Telegram or an address, codes to scan, a test."),
        CommandEntry("devices", "devices", "List, pair, test and revoke devices."),
        CommandEntry("apns", "apple", "Set up Apple's push service: your app on an iPhone and an Apple Watch."),
        CommandEntry("discord", "watching", "Set up Discord: suggestions where your team talks, votes by reaction."),
        CommandEntry(
            "homeassistant",
            "homeassistant",
            "Set up Home Assistant: buttons on phones and watches, questions by voice, entities.",
        ),
        CommandEntry("matrix", "chats", "Set up Matrix: suggestions in a room with a bot of yours."),
        CommandEntry("slack", "chats", "Set up Slack: suggestions in a direct message with an app of yours."),
        CommandEntry("telegram", "chats", "Set up Telegram: suggestions in a private chat with a bot of yours."),
        CommandEntry("ntfy", "ntfy", "Set up ntfy: notifications with buttons on Android."),
        CommandEntry("apprise", "apprise", "Set up Apprise: mail, SMS and chats are told what waits."),
        CommandEntry("broker", "devices", "Print what your own broker must allow."),
        CommandEntry(
            "install", "installing", "Put this command on your PATH, with an optional service and shell completion."
        ),
        CommandEntry(
            "uninstall",
            "installing",
            "Undo pulse install, and give every connected agent its settings back.",
        ),
        CommandEntry("completion", "shell", "Print the completion for your shell."),
        CommandEntry(
            "shell-hook", "shell_hook", "Let your shell report long commands that have finished.", "shell_hook"
        ),
        CommandEntry("version", "shell", "Print the version."),
    ),
}
ENTRIES = {entry.name: entry for entries in SECTIONS.values() for entry in entries}
EPILOG = "Every command has --help, and --json for machine-readable output. Start with: pulse up"


class Root(click.Group):
    """Finds commands in the table; only the one that is used is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands."""
        del ctx
        return list(ENTRIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(f"hub.cli.{entry.module}"), entry.attribute or entry.name)
        if not isinstance(command, click.Command):
            raise TypeError(entry.name)
        return command

    def get_help(self, ctx: click.Context) -> str:
        """Write the help with each command as it was called."""
        return as_called(super().get_help(ctx))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, without importing a command."""
        del ctx
        for section, entries in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(entry.name, entry.help) for entry in entries])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help NAME` as `NAME --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; for an unknown one, name the nearest."""
        if args and not args[0].startswith("-") and args[0] not in ENTRIES:
            from hub.cli.failure import NoSuchCommandError  # noqa: PLC0415  only for a mistake

            raise NoSuchCommandError(args[0], _similar(args[0]), ctx)
        return super().resolve_command(ctx, args)


def _similar(word: str) -> list[str]:
    """Name what a mistyped command may mean: what is called so elsewhere, or is spelt or described almost so."""
    from difflib import get_close_matches  # noqa: PLC0415  only for a mistake

    if word in CALLED_ELSEWHERE:
        return list(CALLED_ELSEWHERE[word])
    sought = word.lower().removesuffix("s")
    in_help = [name for name, entry in ENTRIES.items() if sought in _words(entry.help)]
    return (
        get_close_matches(word, ENTRIES, n=1, cutoff=0.8)
        or in_help[:SIMILAR_MAX]
        or get_close_matches(word, ENTRIES, n=1, cutoff=SPELT_LIKE_MIN)
    )


def _words(text: str) -> set[str]:
    return {word.strip(".,:;'").removesuffix("s") for word in text.lower().split()}


@click.command(cls=Root, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="pulse", message="%(prog)s %(version)s")
def pulse() -> None:
    """Pulse asks you before your coding agents act, wherever you are."""


def _nobody_to_answer(arguments: Sequence[str]) -> int:
    from hub.cli.failure import NoTerminalError, exit_code_of, show, written_with  # noqa: PLC0415  only for a mistake

    click.echo(err=True)  # behind the question
    error = NoTerminalError()
    show(written_with(arguments), error)
    return exit_code_of(error)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the exit status is documented in docs/cli.md."""
    written = sys.argv[1:] if arguments is None else arguments
    try:
        code = pulse.main(written, prog_name=called_as(), standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:  # asked for nothing: the help is the answer, not a mistake
        error.show()
        code = error.exit_code
    except click.UsageError as error:
        from hub.cli.failure import show_usage  # noqa: PLC0415  only for a mistake

        show_usage(error, written)
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort as error:  # Ctrl-C, or at a question the end of what would answer it
        is_over = isinstance(error.__cause__ or error.__context__, EOFError) and not sys.stdin.isatty()
        code = _nobody_to_answer(written) if is_over else EXIT_INTERRUPTED
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone; the interpreter must not complain at its end
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
