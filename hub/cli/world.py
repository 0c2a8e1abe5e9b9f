r"""`pulse world`: the log that people, scripts and agents share. While Pulse is away, the file itself is used.

What is said over the hub's socket has a sender and is looked at; what is appended to the file proves nothing, and is
taken in when Pulse starts. Little is imported at the top, for a script calls this at each of its steps.
"""

import sys
import time
import urllib.parse
from pathlib import Path

import click
import msgspec

from hub.cli import world_show
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, group
from hub.cli.world_log import PATH, LogAtHand, body_of
from hub.cli.world_report import report
from hub.cli.world_spawn import spawn
from hub.contract.world import AgentStatus, BadWorldEntryError, split_need
from hub.contract.world_api import (
    ANSWER_CHARS_MAX,
    CHECK_MAX,
    RECENT_MAX,
    SAID_CHARS_MAX,
    SHOWN_MAX,
    WorldAgentBody,
    WorldAnswer,
    WorldEventBody,
    WorldLines,
    WorldPath,
    WorldRespondBody,
    WorldSessionsAnswer,
    WorldSessionView,
)
from hub.domain.lookalikes import reveal
from hub.domain.world_lines import LEFT_ALONE_S_MAX

ME = "me"
KINDS = ("active", "pending", "failed", "verified", "recent", "session")
RECENT = 20
EXIT_NOTHING = 1
SETTLED = frozenset({AgentStatus.RETRY, AgentStatus.VERIFIED})
"""Where somebody has answered or judged a session."""
STDIN = "-"
STDIN_CHARS_MAX = 65_536
POLL_S = 0.5
WAIT_S_MAX = 86_400.0
LATER = "Pulse is not running; it will pick this up when it starts."
ANSWERED_LATER = (
    "Pulse is not running. If the session began in the file, Pulse picks this up when it starts; otherwise answer "
    "again once it runs."
)
NAMES = "A session or reader name may use letters, digits and . _ : @ -, up to 128; see `pulse world --help`."


@group(commands=[report, spawn])
def world() -> None:
    r"""Report what you work on, and see what is going on: the world log.

    \b
    pulse world agent start abc123 "Book a flight | need: confirmation number"
    pulse world agent active abc123 "found 15 flights"
    pulse world agent finish abc123 "booked, confirmation #XYZ789"

    Pulse follows the session, asks you when it fails, and checks at the end that what was needed is there. A line
    appended to the file (`pulse world path`) does the same. docs/world.md explains it.
    """


@world.command("event")
@click.argument("source")
@click.argument("identifier", metavar="ID")
@click.argument("output", nargs=-1)
@click.option("--key", help="A key, so that the same line counts once.")
@click.pass_obj
def event(context: CommandContext, source: str, identifier: str, output: tuple[str, ...], key: str | None) -> None:
    """Record a fact: its source, its subject, and what was seen.

    SOURCE is chrome, bash, file, api, system, or one of `world.sources`. OUTPUT may be left out; - reads it from
    standard input. Example: pulse world event bash tests "24 passed"
    """
    body = body_of(WorldEventBody, source=source, identifier=identifier, output=_text(output), idempotency_key=key)
    _say(context, "events", body)


@world.command("agent")
@click.argument("status", type=click.Choice([one.value for one in AgentStatus]))
@click.argument("session")
@click.argument("output", nargs=-1)
@click.option("--pid", type=click.IntRange(1), help="With start: the process that works on it, such as $$.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="With start: where it works.")
@click.option(
    "--wait",
    metavar="TIME",
    help="With start: ask you whether to keep waiting after this long without an end, such as 30m.",
)
@click.option("--key", help="A key, so that the same line counts once.")
@click.pass_obj
def agent(
    context: CommandContext,
    status: str,
    session: str,
    output: tuple[str, ...],
    *,
    pid: int | None,
    folder: Path | None,
    wait: str | None,
    key: str | None,
) -> None:
    r"""Report where a session stands: "OUTPUT | need: CRITERIA".

    \b
    start    it starts: OUTPUT is the task, CRITERIA what has to be found at the end
    active   it works: as often as there is news
    finish   it is done: Pulse checks the criteria
    failed   it cannot go on: CRITERIA is what it needs; you are asked
    retry, verified   the result of the check; no session verifies itself

    SESSION is a name of your choice: letters, digits and . _ : @ -. - as OUTPUT reads it from standard input.

    Example: pulse world agent failed abc123 "captcha required | need: solve captcha"
    """
    places = _places(session, pid, folder, wait)
    if places and status != AgentStatus.START:
        raise click.UsageError("--pid, --folder and --wait belong to start.")
    said, need = split_need(_text(output))
    body = body_of(
        WorldAgentBody, status=AgentStatus(status), session=session, output=said, need=need, idempotency_key=key
    )
    _say(context, "agents", body, *places)


@world.command("check")
@click.argument("reader", default=ME)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(0, WAIT_S_MAX),
    default=0.0,
    metavar="S",
    help="Wait up to this many seconds.",
)
@click.pass_context
def check(ctx: click.Context, reader: str, *, wait_s: float) -> None:
    r"""Show what is new since this reader last checked.

    Each READER (`me` where it is left out) has its own place; a new one is told what comes from now on. What was
    printed counts as read.

    \b
    Exit status: 0 something is new, 1 nothing is.

    Example: pulse world check supervisor --wait 60
    """
    context: CommandContext = ctx.obj
    log = LogAtHand(context)
    found, until = log.check(reader, CHECK_MAX, ""), time.monotonic() + wait_s
    while not found.lines and (found.has_more or time.monotonic() < until):
        if not found.has_more:
            time.sleep(POLL_S)
        found = log.check(reader, CHECK_MAX, "")
    _print_lines(context, found)
    if found.has_more and not context.as_json:
        click.echo("There is more: check again.", err=True)
    if found.batch:
        sys.stdout.flush()
        log.check(reader, 1, found.batch)
    else:
        ctx.exit(EXIT_NOTHING)


@world.command("query")
@click.argument("kind", type=click.Choice(KINDS), required=False)
@click.argument("which", metavar="[N|ID]", required=False, default="")
@click.option("--limit", type=click.IntRange(1, SHOWN_MAX), default=50, show_default=True, help="How many sessions.")
@click.pass_context
def query(ctx: click.Context, kind: str | None, which: str, limit: int) -> None:
    r"""Show sessions as they are now, or the last lines.

    \b
    active      at work: start, active, retry
    pending     finished, and to be checked
    failed      wait for you
    verified    done
    recent [N]  the last lines of the log
    session ID  one session, with all that is known of it

    Without any of these: all sessions. Exit status: 0, or 1 where there is nothing to show.

    Example: pulse world query failed
    """
    context: CommandContext = ctx.obj
    if kind not in {"recent", "session"} and which:
        raise click.UsageError(f"{which!r} does not belong here: only recent and session take an argument.")
    if kind == "recent":
        has_any = _recent(context, which)
    elif kind == "session":
        has_any = _one(context, which)
    else:
        has_any = _several(context, kind, limit)
    if not has_any:
        ctx.exit(EXIT_NOTHING)


@world.command("respond")
@click.argument("session")
@click.argument("text", nargs=-1, required=True)
@click.pass_obj
def respond(context: CommandContext, session: str, text: tuple[str, ...]) -> None:
    """Answer a failed session, so that it is tried again with your answer. For you, not for agents.

    - as TEXT reads it from standard input. Example: pulse world respond abc123 "captcha text: XKCD42"
    """
    said = _text(text, ANSWER_CHARS_MAX)
    body = body_of(WorldRespondBody, text=said)
    log = LogAtHand(context)
    if log.api is not None:
        name = urllib.parse.quote(session, safe="")
        document = log.api.call("POST", f"{PATH}/sessions/{name}/respond", body)
        if not context.printed(document):
            context.say("✓ Your answer was passed on; the session is tried again.", "green")
        return
    body_of(WorldAgentBody, status=AgentStatus.RETRY, session=session)
    log.file.respond(session, said)
    _written(context, ANSWERED_LATER)


@world.command("wait")
@click.argument("session")
@click.option("--for", "wait_s", type=click.FloatRange(0, WAIT_S_MAX), default=WAIT_S_MAX, metavar="S", help="At most.")
@click.pass_context
def wait(ctx: click.Context, session: str, *, wait_s: float) -> None:
    r"""Wait until a session is answered or judged, and print the answer.

    For a script that has reported `failed` and what it needs: it prints your answer once it is there, and
    the session is `retry`. One that has said `finish` is waited for until it is `verified` or to try again.

    \b
    Exit status: 0 it was answered, or is verified; 1 it was given up, or not answered in time.

    Example: code=$(pulse world wait abc123 --for 600)
    """
    context: CommandContext = ctx.obj
    address, until = f"{PATH}/sessions/{urllib.parse.quote(session, safe='')}", time.monotonic() + wait_s
    api = open_api(context.home)
    document = api.call("GET", address)
    while not (found := read(document, WorldSessionView)).left and found.status not in SETTLED:
        if time.monotonic() >= until:
            break
        time.sleep(POLL_S)
        document = api.call("GET", address)
    if not context.printed(document) and found.status in SETTLED:
        context.say(reveal(found.answer or found.said))
    if found.status not in SETTLED:
        click.echo("The session was given up." if found.left else "No answer yet.", err=True)
        ctx.exit(EXIT_NOTHING)


@world.command("tail")
@click.option("-n", "count", type=click.IntRange(1, RECENT_MAX), default=10, show_default=True, help="How many lines.")
@click.option("-f", "--follow", is_flag=True, help="Keep printing new lines, until Ctrl-C.")
@click.pass_obj
def tail(context: CommandContext, count: int, *, follow: bool) -> None:
    """Print the last lines of the log. With --json: a line of JSON for each."""
    from hub.cli.world_tail import follow_on  # noqa: PLC0415  only here

    log = LogAtHand(context)
    follow_on(context, log.path(), count, follow=follow)


@world.command("path")
@click.pass_obj
def path(context: CommandContext) -> None:
    """Print the path of the log: any program may append to it with >>.

    Example: echo "[event:bash][backup] done" >> "$(pulse world path)"
    """
    found = LogAtHand(context).path()
    if not context.printed(WorldPath(path=str(found))):
        context.say(str(found))


def _say(context: CommandContext, where: str, body: WorldEventBody | WorldAgentBody, *places: WorldEventBody) -> None:
    """Say a line, and behind it where its session works; show what came of it."""
    log = LogAtHand(context)
    document = log.say(where, body)
    for place in places:
        document = log.say("events", place)
    if document is None:
        _written(context, LATER)
    else:
        _taken(context, document)


def _taken(context: CommandContext, document: bytes) -> None:
    if context.printed(document):
        return
    answer = read(document, WorldAnswer)
    world_show.taken(context, answer.session, repeated=answer.repeated)


def _written(context: CommandContext, told: str) -> None:
    click.echo(told, err=True)
    _taken(context, msgspec.json.encode(WorldAnswer()))


def _recent(context: CommandContext, which: str) -> bool:
    if which and not (which.isascii() and which.isdigit() and 1 <= int(which) <= RECENT_MAX):
        raise click.UsageError(f"recent takes a number of lines, from 1 to {RECENT_MAX}.")
    found = LogAtHand(context).recent(int(which or RECENT))
    _print_lines(context, found, "The log is empty.")
    return bool(found.lines)


def _one(context: CommandContext, name: str) -> bool:
    if not name:
        raise click.UsageError("session needs a session id.")
    document = open_api(context.home).call("GET", f"{PATH}/sessions/{urllib.parse.quote(name, safe='')}")
    if not context.printed(document):
        world_show.session(context, read(document, WorldSessionView))
    return True


def _several(context: CommandContext, kind: str | None, limit: int) -> bool:
    which = f"kind={kind}&" if kind else ""
    document = open_api(context.home).call("GET", f"{PATH}/sessions?{which}limit={limit}")
    found = read(document, WorldSessionsAnswer)
    if context.as_json:
        context.document(document)
    elif found.sessions:
        world_show.sessions(context, found.sessions, found.more)
    else:
        context.say(f"No session is {kind}." if kind else "No session has started yet.")
    return bool(found.sessions)


def _print_lines(context: CommandContext, found: WorldLines, nothing: str = "Nothing new.") -> None:
    if context.as_json:
        context.document(msgspec.json.encode(found))
    elif found.lines:
        world_show.lines(context, found.lines)
    else:
        context.say(nothing)


def _text(words: tuple[str, ...], chars_max: int = SAID_CHARS_MAX) -> str:
    """Return what was said: the words of the command line, or standard input for `-`.

    Raises:
        BadWorldEntryError: it is too long.
    """
    text = sys.stdin.read(STDIN_CHARS_MAX).rstrip("\n") if words == (STDIN,) else " ".join(words)
    if len(text) > chars_max:
        raise BadWorldEntryError(
            f"A text of a line may have {chars_max:,} characters.", fix="Shorten it, or name a file with the text."
        )
    return text


def _places(session: str, pid: int | None, folder: Path | None, wait: str | None) -> list[WorldEventBody]:
    """Return the lines that say where a session works, and how long it may."""
    said = [] if pid is None else [f"process {pid} since {_started(pid)}"]
    said += [] if folder is None else [f"folder {folder.absolute()}"]
    if wait is not None:
        from hub.cli.times import length  # noqa: PLC0415  only with --wait

        said.append(f"wait {min(int(length(wait).total_seconds()), LEFT_ALONE_S_MAX)} s")
    return [WorldEventBody(source="system", identifier=session, output=one) for one in said]


def _started(pid: int) -> int:
    from hub.io.server.peer_credentials import started  # noqa: PLC0415  only with --pid

    since = started(pid).rpartition(" ")[2]
    if not since.isdigit():
        raise click.UsageError(f"There is no process {pid} here with a known start time.")
    return int(since)
