"""One training at a service: agreed to by a person on a card, then step by step to a model that answers."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from hub.cli.api import HubClient
from hub.cli.question import OpenQuestion
from hub.contract.api import AskRequest
from hub.contract.errors import UserError
from hub.contract.training import ExportedRequest, ModelRequest, TrainingView
from hub.contract.words import Risk
from hub.io.training.pipeline import DearerError, RunFiles, TogetherRun, advance, digest_of, price_of
from hub.io.training.together import Together, TrainingFailedError
from hub.kit.text import counted
from hub.settings.schema import TrainingSettings

ANSWER_S_MAX = 3_600
POLL_S = 20.0
PRICE_SHOWN_MIN = 0.01
STAGES = {
    "agreed": "agreed to",
    "uploaded": "uploaded; being checked there",
    "checked": "checked; the price is as agreed",
    "started": "learning",
    "trained": "trained; waiting until it answers",
    "answering": "answering",
}
NEEDS_HOSTING = (
    "It does not answer yet. Some models answer only on hardware of their own, which the service charges for by the "
    "minute: start that there, and stop it there (docs/training.md)."
)


class NotSetUpError(UserError):
    """A training at a service needs a model, its price and a key, and one of them is not set."""

    code = "training-not-set-up"


class NotAgreedError(UserError):
    """The training was not approved. Nothing was sent."""

    code = "training-not-agreed"


class TrainingUnderWayError(UserError):
    """Pulse is already training a model that you approved. `pulse undo` of that card ends it."""

    code = "training-under-way"


def key_of(wanted: TrainingSettings) -> str:
    """Return the service's key.

    Raises:
        NotSetUpError: it, the model or the price is not set.
    """
    if not wanted.model:
        raise NotSetUpError("No model to train is named.", fix="Set training.model in config.toml.")
    if wanted.usd_per_million_tokens <= 0:
        fix = "Set training.usd_per_million_tokens in config.toml, from the service's price list."
        raise NotSetUpError("The cost is unknown.", fix=fix)
    key = os.environ.get(wanted.key_env, "")
    if not key:
        raise NotSetUpError(f"{wanted.key_env} is not set.", fix="Put the service's key there.")
    return key


def train_there(
    api: HubClient, home: Path, wanted: TrainingSettings, tell: Callable[[str], None], *, wait: bool
) -> bytes | None:
    """Begin a training, or go on with the one that was begun; return how things stand, None if it is not done yet.

    Raises:
        NotSetUpError, NotAgreedError: it was not begun, and nothing was sent.
        DearerError, TrainingFailedError: it is over; the next call starts over, with another question.
        TrainingServiceError: the service is away or refuses; the next call goes on.
    """
    key, files = key_of(wanted), RunFiles(home)
    run = files.read()
    if run is not None and run.card_id:
        raise TrainingUnderWayError(f"It is {STAGES[run.stage]}, after your yes to {run.card_id}.")
    run = run or _agreed(api, home, files, wanted)
    service = Together(wanted.url, key)
    try:
        run = _go_on(run, files, service, tell, wait=wait)
    except (DearerError, TrainingFailedError):
        files.clear()
        raise
    finally:
        service.close()
    if run.stage != "answering":
        return None
    api.call("POST", "/training/exported", ExportedRequest(through=run.through))
    model = ModelRequest(name=run.made, by="together", pairs=run.pairs)
    document = api.call("POST", "/training/models", model)
    files.clear()
    return document


def _agreed(api: HubClient, home: Path, files: RunFiles, wanted: TrainingSettings) -> TogetherRun:
    """Ask a person, on whichever surface, about exactly these pairs at this price; only a yes goes on."""
    view = api.get("/training", TrainingView)
    with files.prepare().open("wb") as target:
        api.download(f"/training/pairs?format=together&through={view.last_pair}", target)
    try:
        size, digest = files.pairs.stat().st_size, digest_of(files.pairs)
        with files.pairs.open("rb") as rows:
            pairs = sum(1 for _ in rows)
        price = max(price_of(files.pairs, wanted.epochs, wanted.usd_per_million_tokens), PRICE_SHOWN_MIN)
        question = AskRequest(
            question=f"Send {counted(pairs, 'training pair')} to {wanted.url} and train {wanted.model} there?",
            details=(
                f"About ${price:.2f}. {size:,} bytes: what was going on, what you chose and what you turned away, with"
                " secrets masked. Answering afterwards costs what the service asks for it."
            ),
            risk=Risk.HIGH,
            asker="training",
            timeout_s=ANSWER_S_MAX,
        )
        _ask(home, question)
        _check_still(files.pairs, digest)
    except BaseException:
        files.clear()
        raise
    run = TogetherRun(
        stage="agreed",
        sha256=digest,
        pairs=pairs,
        through=view.last_pair,
        model=wanted.model,
        epochs=wanted.epochs,
        price_usd=price,
    )
    files.keep(run)
    return run


def _ask(home: Path, question: AskRequest) -> None:
    with OpenQuestion(home, question) as asked:
        reply, _ = asked.wait()
    if not reply.approved:
        raise NotAgreedError(fix="Run the command again if you want to be asked again.")


def _check_still(pairs: Path, digest: str) -> None:
    """See that what would be sent is what the person was asked about."""
    if digest_of(pairs) != digest:
        fix = "The pairs changed while you were asked. Run the command again to use the current ones."
        raise NotAgreedError("What would be sent is no longer what you were asked about.", fix=fix)


def _go_on(
    run: TogetherRun, files: RunFiles, service: Together, tell: Callable[[str], None], *, wait: bool
) -> TogetherRun:
    """Do step after step; where nothing has moved, wait a little, or leave it for the next call."""
    is_said = False
    while run.stage != "answering":
        after = advance(run, files, service)
        if after == run:
            if run.stage == "trained" and not is_said:
                tell(NEEDS_HOSTING)
                is_said = True
            if not wait:
                break
            time.sleep(POLL_S)
            continue
        files.keep(after)
        tell(f"{run.suffix}: {STAGES[after.stage]}")
        run = after
    return run
