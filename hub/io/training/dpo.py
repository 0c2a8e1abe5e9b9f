"""One training by TRL's DPO trainer, as a process of its own: `python -m hub.io.training.dpo JOB`.

It reads the model's folder and the pairs, writes the new model beside its place and moves it there once it is whole. It
opens no connection: the model must be on this machine, and no code that comes with it is run. The last line that it
prints is a JSON object with what came of it.
"""

import importlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec

from hub.contract.base import Value

COLUMNS = ("prompt", "chosen", "rejected")
SEED = 0
BATCH = 4
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "DO_NOT_TRACK": "1"}


class TrainingJob(Value):
    """What to train: the folder of a model, the file of pairs, and the folder that must not be there yet."""

    model: str
    pairs: str
    out: str
    epochs: float = 1.0
    learning_rate: float = 1e-6


class TrainingOutcome(Value):
    """What came of it; the losses are those of the first and the last step."""

    pairs: int
    steps: int
    first_loss: float
    last_loss: float


def run(job: TrainingJob) -> TrainingOutcome:
    """Train, and write the new model.

    Raises:
        OSError: a folder cannot be read or written.
        ValueError: the model or the pairs are not what the trainer takes.
    """
    os.environ.update(OFFLINE)  # before the libraries are imported: they look once
    out = Path(job.out)
    part = out.with_name(f"{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700, parents=True)
    try:
        pairs = _library("datasets").load_dataset(
            "json", data_files=job.pairs, split="train", cache_dir=str(part / "c")
        )
        trainer = _trainer(job, pairs.select_columns(list(COLUMNS)), part)
        trainer.train()
        shutil.rmtree(part / "c", ignore_errors=True)
        trainer.save_model(str(part))
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return TrainingOutcome(
        pairs=len(pairs), steps=trainer.state.global_step, first_loss=losses[0], last_loss=losses[-1]
    )


def _trainer(job: TrainingJob, pairs: Any, part: Path) -> Any:  # noqa: ANN401  TRL has no types here
    trl, transformers = _library("trl"), _library("transformers")
    has_gpu = _library("torch").cuda.is_available()
    options = trl.DPOConfig(
        output_dir=str(part / "c"),
        num_train_epochs=job.epochs,
        learning_rate=job.learning_rate,
        per_device_train_batch_size=BATCH,
        use_cpu=not has_gpu,
        bf16=False,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        seed=SEED,
        disable_tqdm=True,
        trust_remote_code=False,
    )
    tokens = transformers.AutoTokenizer.from_pretrained(job.model, local_files_only=True, trust_remote_code=False)
    return trl.DPOTrainer(model=job.model, args=options, train_dataset=pairs, processing_class=tokens)


def _library(name: str) -> Any:  # noqa: ANN401  an optional library, which is not there where types are checked
    return importlib.import_module(name)


if __name__ == "__main__":
    outcome = run(msgspec.json.decode(sys.argv[1], type=TrainingJob))
    sys.stdout.write(msgspec.json.encode(outcome).decode() + "\n")
