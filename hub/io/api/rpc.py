"""JSON-RPC 2.0 (CROSSPOLL 8.3): the same handlers as over HTTP, by the names that agents call."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from hub.contract import live
from hub.contract.api import AnswerRequest, TriggerRequest
from hub.contract.base import Message, Value
from hub.contract.errors import PulseError
from hub.domain.requests import Refused
from hub.domain.storage import Client
from hub.io.api import cards
from hub.io.api.answer_endpoints import ANSWER_ENDPOINTS
from hub.io.api.call import Call, Nothing, Services
from hub.io.api.endpoint import API, Endpoint
from hub.io.api.endpoints import ENDPOINTS
from hub.io.api.performing import perform, require_use_of
from hub.io.http.bodies import decode
from hub.io.http.errors import InvalidBodyError
from hub.io.http.problems import problem_of
from hub.io.server.caller import Caller

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL, OURS = -32700, -32600, -32601, -32602, -32603, -32000
BATCH_MAX = 50
Result = live.RpcResult | live.RpcFailure
_encoder = msgspec.json.Encoder()
_OWN_MESSAGE = re.compile(rb'\s*\{\s*"type"')


class Method(Value):
    """One method: the endpoint that it calls, and the type of its params."""

    endpoint: Endpoint
    params: type[Message] = live.NoParams


_BY_PATH = {one.path: one for one in ENDPOINTS}
_ANSWERS = [one for one in ANSWER_ENDPOINTS if one.body is AnswerRequest]
METHODS: dict[str, Method] = {
    "pulse.crosspoll.trigger": Method(endpoint=_BY_PATH[f"{API}/crosspoll/trigger"], params=live.TriggerParams),
    "pulse.predictions.latest": Method(endpoint=_BY_PATH[f"{API}/twin/predict"], params=live.LatestParams),
    "pulse.crosspoll.status": Method(endpoint=_BY_PATH[f"{API}/crosspoll/status"]),
    **{
        f"pulse.predictions.{one.path.rpartition('/')[2]}": Method(endpoint=one, params=live.AnswerParams)
        for one in _ANSWERS
    },
}


class Rpc:
    """Answers the calls of one client."""

    def __init__(self, services: Services, whose: Callable[[], Client], caller: Caller | None) -> None:
        """Answer the client that `whose` returns, asked at each call: who a caller counts as can change meanwhile."""
        self._services = services
        self._whose = whose
        self._caller = caller

    @staticmethod
    def is_meant(raw: bytes) -> bool:
        """Return True if a message is to be answered as JSON-RPC; what begins with `type` is one of our own."""
        return not _OWN_MESSAGE.match(raw) and (b'"jsonrpc"' in raw or raw.lstrip()[:1] != b"{" or b'"type"' not in raw)

    async def answer(self, raw: bytes) -> bytes:
        """Return the answer to a call or a batch; empty for notifications."""
        try:
            msgspec.json.decode(raw)  # all of it: a batch is broken as a whole
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _encoder.encode(_failure(PARSE_ERROR, "Parse error"))
        if not raw.lstrip().startswith(b"["):
            result = await self._one(raw)
            return b"" if result is None else _encoder.encode(result)
        batch = msgspec.json.decode(raw, type=list[msgspec.Raw])
        if not 0 < len(batch) <= BATCH_MAX:
            return _encoder.encode(_failure(INVALID_REQUEST, f"A batch has 1 to {BATCH_MAX} calls"))
        results = [result for one in batch if (result := await self._one(one)) is not None]
        return _encoder.encode(results) if results else b""

    def refusal(self, error: PulseError) -> bytes:
        """Return the answer to a call that was not even looked at."""
        return _encoder.encode(_failure(OURS, error.detail, error))

    async def _one(self, raw: bytes | msgspec.Raw) -> Result | None:
        try:
            call = msgspec.json.decode(raw, type=live.RpcCall)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return _failure(INVALID_REQUEST, f"Invalid Request: {error}")
        result = await self._perform(call)
        return None if call.id is UNSET else result

    async def _perform(self, call: live.RpcCall) -> Result:
        method = METHODS.get(call.method)
        if method is None:
            return _failure(NO_METHOD, f"Method not found; there are: {', '.join(METHODS)}", call_id=call.id)
        try:
            client = self._whose()
            require_use_of(method.endpoint, client)
            made = self._call_of(decode(call.params, method.params), client)
            result = await perform(method.endpoint, method.endpoint.methods[0], made)
        except InvalidBodyError as error:
            return _failure(INVALID_PARAMS, f"Invalid params: {error.detail}", error, call_id=call.id)
        except PulseError as error:
            return _failure(OURS, error.detail, error, call_id=call.id)
        if isinstance(result, Refused):
            return _failure(OURS, result.detail, result, call_id=call.id)
        return live.RpcResult(result=msgspec.Raw(_encoder.encode(result)), id=_id(call.id))

    def _call_of(self, params: Message, client: Client) -> Call[Any, Any]:
        """Turn params into the call that the handler takes over HTTP."""
        body: Message = Nothing()
        query: Message = Nothing()
        path: dict[str, str] = {}
        match params:
            case live.TriggerParams():
                body = TriggerRequest(target_channel=params.channel, hint=params.hint, force=params.force)
            case live.LatestParams():
                query = cards.PredictQuery(count=params.count, channel=params.channel)
            case live.AnswerParams(id=card_id):
                given = {name: getattr(params, name) for name in AnswerRequest.__struct_fields__}
                body, path = AnswerRequest(**given), {"id": card_id}
        return Call(to=self._services, client=client, body=body, query=query, path=path, caller=self._caller)


def _failure(
    code: int, message: str, cause: PulseError | Refused | None = None, *, call_id: object = None
) -> live.RpcFailure:
    data = UNSET if cause is None else problem_of(cause, live.PATH)
    return live.RpcFailure(error=live.RpcError(code=code, message=message, data=data), id=_id(call_id))


def _id(call_id: object) -> int | float | str | None:
    return call_id if isinstance(call_id, int | float | str) else None
