"""`pulse setup`: where suggestions reach you, what does not arrive and why, and what could be set up besides."""

import click
import msgspec

from hub.cli.api import open_api
from hub.cli.arriving import arriving
from hub.cli.command import CommandContext, command
from hub.cli.doctor import show_finding
from hub.contract.access import DeviceList
from hub.kit.called import as_called

WAYS = (
    ("terminal", "terminal", "`pulse watch`", "nothing"),
    ("browser", "browser", "`pulse open`", "nothing"),
    ("phone", "", "`pulse phone`", "Telegram, Tailscale, a tunnel, or the same Wi-Fi"),
    ("Discord", "discord", "`pulse discord setup`", "a server of yours"),
    ("Home Assistant", "homeassistant", "`pulse homeassistant setup`", "its app on the phone; no app of ours"),
    ("Telegram", "telegram", "`pulse telegram setup`", "a bot of yours, made in a minute"),
    ("Matrix", "matrix", "`pulse matrix setup`", "an account for a bot on a server of yours"),
    ("Slack", "slack", "`pulse slack setup`", "a workspace in which you may install an app"),
    ("ntfy (Android)", "ntfy", "`pulse ntfy setup`", "its app on the phone"),
    ("mail, SMS, chats", "apprise", "`pulse apprise setup`", "an account there; it only tells"),
    ("iPhone app", "phone", "`pulse apns setup`", "a Mac, Xcode, a paid Apple developer membership"),
    ("Apple Watch app", "watch", "`pulse apns setup --watch`", "as for the iPhone app"),
    ("glasses", "glasses", "`pulse edge doctor`", "a microphone and a speaker"),
)
"""A way, its surface (empty where it is another's), how it begins, and what it needs."""


@command()
@click.pass_obj
def setup(context: CommandContext) -> None:
    """Show where suggestions reach you, and what does not arrive and why.

    It also lists what else could be set up.
    """
    devices = open_api(context.home).get("/devices", DeviceList).devices
    found = arriving(context.home, one_by_one=context.as_json)
    there = {device.surface for device in devices}
    more = [way for way in WAYS if way[1] not in there]
    if context.as_json:
        ways = [{"name": name, "begin": begin, "needs": needs} for name, _, begin, needs in more]
        context.document(msgspec.json.encode({"devices": found, "more": ways}))
        return
    context.say("Where suggestions reach you", bold=True)
    wide = max(len(one.name) for one in found)
    for one in found:
        show_finding(context, one, wide)
    context.say()
    context.say("Besides", bold=True)
    wide = max(len(as_called(begin)) for _, _, begin, _ in more)
    for name, _, begin, needs in more:
        context.say(f"  {name:<16} {as_called(begin):<{wide}} needs: {needs}")
