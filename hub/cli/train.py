"""`pulse train`: a model of you that learns from what you choose and turn away."""

import click

from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, group
from hub.contract.training import TrainingView
from hub.kit.text import counted

WHY_DUE = {
    "": "No training is due.",
    "first": "There are enough pairs for a first training.",
    "new-pairs": "There are a hundred new pairs or more since the last training.",
    "weekly": "The last training is a week old, and there are new pairs.",
}


@group()
def train() -> None:
    """Let a model of you learn from your answers. docs/training.md explains it."""


@train.command("status")
@click.pass_obj
def status(here: CommandContext) -> None:
    """Say how many training pairs there are, whether a training is due, and which models were trained."""
    show(here, open_api(here.home).call("GET", "/training"))


@train.command("back")
@click.pass_obj
def back(here: CommandContext) -> None:
    """Use the model again that was used before the present one."""
    show(here, open_api(here.home).call("POST", "/training/back"))


def show(here: CommandContext, document: bytes) -> None:
    """Print how things stand."""
    if here.as_json:
        here.document(document)
        return
    view = read(document, TrainingView)
    here.say(
        f"{counted(view.pairs, 'training pair')}, {view.new_pairs} not exported yet; {view.pairs_needed} are needed."
    )
    here.say(WHY_DUE[view.due])
    for model in view.models:
        mark = "●" if model.name == view.model else " "
        here.say(f"{mark} {model.name}  {model.at:%Y-%m-%d}, {counted(model.pairs, 'pair')}, {model.by}")
    if not view.model:
        here.say("The model of the settings is in use." if view.models else "No model was trained yet.")
