"""`pulse tasks`: the task store."""

import click
import msgspec
from msgspec.structs import replace

from hub.cli import draw, times
from hub.cli.api import Method, open_api, read
from hub.cli.command import CommandContext, group
from hub.cli.finding import AmbiguousIdError, NoSuchTaskError
from hub.cli.person_clock import now_here
from hub.contract.api import TaskBody, TaskView
from hub.contract.control import TaskList
from hub.domain.lookalikes import reveal
from hub.kit.kept_task import kept_said
from hub.kit.phrase_files import phrases

STATUS = click.Choice(["queued", "running", "completed", "failed", "cancelled"])
LISTED_MAX = 500
KEPT = "Kept"


@group(invoke_without_command=True)
@click.pass_context
def tasks(ctx: click.Context) -> None:
    """List and change your tasks.

    Pulse suggests what to do about tasks that are due or stale. A moment at the end of a title is its deadline.
    Example: pulse tasks add "Send the offer tomorrow at 10"
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, everything=False)


@tasks.command("list")
@click.option("--all", "everything", is_flag=True, help="Include finished tasks.")
@click.pass_obj
def list_tasks(context: CommandContext, everything: bool) -> None:  # noqa: FBT001  click hands flags over
    """List tasks, newest first."""
    _list(context, everything=everything)


@tasks.command("add")
@click.argument("title")
@click.option("--due", metavar="TIME", help="18:00, tomorrow, 2030-01-31T08:00.")
@click.option("--channel", help="The channel it belongs to.")
@click.option("--notes", help="Any details.")
@click.pass_obj
def add(context: CommandContext, title: str, due: str | None, channel: str | None, notes: str | None) -> None:
    """Add a task."""
    _save(context, "POST", "/tasks", TaskBody(title=title, channel=channel, notes=notes), due, word=KEPT)


@tasks.command("edit")
@click.argument("task_id", metavar="ID")
@click.option("--title")
@click.option("--status", type=STATUS)
@click.option("--due", metavar="TIME", help="18:00, tomorrow, 2030-01-31T08:00.")
@click.option("--channel")
@click.option("--notes")
@click.pass_obj
def edit(context: CommandContext, /, task_id: str, due: str | None, **fields: str | None) -> None:
    """Change a task; only what you name changes."""
    body = msgspec.convert({name: value for name, value in fields.items() if value is not None}, TaskBody)
    _save(context, "PATCH", f"/tasks/{_id(context, task_id)}", body, due)


@tasks.command("done")
@click.argument("task_id", metavar="ID")
@click.pass_obj
def done(context: CommandContext, task_id: str) -> None:
    """Mark a task as completed."""
    _save(context, "PATCH", f"/tasks/{_id(context, task_id)}", TaskBody(status="completed"), None)


@tasks.command("rm")
@click.argument("task_id", metavar="ID")
@click.pass_obj
def remove(context: CommandContext, task_id: str) -> None:
    """Remove a task."""
    _show(context, open_api(context.home).call("DELETE", f"/tasks/{_id(context, task_id)}"), "Removed")


def _list(context: CommandContext, *, everything: bool) -> None:
    only_open = "" if everything else "&open=true"
    document = open_api(context.home).call("GET", f"/tasks?limit={LISTED_MAX}{only_open}")
    if context.printed(document):
        return
    listed = read(document, TaskList).tasks
    if not listed:
        context.hint('No open tasks. Add one: pulse tasks add "…" --due tomorrow')
        return
    rows = [
        (
            task.id,
            task.status,
            draw.moment(task.deadline) if task.deadline else "",
            task.channel or "",
            f"{task.title}{'  [stale]' if task.stale else ''}",
        )
        for task in listed
    ]
    draw.show(draw.console(context), draw.table(("id", "status", "due", "channel", "task"), rows))


def _id(context: CommandContext, written: str) -> str:
    """Complete the beginning of a task's id."""
    listed = open_api(context.home).get(f"/tasks?limit={LISTED_MAX}", TaskList).tasks
    fitting = [task.id for task in listed if task.id.startswith((written, f"task_{written}"))]
    if written in fitting:
        return written
    if not fitting:
        raise NoSuchTaskError(f"There is no task {written!r}.", fix="`pulse tasks list --all` lists them.")
    if len(fitting) > 1:
        raise AmbiguousIdError(f"{len(fitting)} tasks begin with {written!r}.", fix="Write more of the id.")
    return fitting[0]


def _save(
    context: CommandContext, method: Method, path: str, body: TaskBody, due: str | None, *, word: str = "Saved"
) -> None:
    if due:
        body = replace(body, deadline=times.moment(due, now_here()))
    _show(context, open_api(context.home).call(method, path, body), word)


def _show(context: CommandContext, document: bytes, word: str) -> None:
    if context.printed(document):
        return
    task = read(document, TaskView)
    if word == KEPT:
        context.say(f"{task.id}  {reveal(task.title)}")
        context.say(kept_said(task, phrases(), now_here()))
        context.hint(f"Undo: pulse tasks rm {task.id}")
        return
    due = f"  due {draw.until_moment(task.deadline)}" if task.deadline else ""
    context.say(f"{word}: {task.id}  {task.status}{due}  {reveal(task.title)}")
