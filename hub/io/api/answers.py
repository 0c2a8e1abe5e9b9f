"""Answering suggestions, and asking for new ones."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.api import PROMPT_CHARS_MAX, AnswerReply, AnswerRequest, RespondRequest, TriggerAnswer, TriggerRequest
from hub.contract.base import Message
from hub.contract.topics import DeviceAddress, is_segment
from hub.contract.words import GRANTING, PLAIN_NO, Verb
from hub.domain.canonical import digest
from hub.domain.requests import Refused, Trigger
from hub.domain.storage import CardById
from hub.domain.suggestion import Answer
from hub.io.access.claims import answering_as, require_input
from hub.io.access.in_person import is_in_person, is_plain_token, is_program, is_unproven
from hub.io.access.tokens import is_app, is_surface
from hub.io.api.call import Call, Nothing, fresh_key
from hub.io.api.clients import find_device
from hub.io.api.look_first import look_first, note_alone
from hub.io.http.bodies import sane_time
from hub.io.http.errors import InvalidBodyError
from hub.io.http.judged_card import judged_card
from hub.io.http.loop_requests import ask_loop
from hub.io.http.terminal_errors import TokenIsNoPersonError
from hub.loop.devices import NOT_SHOWN
from hub.loop.refusals import unknown_card
from hub.loop.views import prediction_of
from hub.where import may_grant

AnswerCall = Call[AnswerRequest, Nothing] | Call[TriggerRequest, Nothing] | Call[RespondRequest, Nothing]
Handler = Callable[[Call[AnswerRequest, Nothing]], Awaitable[AnswerReply | Refused]]


def is_without_words(said: AnswerRequest) -> bool:
    """Return True if an answer has no reason: that would reach the agent that asked as its person's own words."""
    return not said.reason


def answering(verb: Verb) -> Handler:
    """Return the endpoint that answers a card with `verb`."""

    async def handle(call: Call[AnswerRequest, Nothing]) -> AnswerReply | Refused:
        return await give(call, call.path["id"], verb, call.body)

    handle.__doc__ = _DOCS[verb]
    handle.__name__ = verb.value
    return handle


async def give(
    call: AnswerCall, card_id: str, verb: Verb, said: AnswerRequest, *, content: Message | None = None
) -> AnswerReply | Refused:
    """Give a person's answer to a card; `content` is what was sent, where that is not `said` itself."""
    if not is_segment(card_id):
        return unknown_card(card_id)
    if said.prompt is not None and verb not in {Verb.EDIT, Verb.RETRY}:
        raise InvalidBodyError(
            "`prompt` belongs to edit and retry: nothing else may run a different text than the one shown."
        )
    if said.about is not None and verb not in {Verb.LESS, Verb.NEVER}:
        raise InvalidBodyError("`about` belongs to less and never: it sets what they apply to.")
    sender = answering_as(call.parts, call.client, said.surface, said.device)
    require_input(call.parts, sender.surface, said.human_input)
    await _require_more_than_a_token(call, card_id, verb, said)
    if verb in GRANTING and not await _is_shown(call, card_id, said.card_hash):
        return NOT_SHOWN
    option = "" if said.permission is None else said.permission.option
    confirmations = call.to.confirmations
    await confirmations.require_for_risk(call.parts, call.client, card_id, verb, option=option, words=said.prompt)
    unseen = await look_first(call, card_id, verb, said)  # last: a look is good once
    if unseen is not None:
        return unseen
    answer = Answer(
        key=call.key or said.idempotency_key or fresh_key(),
        card_id=card_id,
        verb=verb,
        by=call.parts.user,
        surface=sender.surface,
        device=sender.device,
        human_input=said.human_input,
        card_hash=said.card_hash,
        prompt=said.prompt,
        reason=said.reason,
        until=_until(said, call.parts.clock.now()),
        attempt=said.attempt,
        round=said.round,
        about=said.about,
        permission=said.permission,
        in_person=is_in_person(call.client),
        content=digest(verb, content or replace(said, idempotency_key=None, latest=False, look=None)),
    )
    return await ask_loop(call.parts.hub_api, answer, AnswerReply)


async def _require_more_than_a_token(call: AnswerCall, card_id: str, verb: Verb, said: AnswerRequest) -> None:
    """Check that a token alone says only a plain no to what an agent may have asked: it may have read the token.

    Only what Pulse itself worded is left to a token, only as it stands, and only at low risk (`Card.is_own_idea`): what
    Pulse would push or install, the agent wrote.

    Raises:
        TokenIsNoPersonError: it would be.
    """
    if not call.to.terminals.are_needed or not is_plain_token(call.client):
        return
    if verb in PLAIN_NO and is_without_words(said):
        return
    card = await judged_card(call.parts, card_id)
    if said.prompt is not None or not card.is_own_idea:
        raise TokenIsNoPersonError(fix=TokenIsNoPersonError.FIX)


async def _is_shown(call: AnswerCall, card_id: str, card_hash: str | None) -> bool:
    """Return True if a yes is offered where this comes from; a phone or watch names the hash of what it showed, too.

    What the hub hands it offers it no other yes; its own token must not lead around that. A surface's process shows
    nothing: a yes comes from the device that did, with its proof (`hub/kit/mqtt/proof.py`).
    """
    client, parts = call.client, call.parts
    if client is not None and is_surface(client):
        return False
    if client is None or not is_app(client):
        return True
    card = await judged_card(parts, card_id)
    device = await find_device(parts, DeviceAddress(surface=client.surface, device=client.device))
    profile = None if device is None else parts.profiles.get(device.profile)
    if device is None or profile is None:
        return False
    shown = prediction_of(card, parts.hub_api.policy())
    return card_hash is not None and may_grant(shown, profile, device.privacy or profile.privacy)


async def respond(call: Call[RespondRequest, Nothing]) -> AnswerReply | Refused:
    """Tell a failed task what it needed to know; it is run again with that."""
    card_id, said = call.path["id"], call.body
    card = await call.parts.store.read(CardById(user=call.parts.user, card_id=card_id))
    if card is None:
        return unknown_card(card_id)
    prompt = with_words(card.prompt, said.text)
    if len(prompt) > PROMPT_CHARS_MAX:
        over = len(prompt) - PROMPT_CHARS_MAX
        raise InvalidBodyError(f"With your text the prompt is {over} characters too long.", fix="Shorten it.")
    request = AnswerRequest(
        prompt=prompt,
        attempt=said.attempt or card.attempts,
        human_input=said.human_input,
        surface=said.surface,
        device=said.device,
        idempotency_key=said.idempotency_key,
        look=said.look,
    )
    return await give(call, card_id, Verb.RETRY, request, content=replace(said, idempotency_key=None, look=None))


def with_words(prompt: str, words: str) -> str:
    """Return a prompt that carries what the person added to it."""
    return f"{prompt}\n\nThe person adds: {words}"


async def trigger(call: Call[TriggerRequest, Nothing]) -> TriggerAnswer | Refused:
    """Start a cycle now; with `predictionId`, approve that suggestion (CROSSPOLL 8.1)."""
    body, hub_api = call.body, call.parts.hub_api
    if body.card_id is None:
        request = Trigger(
            channel=body.target_channel,
            hint=body.hint,
            force=body.force and not (body.hint and is_unproven(call.client)),
            in_person=is_in_person(call.client),
            by_program=is_program(call.client),
        )
        made = await ask_loop(hub_api, request, TriggerAnswer)
        if isinstance(made, TriggerAnswer) and made.prediction is not None:
            note_alone(call, made.prediction, is_row=True)
        may_read = call.client is not None and "read" in call.client.scopes
        return made if may_read or isinstance(made, Refused) else replace(made, prediction=None)
    given = await give(call, body.card_id, Verb.APPROVE, AnswerRequest())
    if isinstance(given, Refused):
        return given
    return TriggerAnswer(
        triggered=True,
        prediction=given.prediction,
        target_channel=given.prediction.target_channel,
        message=given.message,
        status=hub_api.status(),
    )


def _until(said: AnswerRequest, now: datetime) -> datetime | None:
    if said.until is None and said.minutes is not None:
        return now + timedelta(minutes=said.minutes)
    return sane_time(said.until, now)


_DOCS = {
    Verb.APPROVE: "Approve a suggestion; it runs, if the rules allow it.",
    Verb.REJECT: "Dismiss a suggestion, with or without a reason.",
    Verb.SNOOZE: "Hide a suggestion everywhere until a time, or for some minutes.",
    Verb.EDIT: "Approve a suggestion with another prompt.",
    Verb.UNDO: "Undo an answer, while that is still possible.",
    Verb.LESS: "Dismiss a suggestion and see fewer like it: it then comes at most once a day, or less often.",
    Verb.NEVER: "Dismiss a suggestion and never suggest it here again, until that is undone.",
    Verb.RETRY: "Run a failed suggestion once more, with or without another prompt.",
    Verb.FIX: "Let a connected agent find out why a suggestion failed, and fix it; that is a suggestion of its own.",
    Verb.IGNORE: "Ignore a failed suggestion, on every surface.",
    Verb.STOP: "Stop the execution that a suggestion started.",
}
