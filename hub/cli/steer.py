"""`pulse trigger`, `pause` and `resume`."""

import click

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import EXIT_FAILED, CommandContext, command
from hub.contract.api import ConfigPatch, CrossPollStatus, TriggerAnswer, TriggerRequest
from hub.contract.control import ConfigAnswer, PauseRequest
from hub.contract.errors import UserError
from hub.contract.words import Autonomy, Status
from hub.domain.lookalikes import reveal

OFF_IN_FILE_FIX = "Set `crosspoll.enabled = true` there and restart Pulse."


class StillOffError(UserError):
    """Something else keeps Pulse off; the message says what."""

    code = "still-off"
    status = 409


@command()
@click.option("--channel", help="For this channel.")
@click.option("--hint", help="What you have in mind; it becomes a suggestion.")
@click.option("--force", is_flag=True, help="Skip the minimum interval between triggers.")
@click.pass_context
def trigger(ctx: click.Context, channel: str | None, hint: str | None, force: bool) -> None:  # noqa: FBT001  click hands flags over
    """Ask for a suggestion now.

    The exit status is 1 if a rule refused it, or your hint led to nothing.

    Example: pulse trigger --hint "Write the release notes" --channel chronicle-hub
    """
    context: CommandContext = ctx.obj
    body = TriggerRequest(target_channel=channel, hint=hint, force=force)
    document = open_api(context.home).call("POST", "/crosspoll/trigger", body, timeout_s=60.0)
    answer = read(document, TriggerAnswer)
    if not context.printed(document):
        _say_triggered(context, answer)
    if not answer.triggered and (hint or answer.prediction is not None or answer.status.killed_by):
        ctx.exit(EXIT_FAILED)


def _say_triggered(context: CommandContext, answer: TriggerAnswer) -> None:
    message = reveal(answer.message)
    if answer.triggered:
        context.say(f"✓ {message}", "green")
    elif not answer.status.killed_by and (answer.prediction is None or answer.prediction.status is Status.PENDING):
        context.say(f"- {message}", "yellow")
    else:
        context.say(f"✗ Refused: {message}", "red")
    if answer.prediction is None:
        return
    draw.show(draw.console(context), draw.table((), [draw.card_row(answer.prediction)]))
    if not answer.triggered and answer.prediction.status is not Status.PENDING:
        context.hint("  Nothing runs. `pulse why latest` shows which rule stopped it.")


@command()
@click.argument("reason", required=False, default="")
@click.pass_obj
def pause(context: CommandContext, reason: str) -> None:
    """Pause: stop acting on its own for a while.

    Suggestions still come, and what you approve still runs. Example: pulse pause "in a demo"
    """
    document = open_api(context.home).call("POST", "/crosspoll/pause", PauseRequest(reason=reason))
    _told(context, document, read(document, CrossPollStatus), "Paused. To continue: `pulse resume`.")


@command()
@click.option("--emergency", is_flag=True, help="Also lift the emergency stop.")
@click.pass_obj
def resume(context: CommandContext, emergency: bool) -> None:  # noqa: FBT001  click hands flags over
    """Resume after a pause, or lift the emergency stop.

    After `pulse kill`, this needs --emergency. What the settings file switches off stays off.
    """
    api = open_api(context.home)
    before = status = api.get("/crosspoll/status", CrossPollStatus)
    if emergency or not status.enabled:
        patch = ConfigPatch(enabled=True, emergency_stop=False if emergency else None)
        status = read(api.call("PATCH", "/crosspoll/config", patch), ConfigAnswer).status
        if not status.enabled:
            raise StillOffError(
                f"Pulse stays off: {status.reason}.", fix=OFF_IN_FILE_FIX if status.killed_by == "file" else ""
            )
    is_running = status.enabled and before.enabled and before.state is not Autonomy.PAUSED
    document = api.call("POST", "/crosspoll/resume")
    text = "Pulse was not paused." if is_running else "Running again."
    _told(context, document, read(document, CrossPollStatus), text)


def _told(context: CommandContext, document: bytes, status: CrossPollStatus, text: str) -> None:
    if context.printed(document):
        return
    context.hint(text)
    draw.show(draw.console(context), draw.table((), draw.status_lines(status)))
