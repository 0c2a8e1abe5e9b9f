"""`pulse trigger`, `pause`, `resume` and `kill`."""

import click

from hub.cli.command import Here, command
from hub.contract.api import ConfigPatch, CrossPollStatus, TriggerRequest
from hub.contract.control import PauseRequest


@command()
@click.option("--channel", help="For this channel.")
@click.option("--hint", help="What you have in mind; it becomes a suggestion.")
@click.option("--force", is_flag=True, help="Do not wait for the interval between two triggers.")
@click.pass_obj
def trigger(here: Here, channel: str | None, hint: str | None, force: bool) -> None:  # noqa: FBT001  click hands flags over
    """Ask for a suggestion now.

    Example: pulse trigger --hint "Write the release notes" --channel chronicle-hub
    """
    from hub.cli import draw  # noqa: PLC0415  rich is imported when something is printed
    from hub.cli.api import open_api, read  # noqa: PLC0415  not for --help
    from hub.contract.api import TriggerAnswer  # noqa: PLC0415  not for --help

    body = TriggerRequest(target_channel=channel, hint=hint, force=force)
    document = open_api(here.home).call("POST", "/crosspoll/trigger", body, timeout_s=60.0)
    if here.as_json:
        here.document(document)
        return
    answer = read(document, TriggerAnswer)
    mark, tone = ("✓", "green") if answer.triggered else ("–", "yellow")
    here.say(f"{mark} {draw.safe(answer.message)}", tone)
    if answer.prediction is not None:
        draw.console(here).print(draw.table((), [draw.card_row(answer.prediction)]))


@command()
@click.argument("reason", required=False, default="")
@click.pass_obj
def pause(here: Here, reason: str) -> None:
    """Stop acting without you, for a while.

    Suggestions still come, and what you approve runs. Example: pulse pause "in a demo"
    """
    from hub.cli.api import open_api, read  # noqa: PLC0415  not for --help

    document = open_api(here.home).call("POST", "/crosspoll/pause", PauseRequest(reason=reason))
    _told(here, document, read(document, CrossPollStatus), "Paused. `pulse resume` goes on.")


@command()
@click.option("--emergency", is_flag=True, help="Also lift the emergency stop.")
@click.pass_obj
def resume(here: Here, emergency: bool) -> None:  # noqa: FBT001  click hands flags over
    """Go on after a pause, or lift the kill switch.

    After `pulse kill`, only with --emergency. What the settings file switches off stays off.
    """
    from hub.cli.api import open_api, read  # noqa: PLC0415  not for --help
    from hub.contract.control import ConfigAnswer  # noqa: PLC0415  not for --help

    api = open_api(here.home)
    status = api.get("/crosspoll/status", CrossPollStatus)
    if emergency or not status.enabled:
        patch = ConfigPatch(enabled=True, emergency_stop=False if emergency else None)
        read(api.call("PATCH", "/crosspoll/config", patch), ConfigAnswer)
    document = api.call("POST", "/crosspoll/resume")
    _told(here, document, read(document, CrossPollStatus), "Going on.")


@command()
@click.pass_obj
def kill(here: Here) -> None:
    """Emergency stop: nothing runs any more.

    What runs is stopped and nothing new begins, also after a restart, until `pulse resume --emergency`.
    """
    from hub.cli.api import open_api, read  # noqa: PLC0415  not for --help
    from hub.contract.control import ConfigAnswer  # noqa: PLC0415  not for --help

    document = open_api(here.home).call("PATCH", "/crosspoll/config", ConfigPatch(emergency_stop=True))
    status = read(document, ConfigAnswer).status
    _told(here, document, status, "Stopped. `pulse resume --emergency` lifts it.")


def _told(here: Here, document: bytes, status: CrossPollStatus, text: str) -> None:
    if here.as_json:
        here.document(document)
        return
    from hub.cli import draw  # noqa: PLC0415  rich is imported when something is printed

    here.say(text)
    draw.console(here).print(draw.table((), draw.status_lines(status)))
