"""`pulse train`: a model of you that learns from what you choose and turn away."""

import re
from pathlib import Path

import click

from hub.app.surfaces import settings_at
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, group
from hub.cli.export import FileThereError
from hub.cli.training_here import NotAModelError, require_trainer, train_here
from hub.cli.training_there import train_there
from hub.contract.training import ModelRequest, TrainingView
from hub.io.home.folder import Home
from hub.kit.text import counted

MODEL_NAME = re.compile(r"[\x21-\x7e]{1,200}")
"""What a service can be asked for, as the contract has it."""
WHY_DUE = {
    "": "No training is due.",
    "first": "There are enough pairs for a first training.",
    "new-pairs": "There are at least a hundred new pairs since the last training.",
    "weekly": "The last training is a week old, and there are new pairs.",
}


@group()
def train() -> None:
    """Train a model on your answers. docs/training.md explains it."""


@train.command("status")
@click.pass_obj
def status(context: CommandContext) -> None:
    """Show how many training pairs there are, whether a training is due, and which models were trained."""
    show(context, open_api(context.home).call("GET", "/training"))


@train.command("back")
@click.pass_obj
def back(context: CommandContext) -> None:
    """Go back to the previous model."""
    show(context, open_api(context.home).call("POST", "/training/back"))


@train.command("local")
@click.argument("model", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The new model's folder; it must not exist yet."
)
@click.option("--epochs", type=click.FloatRange(0.1, 100), default=1.0, show_default=True)
@click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True), default=1e-6, show_default=True)
@click.option("--use", is_flag=True, help="Switch to the new model; your service must know it by its folder.")
@click.pass_obj
def local(context: CommandContext, model: Path, out: Path, *, epochs: float, learning_rate: float, use: bool) -> None:
    """Train your own model on this machine, with TRL.

    MODEL is a folder with a model and its tokenizer, as transformers writes them. Nothing leaves this machine, and
    nothing is fetched. It needs the extra `train`, and `training.export`.

    Example: pulse train local ~/models/qwen --out ~/models/qwen-and-me
    """
    require_trainer()
    if not (model / "config.json").is_file():
        raise NotAModelError(f"{model} does not contain a model.", fix="Name the folder with its config.json.")
    name = str(out.absolute())
    if MODEL_NAME.fullmatch(name) is None:
        raise click.UsageError(f"{name} cannot name a model: no spaces, no letters beyond ASCII, 200 at most.")
    if out.exists():
        raise FileThereError(f"{out} already exists.", fix="Choose another folder.")
    api = open_api(context.home)
    outcome = train_here(api, Home(context.home).folder, model, out, epochs=epochs, learning_rate=learning_rate)
    note = ModelRequest(name=name, by="local", pairs=outcome.pairs, use=use)
    document = api.call("POST", "/training/models", note)
    if not context.as_json:
        losses = f"loss {outcome.first_loss:.3f} → {outcome.last_loss:.3f}"
        context.say(f"✓ {out}: learnt from {counted(outcome.pairs, 'pair')}, {losses}.", "green")
    show(context, document)


@train.command("together")
@click.option("--no-wait", is_flag=True, help="Do what can be done now; run the same command later to continue.")
@click.pass_obj
def together(context: CommandContext, *, no_wait: bool) -> None:
    """Train a model at Together, once you approve a card that shows what is sent and what it costs.

    If it is interrupted, run the same command to continue: nothing is sent or paid for twice. When the new model
    answers, Pulse switches to it; `pulse train back` undoes that.
    """
    home = Home(context.home)
    wanted = settings_at(home.config).training
    say = (lambda _text: None) if context.as_json else context.say
    document = train_there(open_api(context.home), home.folder, wanted, say, wait=not no_wait)
    if document is None:
        say("It is not done yet. Run the same command again.")
        document = open_api(context.home).call("GET", "/training")
    show(context, document)


def show(context: CommandContext, document: bytes) -> None:
    """Print how things stand."""
    if context.printed(document):
        return
    view = read(document, TrainingView)
    context.say(
        f"{counted(view.pairs, 'training pair')}, {view.new_pairs} not exported yet; {view.pairs_needed} are needed."
    )
    context.say(WHY_DUE[view.due])
    for model in view.models:
        mark = "●" if model.name == view.model else " "
        context.say(f"{mark} {model.name}  {model.at:%Y-%m-%d}, {counted(model.pairs, 'pair')}, {model.by}")
    if not view.model:
        context.say("The model from the settings file is in use." if view.models else "No model has been trained yet.")
