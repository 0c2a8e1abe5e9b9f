"""`pulse world spawn`: have an agent do something, as a session that is followed; what would run is shown first."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.errors import UserError
from hub.contract.world import split_need
from hub.contract.world_api import SAID_CHARS_MAX, WorldAnswer, WorldSpawnBody

if TYPE_CHECKING:
    from hub.contract.api import Prediction

LOOK_S_MAX = 60.0
"""Finding out what would run may take a moment."""


class NothingToDoError(UserError):
    """The task is missing or too long. Nothing was sent."""

    code = "bad-task"


@command()
@click.argument("task", metavar='"TASK | need: CRITERIA"')
@click.option("--agent", required=True, help="Which of your agents to use.")
@click.option("--session", default="", metavar="ID", help="The session's name; by default Pulse chooses one.")
@click.option("--channel", default="", help="Which channel, if several lead to the agent.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Where it works; by default in a new empty folder.",
)
@click.option("--yes", is_flag=True, help="Approve what would run, unless it is risky.")
@click.pass_obj
def spawn(
    context: CommandContext, /, task: str, *, agent: str, session: str, channel: str, folder: Path | None, yes: bool
) -> None:
    r"""Give an agent a task, as a session.

    You see what would run, and it runs once you approve. Your yes covers retries of the same, each with the result of
    the one before. At the end Pulse checks that what was needed is there, and asks you if it is not.

    \b
    pulse world spawn "List what is open | need: a file open.md" --agent claude --folder .
    """
    from hub.contract.api import Prediction  # noqa: PLC0415  only here, and not where lines are said
    from hub.contract.words import Status  # noqa: PLC0415  as above

    said, need = (part.strip() for part in split_need(task))
    if not said or max(len(said), len(need)) > SAID_CHARS_MAX:
        raise NothingToDoError(
            f"A task has 1 to {SAID_CHARS_MAX} characters, and so has its need.", fix='"TASK | need: CRITERIA"'
        )
    api = open_api(context.home)
    place = "" if folder is None else str(folder)
    body = WorldSpawnBody(task=said, agent=agent, need=need, session=session, channel=channel, folder=place)
    document = api.call("POST", "/world/spawn", body, timeout_s=LOOK_S_MAX)
    answer = read(document, WorldAnswer)
    card = api.get(f"/predictions/{answer.card_id}?look=true", Prediction)
    if card.status is Status.PENDING and _is_meant(context, card, yes=yes):
        card = _say_yes(context, card)
    if context.printed(document):
        return
    name = answer.session.id if answer.session is not None else ""
    if card.status is Status.PENDING:
        context.hint(f"- {name} is waiting for your yes: pulse approve {card.id}", "yellow")
    else:
        context.hint(f"✓ {name} runs: pulse world query session {name}", "green")


def _is_meant(context: CommandContext, card: "Prediction", *, yes: bool) -> bool:
    """Show what would run, and ask; `--yes` is the answer, but to nothing risky: that is read first."""
    from hub.cli.looked import can_ask, show  # noqa: PLC0415  only here
    from hub.contract.words import Risk  # noqa: PLC0415  as above

    is_plain = card.risk is not Risk.HIGH and not card.in_person
    if not context.as_json:
        show(context, card)
    if yes and is_plain:
        return True
    return can_ask(context) and click.confirm("Run it?" if is_plain else "This is risky. Run it anyway?")


def _say_yes(context: CommandContext, card: "Prediction") -> "Prediction":
    from hub.cli.looked import answer_to, hand_in  # noqa: PLC0415  only here
    from hub.contract.api import AnswerReply  # noqa: PLC0415  as above
    from hub.contract.words import Verb  # noqa: PLC0415  as above

    document = hand_in(context, card, Verb.APPROVE, answer_to(card), asked=True)
    return card if document is None else read(document, AnswerReply).prediction
