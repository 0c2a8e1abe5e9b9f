"""Training how likely a yes is: the history goes to a process beside the hub, a model comes back, checked."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from hub.domain.teaching import Taught, YesModel
from hub.io.sensors.command import run
from hub.io.sensors.guard import UnreadableError
from hub.learn.yes import trouble_with

TRAINING_S_MAX = 60.0
MODEL_BYTES_MAX = 4 * 1024 * 1024
PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "HOME")
WORKER = ("-m", "hub.io.training.yes_worker")


async def train(history: Sequence[Taught], worker: Sequence[str] = WORKER) -> YesModel | str:
    """Return the model of a history, or what went wrong, in a sentence."""
    isolated = ["-I"] if sys.flags.isolated else []
    try:
        output = await run(
            (sys.executable, *isolated, *worker),
            cwd=Path(__file__).parents[3],
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            timeout_s=TRAINING_S_MAX,
            limit_bytes=MODEL_BYTES_MAX,
            stdin=msgspec.json.encode(tuple(history)),
        )
        model = msgspec.json.decode(output.out, type=YesModel)
    except UnreadableError as wrong:
        return f"The training did not end: {wrong}"
    except msgspec.MsgspecError as wrong:
        return f"The result of the training is not a model ({wrong})."
    trouble = trouble_with(model)
    return f"The result of the training cannot be used: {trouble}." if trouble else model
