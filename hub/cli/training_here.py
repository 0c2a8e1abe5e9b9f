"""One training on this machine: the pairs into a private file, and a process of its own that learns from them."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from hub.cli.api import HubClient
from hub.contract.errors import UserError
from hub.contract.training import ExportedRequest, TrainingView
from hub.io.training.dpo import TrainingJob, TrainingOutcome
from hub.io.training.together import TrainingFailedError
from hub.kit.text import listed

SIZE = "3 GB to fetch on Linux: torch brings what graphics cards need"
LIBRARIES = ("datasets", "torch", "transformers", "trl")
TRAINING_S_MAX = 7 * 86_400
WORDS_CHARS_MAX = 2_000
"""Of what a trainer that failed said last, so much is shown."""


class NoTrainerError(UserError):
    """The packages for training on this machine are not installed."""

    code = "no-trainer"


class NotAModelError(UserError):
    """The folder does not contain a model that can be trained."""

    code = "not-a-model"


def require_trainer() -> None:
    """See whether the libraries are there, without importing them.

    Raises:
        NoTrainerError: one is missing.
    """
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        fix = f"{sys.executable} -m pip install 'datasets>=4' 'transformers>=5' 'trl>=1' ({SIZE})."
        raise NoTrainerError(f"Not installed: {listed(missing)}.", fix=fix)


def train_here(
    api: HubClient, home: Path, model: Path, out: Path, *, epochs: float, learning_rate: float
) -> TrainingOutcome:
    """Train on all pairs that there are now; they count as exported once the model is there.

    Raises:
        TrainingFailedError: there is no new model; the old one is as it was.
        RefusedError: there are too few pairs, or they are not handed out.
    """
    through = api.get("/training", TrainingView).last_pair
    with tempfile.TemporaryDirectory(dir=home, prefix="training-") as folder:
        pairs = Path(folder) / "pairs.jsonl"
        with pairs.open("wb") as target:
            api.download(f"/training/pairs?format={_form_for(model)}&through={through}", target)
        job = TrainingJob(
            model=str(model.resolve()),
            pairs=str(pairs),
            out=str(out.absolute()),
            epochs=epochs,
            learning_rate=learning_rate,
        )
        outcome = _run(job)
    api.call("POST", "/training/exported", ExportedRequest(through=through))
    return outcome


def _form_for(model: Path) -> str:
    """Return the form of pairs that suits a model: the chat in which it will be asked, if its tokenizer knows chats."""
    if (model / "chat_template.jinja").is_file():
        return "chat"
    configuration = model / "tokenizer_config.json"
    knows_chats = configuration.is_file() and b'"chat_template"' in configuration.read_bytes()
    return "chat" if knows_chats else "dpo"


def _run(job: TrainingJob) -> TrainingOutcome:
    command = [sys.executable, "-m", "hub.io.training.dpo", msgspec.json.encode(job).decode()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TRAINING_S_MAX, check=False)  # noqa: S603  our own module
    except subprocess.TimeoutExpired as error:
        raise TrainingFailedError("It took longer than a week.", fix="Take a smaller model or fewer epochs.") from error
    if done.returncode != 0:
        said = done.stderr.strip()[-WORDS_CHARS_MAX:]
        raise TrainingFailedError(f"The trainer gave up: {said}", fix="Its last line says what it could not do.")
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=TrainingOutcome)
