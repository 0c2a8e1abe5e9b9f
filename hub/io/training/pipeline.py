"""A training at Together, step by step: agreed → uploaded → checked → started → trained → answering.

Theory: each step is noted in a private file as soon as it is done, and each can be done twice: a file is known there by
its SHA-256, a job by its file, base model and name. So whoever is stopped in the middle goes on where it was, uploads
nothing twice and pays for nothing twice. Nothing begins without `agreed`, which is bound to this very file and price.
"""

import hashlib
import logging
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.io.home.private_files import private_folder, write_private
from hub.io.training.together import Together, TrainingFailedError

Stage = Literal["agreed", "uploaded", "checked", "started", "trained", "answering"]
CHARS_PER_TOKEN = 3
"""Fewer than most texts have, so that a price that is told beforehand is rather too high."""
PRICE_MARGIN = 1.1
"""So much more than was agreed a job may cost by the service's own estimate."""
log = logging.getLogger(__name__)
FAILED = frozenset({"error", "user_error", "cancelled", "cancel_requested"})
REFUSED_FILES = frozenset({"FAILED", "INVALID_FORMAT"})


class DearerError(UserError):
    """The training would cost more than you agreed to. It was not started."""

    code = "training-dearer"


class TogetherRun(Value):
    """Where a training stands. `sha256` and `price_usd` are what the person agreed to, `card_id` on which card.

    Without a card it was the command line that asked, and goes on.
    """

    stage: Stage
    sha256: str
    pairs: int
    through: int
    model: str
    epochs: int
    price_usd: float
    file_id: str = ""
    job_id: str = ""
    made: str = ""
    card_id: str = ""

    @property
    def suffix(self) -> str:
        """The name by which the job is found again."""
        return f"pulse-{self.sha256[:8]}"


class RunFiles:
    """The folder of a training: its pairs, and where it stands."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "training"
        self.pairs = self._folder / "pairs.jsonl"
        self._state = self._folder / "together.json"

    def read(self) -> TogetherRun | None:
        """Return the training under way; None if there is none, or its file is no longer what was agreed to.

        One whose note is damaged is none, either: nothing is known of what was agreed to. What is there already is
        found again by the file's SHA-256 once a person agrees again, and is not paid for twice.
        """
        if not self._state.exists() or not self.pairs.exists():
            return None
        try:
            run = msgspec.json.decode(self._state.read_bytes(), type=TogetherRun)
        except msgspec.DecodeError:
            log.warning("%s is damaged: the training that it notes has to be agreed to again", self._state)
            return None
        return run if run.sha256 == digest_of(self.pairs) else None

    def keep(self, run: TogetherRun) -> None:
        """Note where it stands."""
        private_folder(self._folder)
        write_private(self._state, msgspec.json.encode(run).decode())

    def prepare(self) -> Path:
        """Return where the pairs go: an empty file that only its owner can read, in a folder like it."""
        private_folder(self._folder)
        write_private(self.pairs, "")
        return self.pairs

    def clear(self) -> None:
        """Forget the training, with its copy of the pairs."""
        self._state.unlink(missing_ok=True)
        self.pairs.unlink(missing_ok=True)


def digest_of(path: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def price_of(path: Path, epochs: int, usd_per_million_tokens: float) -> float:
    """Return what a training on this file may cost, before anybody has been asked, in dollars."""
    tokens = len(path.read_text(encoding="utf-8")) / CHARS_PER_TOKEN * epochs
    return tokens / 1_000_000 * usd_per_million_tokens


def advance(run: TogetherRun, files: RunFiles, service: Together) -> TogetherRun:
    """Do the next step, or find that it is not done yet; return where it stands then.

    Raises:
        TrainingServiceError: the service refused or could not be reached.
        TrainingFailedError: it takes no such pairs, or its job ended without a model.
        DearerError: it would cost more than was agreed.
    """
    match run.stage:
        case "agreed":
            return replace(run, stage="uploaded", file_id=service.upload(files.pairs, run.sha256))
        case "uploaded":
            return _checked(run, service)
        case "checked":
            return replace(run, stage="started", job_id=_job_of(run, service))
        case "started":
            return _trained(run, service)
        case "trained":
            return replace(run, stage="answering") if service.serves(run.made) else run
        case "answering":
            return run


def _checked(run: TogetherRun, service: Together) -> TogetherRun:
    """Wait for the file to be valid, and compare the service's own price with the one that was agreed to."""
    status = service.file(run.file_id).processing_status
    if status in REFUSED_FILES:
        raise TrainingFailedError("It does not take the pairs as they are.", fix="Report it, with `pulse doctor`.")
    if status not in {None, "COMPLETED"}:
        return run
    estimate = service.price(run.file_id, run.model, run.epochs)
    if not estimate.estimation_available:
        return run
    price = estimate.estimated_total_price or 0.0
    if price > run.price_usd * PRICE_MARGIN or estimate.allowed_to_proceed is False:
        detail = f"It would cost ${price:.2f}; you agreed to ${run.price_usd:.2f}."
        raise DearerError(
            detail, fix="Correct training.usd_per_million_tokens, and run the command again: it asks again."
        )
    return replace(run, stage="checked")


def _job_of(run: TogetherRun, service: Together) -> str:
    """Return the job for this file: one that was started before its id could be noted, or else a new one."""
    for job in service.jobs():
        if job.training_file == run.file_id and job.model == run.model and job.status not in FAILED:
            return job.id
    return service.start(run.file_id, run.model, run.epochs, run.suffix).id


def _trained(run: TogetherRun, service: Together) -> TogetherRun:
    job = service.job(run.job_id)
    if job.status in FAILED:
        detail = f"Its job {run.job_id} ended without a model ({job.status})."
        raise TrainingFailedError(detail, fix="Look at the job there, then run the command again.")
    if job.status != "completed" or not job.model_output_name:
        return run
    return replace(run, stage="trained", made=job.model_output_name)
