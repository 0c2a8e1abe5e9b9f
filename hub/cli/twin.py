"""`pulse twin`: try the models that stand in for your judgement, and change the first of them."""

import click

from hub.cli.api import HubClient, open_api, read
from hub.cli.command import EXIT_FAILED, CommandContext, group
from hub.contract.api import ConfigPatch
from hub.contract.control import ConfigAnswer
from hub.contract.twins import TwinTestAnswer, TwinTestRequest, TwinTestView
from hub.domain.lookalikes import reveal

TEST_S_MAX = 150.0
"""Four models, one after the other, each with its own time."""


@group()
def twin() -> None:
    """Test the models that predict your decisions, or switch to another. `docs/twin.md` explains them."""


@twin.command("test")
@click.argument("name", required=False, default="")
@click.pass_context
def test(ctx: click.Context, name: str) -> None:
    """Make a small real call to each configured model, or to the one called NAME. The cost is counted.

    Exit status: 0 all answered, 1 at least one did not.
    """
    context: CommandContext = ctx.obj
    document = try_out(open_api(context.home), name)
    answer = read(document, TwinTestAnswer)
    if not context.printed(document):
        for one in answer.tests:
            context.say(line_of(one), "green" if one.ok else "red")
    ctx.exit(0 if all(one.ok for one in answer.tests) else EXIT_FAILED)


@twin.command("use")
@click.argument("model")
@click.pass_obj
def use(context: CommandContext, model: str) -> None:
    """Switch to MODEL, at the first configured service; no restart is needed.

    `pulse config reset twinModel` goes back to the settings file.

    Example: pulse twin use my-model-2
    """
    document = open_api(context.home).call("PATCH", "/crosspoll/config", ConfigPatch(twin_model=model))
    if context.printed(document):
        return
    running = read(document, ConfigAnswer).twin_model
    context.hint(f"✓ {reveal(running)} is now in use. To test it: `pulse twin test`.", "green")


def try_out(api: HubClient, name: str = "") -> bytes:
    """Make the test calls; return the answer's document."""
    return api.call("POST", "/twin/test", TwinTestRequest(name=name), timeout_s=TEST_S_MAX)


def line_of(one: TwinTestView) -> str:
    """Say what came of a test call."""
    cost = f", ${one.cost_usd:.4f}" if one.cost_usd else ""
    return f"{'✓' if one.ok else '✗'} {one.name} ({reveal(one.model)}): {reveal(one.detail)}{cost}"
