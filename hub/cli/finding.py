"""Which suggestion a person means: its id, the beginning of it, with or without `pred_`, or `latest`."""

import urllib.parse
from typing import Literal

from hub.cli.api import ForeignAnswerError, HubClient, RefusedError
from hub.contract.api import Prediction
from hub.contract.control import PredictionList
from hub.contract.errors import UserError
from hub.contract.topics import is_segment
from hub.contract.words import AFTER_FAILURE, RunState, Status, Verb

PAGE = 200
NAMED_MAX = 5
NOT_FOUND = 404
LATEST = "latest"
NONE_TO: dict[Verb | Literal["why"], str] = {
    "why": "There are no suggestions yet.",
    Verb.STOP: "Nothing is running.",
    Verb.UNDO: "There is nothing to undo.",
    **dict.fromkeys(AFTER_FAILURE, "Nothing has failed."),
}
PREFIXES = ("", "pred_", "pred_ask_")


class NoSuchCardError(UserError):
    """No suggestion matches. `pulse cards` lists the open ones."""

    code = "no-such-card"


class NoSuchTaskError(UserError):
    """No task matches. `pulse tasks list --all` lists them."""

    code = "no-such-task"


class AmbiguousIdError(UserError):
    """More than one id starts like that. Type more of it."""

    code = "ambiguous-id"


def find(api: HubClient, written: str, purpose: Verb | Literal["why"]) -> Prediction:
    """Return the suggestion that is meant; `latest` is the newest one for which the purpose makes sense.

    Where one was just shown in this terminal by itself, and the purpose makes sense for it, that is meant.

    Raises:
        NoSuchCardError: none fits.
        AmbiguousIdError: several do; they are named.
    """
    if written == LATEST:
        fitting = [card for card in _all(api) if _fits(card, purpose)]
        if not fitting:
            raise NoSuchCardError(NONE_TO.get(purpose, "No suggestion is open."), fix=_instead(purpose))
        lately = None if purpose == "why" else _exact(api, LATEST)
        return next((card for card in fitting if lately is not None and card.id == lately.id), fitting[0])
    exact = _exact(api, written)
    if exact is not None:
        return exact
    fitting = [card for card in _all(api) if any(card.id.startswith(prefix + written) for prefix in PREFIXES)]
    if not written or not fitting:
        raise NoSuchCardError(
            f"There is no suggestion {written!r}.", fix="`pulse cards` lists the open ones; `latest` is the newest."
        )
    if len(fitting) > 1:
        named = ", ".join(card.id for card in fitting[:NAMED_MAX])
        raise AmbiguousIdError(
            f"{len(fitting)} suggestions start with {written!r}: {named}.", fix="Give more of the id."
        )
    return fitting[0]


def _instead(purpose: Verb | Literal["why"]) -> str:
    if purpose in NONE_TO and purpose != "why":
        return "`pulse cards --past` lists what was answered and what ran."
    return "`pulse cards` lists the open ones, `pulse trigger` asks for one now."


def _exact(api: HubClient, written: str) -> Prediction | None:
    if not is_segment(written):
        return None
    try:
        found = api.get(f"/predictions/{urllib.parse.quote(written)}", Prediction)
    except RefusedError as error:
        if error.problem.status == NOT_FOUND:
            return None
        raise
    if written not in {found.id, LATEST}:
        raise ForeignAnswerError
    return found


def _all(api: HubClient) -> tuple[Prediction, ...]:
    return api.get(f"/predictions?limit={PAGE}", PredictionList).predictions


def _fits(card: Prediction, purpose: Verb | Literal["why"]) -> bool:
    if purpose == "why":
        return True
    if purpose is Verb.STOP:
        return card.status is Status.CONFIRMED and card.run_state in {RunState.QUEUED, RunState.ACTIVE}
    if purpose in AFTER_FAILURE:
        return card.status is Status.FAILED and card.mended_at is None
    if purpose is Verb.UNDO:
        return card.status in {Status.CONFIRMED, Status.REJECTED, Status.EXECUTED}
    return card.status is Status.PENDING
