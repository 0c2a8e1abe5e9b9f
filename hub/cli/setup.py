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
    ("terminal", "terminal", "`pulse watch`", ""),
    ("browser", "browser", "`pulse open`", ""),
    ("phone", "", "`pulse phone`", "Telegram, Tailscale, a tunnel, or the same Wi-Fi"),
    ("Discord", "discord", "`pulse discord setup`", "a server of your own"),
    ("Home Assistant", "homeassistant", "`pulse homeassistant setup`", "the Home Assistant app on your phone"),
    ("Telegram", "telegram", "`pulse telegram setup`", "a bot, which takes a minute to make"),
    ("Matrix", "matrix", "`pulse matrix setup`", "an account for a bot on your server"),
    ("Slack", "slack", "`pulse slack setup`", "a workspace where you can install an app"),
    ("ntfy (Android)", "ntfy", "`pulse ntfy setup`", "the ntfy app on your phone"),
    ("mail, SMS, chats", "apprise", "`pulse apprise setup`", "an account with the service; it only notifies you"),
    ("iPhone app", "phone", "`pulse apns setup`", "a Mac, Xcode and a paid Apple developer membership"),
    ("Apple Watch app", "watch", "`pulse apns setup --watch`", "the same as the iPhone app"),
    ("glasses", "glasses", "`pulse edge doctor`", "a microphone and a speaker"),
)
"""A way, its surface (empty where it is another's), how it begins, and what it needs; empty where that is nothing."""


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
    context.say("What else you can set up", bold=True)
    wide = max(len(as_called(begin)) for _, _, begin, _ in more)
    for name, _, begin, needs in more:
        head = f"  {name:<16} {as_called(begin):<{wide}}"
        context.say_below(f"{head} ", f"needs {needs}" if needs else "", " " * (len(head) + 1))
