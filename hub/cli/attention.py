"""`pulse attention`: what interruptions are to the person, what today has cost, and changing it."""

from typing import get_args

import click

from hub.cli import draw
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.api import ConfigPatch
from hub.contract.attention import Badness
from hub.contract.control import ConfigAnswer
from hub.contract.errors import UserError

CONFIG = "/crosspoll/config"
WORDS = click.Choice(get_args(Badness))
NONE = "none"


class BadTimesError(UserError):
    """These are not times of day. Separate them with commas: 9:00,13:00,17:00; or write none."""

    code = "bad-times"
    status = 422


@command()
@click.option("--needless", type=WORDS, help="How bad is a needless interruption?")
@click.option("--missed", type=WORDS, help="How bad is missing help you would have wanted?")
@click.option("--wrong", type=WORDS, help="How bad is it if Pulse does something on autopilot that you did not want?")
@click.option("--per-day", type=click.IntRange(0, 1_000), help="How many interruptions a day are acceptable.")
@click.option("--digests", metavar="TIMES", help="When to send a digest of what is waiting: 9:00,13:00,17:00, or none.")
@click.option("--on-return/--no-on-return", default=None, help="Also send a digest when you come back.")
@click.pass_obj
def attention(
    context: CommandContext,
    *,
    needless: Badness | None,
    missed: Badness | None,
    wrong: Badness | None,
    per_day: int | None,
    digests: str | None,
    on_return: bool | None,
) -> None:
    r"""Set how much interruptions bother you, and see today's count.

    Pulse weighs each suggestion: notify you now, silently, at a good moment, in a digest, or not at all.

    Without options it shows what is set, and how much of today is used up.

    \b
    pulse attention --needless awful --missed mild
    pulse attention --per-day 4 --digests 9:00,13:00
    pulse attention --digests none --no-on-return
    """
    patch = ConfigPatch(
        needless_interruption=needless,
        missed_help=missed,
        wrong_act=wrong,
        interruptions_per_day=per_day,
        digest_times=None if digests is None else times_of(digests),
        digest_on_return=on_return,
    )
    api = open_api(context.home)
    document = api.call("GET", CONFIG) if patch == ConfigPatch() else api.call("PATCH", CONFIG, patch)
    if context.printed(document):
        return
    config = read(document, ConfigAnswer)
    context.say(draw.attention_line(config.status))
    draw.show(draw.console(context), draw.table((), lines_of(config)))


def times_of(text: str) -> tuple[str, ...]:
    """Read times of the day, sorted; each is written with two digits an hour.

    Raises:
        BadTimesError: one of them is no time of the day.
    """
    if text.strip().lower() == NONE:
        return ()
    return tuple(sorted({_time(part.strip()) for part in text.split(",")}))


def lines_of(config: ConfigAnswer) -> list[tuple[str, str]]:
    """Return what the person chose, as rows."""
    when = [f"at {', '.join(config.digest_times)}"] if config.digest_times else []
    when += ["when you come back"] if config.digest_on_return else []
    return [
        ("needless interruption", config.needless_interruption),
        ("missed help", config.missed_help),
        ("wrong action on autopilot", config.wrong_act),
        ("digests", " and ".join(when) or "none"),
    ]


def _time(text: str) -> str:
    hour, colon, minute = text.partition(":")
    is_time = colon and hour.isascii() and hour.isdigit() and minute.isascii() and minute.isdigit()
    if not is_time or len(minute) != 2 or int(hour) > 23 or int(minute) > 59:  # noqa: PLR2004  a clock's own numbers
        raise BadTimesError
    return f"{int(hour):02}:{minute}"
