"""The part of a model that some estimates look at: with it alone they come out the same."""

from collections.abc import Iterable

from msgspec.structs import replace

from hub.domain.likelihood import Features
from hub.domain.teaching import YesModel
from hub.learn.yes.inputs import inputs_of
from hub.learn.yes.learner import like_names


def excerpt(model: YesModel, abouts: Iterable[Features]) -> YesModel:
    """Return the model without what none of these estimates looks at."""
    told = tuple(abouts)
    names = {one.name for about in told for one in inputs_of(about)}
    likes = {name for about in told for name in like_names(about)}
    return replace(
        model,
        weights={name: model.weights[name] for name in sorted(names & model.weights.keys())},
        likes={name: model.likes[name] for name in sorted(likes & model.likes.keys())},
    )
