"""`pulse approve ID --always`: what need not be asked any more, with an end and files that the person chooses."""

import re
import sys
from datetime import datetime, time, timedelta

import click

from hub.cli import times
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext
from hub.cli.person_clock import now_here
from hub.contract.api import Prediction
from hub.contract.errors import UserError
from hub.contract.grants import GrantChoice, GrantPreview
from hub.contract.permission import GRANT_PATHS_MAX, PermissionAnswer
from hub.domain.lookalikes import reveal
from hub.domain.permission_grant import OPTION_PREFIX

DAY_ENDS = time(23, 59)
WORDS = {"hour": timedelta(hours=1), "week": timedelta(days=7)}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class NothingToGrantError(UserError):
    """This card does not offer that permission."""

    code = "nothing-to-grant"


def end_of(text: str, now: datetime) -> datetime:
    """Read when a grant is to end: `hour`, `today`, `week`, `2030-01-31`, and all that `times.until` reads.

    Days end a minute before midnight, in the zone of `now`.

    Raises:
        BadTimeTextError: it is none of these.
    """
    plain = text.strip().lower()
    if plain in WORDS:
        return now + WORDS[plain]
    if plain == "today":
        return datetime.combine(now.date(), DAY_ENDS, tzinfo=now.tzinfo)
    if _DAY.fullmatch(plain):
        return datetime.combine(times.moment(plain, now).date(), DAY_ENDS, tzinfo=now.tzinfo)
    return times.until(plain, now)


def choose(
    context: CommandContext, card: Prediction, number: int, until: str | None, paths: tuple[str, ...]
) -> PermissionAnswer | None:
    """Show what a yes would let the agent do from now on, and ask; None where the person does not want it.

    Raises:
        NothingToGrantError: the card offers no such thing, or not with that end or these files.
    """
    options = () if card.permission is None else card.permission.options
    ours = [one for one in options if one.id.startswith(OPTION_PREFIX)]
    if not 1 <= number <= len(ours):
        listed = "; ".join(f"{place}: {one.label}" for place, one in enumerate(ours, 1))
        raise NothingToGrantError(fix=f"It offers {reveal(listed)}." if listed else "Pulse always asks about this.")
    if len(paths) > GRANT_PATHS_MAX:
        raise NothingToGrantError(
            f"At most {GRANT_PATHS_MAX} files or folders are possible.", fix="Name a folder that contains them."
        )
    now = now_here()
    answer = PermissionAnswer(option=ours[number - 1].id, until=end_of(until, now) if until else None, paths=paths)
    choice = GrantChoice(option=answer.option, until=answer.until, paths=answer.paths)
    found = read(open_api(context.home).call("POST", f"/predictions/{card.id}/grant", choice), GrantPreview)
    if found.why_not:
        raise NothingToGrantError(reveal(found.why_not), fix="Choose a different end or other files.")
    if context.as_json:
        return answer
    context.say(reveal(found.label), bold=True)
    if found.note:
        context.say(f"  {reveal(found.note)}")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return answer
    return answer if click.confirm("Approve this, and allow such requests without asking until then?") else None
