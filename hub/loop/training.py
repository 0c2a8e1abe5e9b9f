"""Trained models: one is noted and used from then on, or the one before it again. Training itself is done elsewhere."""

from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.domain.requests import BackToModel, Noted, NoteModel, Refused
from hub.domain.training import MODELS_KEPT_MAX, TrainedModel, Trainer, Training
from hub.loop.draft import Draft
from hub.loop.views import status_of
from hub.may import effective, overridden, without


def on_note_model(draft: Draft, request: NoteModel, reply_to: str) -> None:
    """Keep a model that has been trained, and use it; the same model again is the same training."""
    use_model(draft, request.name, by=request.by, pairs=request.pairs, use=request.use)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def on_back_to_model(draft: Draft, _request: BackToModel, reply_to: str) -> None:
    """Use the model from before the present one again: an earlier trained one, or else that of the settings."""
    if not draft.mind.training.active:
        draft.reply(reply_to, _nothing_before())
        return
    use_model_before(draft)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def use_model(draft: Draft, name: str, *, by: Trainer, pairs: int, use: bool = True) -> None:
    """Keep a model, and let it be asked; one that is known already stays as it was noted."""
    before = draft.mind.training
    if all(known.name != name for known in before.models):
        model = TrainedModel(name=name, by=by, at=draft.now, pairs=pairs)
        before = replace(before, models=(*before.models, model)[-MODELS_KEPT_MAX:])
    _keep(draft, replace(before, active=name if use else before.active))


def use_model_before(draft: Draft) -> None:
    """Let the model from before the present one be asked; with that of the settings, nothing changes."""
    training = draft.mind.training
    names = [model.name for model in training.models]
    place = names.index(training.active) if training.active in names else 0
    _keep(draft, replace(training, active=names[place - 1] if place else ""))


def _keep(draft: Draft, training: Training) -> None:
    """Keep the models, and let the first of the services be asked for the one that was chosen, as if a person had."""
    file, before = draft.state.file_policy, draft.mind.overrides
    if training.active == draft.mind.training.active or not file.twins:
        overrides = before
    elif training.active:
        overrides = overridden(before, ConfigPatch(twin_model=training.active), file)
    else:
        overrides = without(before, ("twin_model",))
    draft.set_mind(replace(draft.mind, training=training, overrides=overrides))
    draft.state = replace(draft.state, policy=effective(file, overrides.patch))


def _nothing_before() -> Refused:
    return Refused(
        code="no-model-before",
        status=409,
        detail="The model of the settings is in use; there is none before it.",
        fix="`pulse train status` lists the models.",
    )
