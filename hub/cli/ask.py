"""`pulse ask`: put a question to a person, anywhere, and wait. For scripts, git hooks and agents."""

import click
from msgspec.structs import replace

from hub.cli import times
from hub.cli.command import EXIT_UNREACHABLE, CommandContext, command
from hub.cli.failure import show
from hub.cli.question import OpenQuestion, StoppedError
from hub.contract.api import AskRequest, Settlement
from hub.contract.errors import PulseError, UserError
from hub.contract.words import Risk
from hub.domain.lookalikes import reveal
from hub.kit.hub_api import NotRunningError
from hub.kit.naming import where_of, who_of
from hub.kit.phrase_files import phrases

EXIT_REJECTED, EXIT_TIMED_OUT, EXIT_INTERRUPTED = 1, 2, 130
TIMEOUT_S_MAX = 86_400


@command()
@click.argument("question")
@click.option("--risk", type=click.Choice(["low", "medium", "high"]), default="medium", show_default=True)
@click.option("--timeout", default="10m", show_default=True, metavar="TIME", help="How long to wait: 30s, 10m, 2h.")
@click.option("--details", default="", help="Background for the decision; shown with the question.")
@click.option("--asker", default="script", show_default=True, help="Who asks.")
@click.option("--fail-open", is_flag=True, help="If Pulse is not running, say so and exit with 0.")
@click.pass_context
def ask(
    ctx: click.Context, /, question: str, *, risk: str, timeout: str, details: str, asker: str, fail_open: bool
) -> None:
    r"""Ask a person and wait for the answer, on any surface.

    \b
    Exit status: 0 approved, 1 rejected, 2 nobody answered in time, 3 Pulse could not be asked.
    Ctrl-C withdraws the question. With --fail-open the status is also 0 while Pulse is not running: for things that
    must not depend on it, such as a git hook. A no, or no answer, still blocks.

    Example: pulse ask "Deploy to production?" --risk high --timeout 10m && ./deploy
    """
    body = AskRequest(question=question, risk=Risk(risk), asker=asker, details=details)
    ctx.exit(_wait_for_answer(ctx.obj, body, timeout, fail_open=fail_open))


def _wait_for_answer(context: CommandContext, body: AskRequest, timeout: str, *, fail_open: bool) -> int:
    try:
        body = replace(body, timeout_s=_timeout_s(timeout))
        with OpenQuestion(context.home, body) as question:
            reply, document = question.wait()
    except StoppedError:
        return EXIT_INTERRUPTED
    except NotRunningError as error:
        show(context, error)
        if not fail_open:
            return EXIT_UNREACHABLE
        click.echo("- nobody was asked: let through (--fail-open)", err=True)
        return 0
    except PulseError as error:  # not asked is not the same as rejected
        show(context, error)
        return EXIT_UNREACHABLE
    if context.as_json:
        context.document(document)
    settled = reply.prediction.settled
    why = f": {settled.reason}" if settled and settled.reason else ""
    code, mark, tone = _verdict(approved=reply.approved, answered=reply.answered)
    said = _answered(settled) if settled and reply.answered else "nobody answered in time"
    if not context.as_json:
        context.say(f"{mark} {said}{why}", tone)
    return code


def _answered(settled: Settlement) -> str:
    """Say what was answered, by whom and where: `approved by you on your phone`."""
    who, where = who_of(settled.by), where_of(settled.surface)
    return reveal(phrases().say(f"{settled.verb.value}.by", who=who, where=where))


def _verdict(*, approved: bool, answered: bool) -> tuple[int, str, str]:
    if approved:
        return 0, "✓", "green"
    if answered:
        return EXIT_REJECTED, "✗", "red"
    return EXIT_TIMED_OUT, "-", "yellow"


def _timeout_s(text: str) -> int:
    timeout_s = round(times.length(text).total_seconds())
    if timeout_s > TIMEOUT_S_MAX:
        raise UserError(f"{text} is too long a wait.", fix="At most one day: --timeout 1d.")
    return timeout_s
