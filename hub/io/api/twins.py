"""Models over the API: a test call, and chats that are passed on (CROSSPOLL 2.3)."""

from hub.contract.twins import (
    ServeAnswer,
    ServeChoice,
    ServeMessage,
    ServeRequest,
    ServeUsage,
    TwinTestAnswer,
    TwinTestRequest,
    TwinTestView,
)
from hub.domain.policy import USD
from hub.domain.provenance import untrusted
from hub.domain.requests import Refused
from hub.domain.twin import ChatLine, TwinChat
from hub.io.api.call import Call, Nothing, fresh_key
from hub.loop.refusals import unknown_twin


async def test(call: Call[TwinTestRequest, Nothing]) -> TwinTestAnswer | Refused:
    """Make a small real call to each model, or to one, and say what came of it; what it costs is booked."""
    models, policy = call.parts.models, call.parts.hub_api.policy()
    if models is None:
        return unknown_twin(call.body.name, policy)
    trials = await models.test(call.body.name)
    if isinstance(trials, Refused):
        return trials
    views = (
        TwinTestView(
            name=one.name, model=one.model, ok=one.is_well, detail=one.detail, cost_usd=one.cost_microusd / USD
        )
        for one in trials
    )
    return TwinTestAnswer(tests=tuple(views))


async def serve(call: Call[ServeRequest, Nothing]) -> ServeAnswer | Refused:
    """Pass a chat on to a model of the settings, and book what it costs. What it says is a model's words, no more."""
    body, models, policy = call.body, call.parts.models, call.parts.hub_api.policy()
    service = next((one for one in policy.twins if body.model in {"", one.name, one.model}), None)
    if models is None or service is None:
        return unknown_twin(body.model, policy)
    chat = TwinChat(
        service=service,
        lines=tuple(ChatLine(role=one.role, content=one.content) for one in body.messages),
        temperature=body.temperature,
        tokens_max=body.max_tokens,
    )
    said = await models.chat(chat)
    if isinstance(said, Refused):
        return said
    if said.wrong:
        fix = "`pulse twin test` tries it; `docs/twin.md` says what each failure means."
        return Refused(code="model-failed", status=502, detail=said.wrong, fix=fix)
    message = ServeMessage(role="assistant", content=untrusted(said.words))
    sent, answered = said.tokens or (0, 0)
    return ServeAnswer(
        id=f"chatcmpl-{fresh_key()}",
        model=chat.service.model,
        choices=(ServeChoice(index=0, message=message),),
        created=int(call.parts.clock.now().timestamp()),
        usage=ServeUsage(prompt_tokens=sent, completion_tokens=answered, total_tokens=sent + answered)
        if said.tokens
        else None,
    )
