"""Every endpoint of the HTTP API as one table: routes, checks and the OpenAPI document are all made from it."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.responses import Response

from hub.contract.access import (
    ActionRequest,
    AddressList,
    AddressRequest,
    ConfirmAnswer,
    ConfirmRequest,
    DeviceList,
    DevicePatch,
    DeviceRequest,
    DeviceView,
    GatewayRequest,
    Login,
    PairAnswer,
    PairingAnswer,
    PairingRequest,
    PairRequest,
    PasskeyList,
    PasskeyOptions,
    PasskeyOptionsRequest,
    PasskeyRequest,
    PasskeyView,
    ReceiptRequest,
    Scope,
    SessionAnswer,
    SessionRequest,
    TokenAnswer,
    TokenList,
    TokenRequest,
    TokenView,
)
from hub.contract.api import (
    AnswerReply,
    AnswerRequest,
    AskReply,
    AskRequest,
    ConfigPatch,
    CrossPollStatus,
    HealthAnswer,
    MessageBody,
    MetricsAnswer,
    PredictAnswer,
    Prediction,
    RespondRequest,
    TaskBody,
    TaskView,
    TriggerAnswer,
    TriggerRequest,
    WhyAnswer,
)
from hub.contract.base import Message, Value
from hub.contract.control import ConfigAnswer, HealthBrief, PauseRequest, PredictionList, TaskList
from hub.contract.insight import AgentList, InsightAnswer, RunList, SimilarAnswer, SyncAnswer
from hub.contract.words import Verb
from hub.domain.requests import Refused
from hub.io.access.confirming import Judge, everybody, for_config, for_pairing, nobody, pages
from hub.io.api import (
    agents,
    answers,
    asks,
    attempts,
    cards,
    clients,
    export,
    health,
    insight,
    likeness,
    overview,
    sessions,
    steering,
    tasks,
)
from hub.io.api import confirmations as reassuring
from hub.io.api import push_addresses as reaching
from hub.io.api.call import Call, Nothing
from hub.io.server.shares import Load

Handler = Callable[[Call[Any, Any]], Awaitable[Message | Refused | Response]]
"""The types of body and query are named beside the handler, in its endpoint."""
API = "/api/v1"


class Endpoint(Value):
    """One path and what may be done there. `scope` None needs no token; `answers` empty means `media_types`.

    `confirm` says by the body who must have confirmed lately that they are there.
    `load` says which share of what is under way it has; `of_surfaces`, that a surface's process may do it as admin.
    """

    path: str
    handler: Handler
    answers: tuple[type[Message], ...]
    methods: tuple[str, ...] = ("GET",)
    scope: Scope | None = "read"
    body: type[Message] = Nothing
    body_may_be_empty: bool = False
    query: type[Message] = Nothing
    status: int = 200
    media_types: tuple[str, ...] = ("text/plain",)
    confirm: Judge = nobody
    load: Load = "plain"
    of_surfaces: bool = False


def _answer(name: str, verb: Verb, *, empty: bool = True, load: Load = "plain") -> Endpoint:
    return Endpoint(
        path=f"{API}/predictions/{{id}}/{name}",
        handler=answers.answering(verb),
        answers=(AnswerReply,),
        methods=("POST",),
        scope="answer",
        body=AnswerRequest,
        body_may_be_empty=empty,
        load=load,
    )


# The busiest first: routes are tried in this order.
ENDPOINTS: tuple[Endpoint, ...] = (
    _answer("confirm", Verb.APPROVE),
    _answer("reject", Verb.REJECT, load="stop"),
    _answer("snooze", Verb.SNOOZE),
    _answer("edit", Verb.EDIT, empty=False),
    _answer("undo", Verb.UNDO),
    _answer("stop", Verb.STOP, load="stop"),
    _answer("retry", Verb.RETRY),
    Endpoint(
        path=f"{API}/predictions/{{id}}/respond",
        handler=answers.respond,
        answers=(AnswerReply,),
        methods=("POST",),
        scope="answer",
        body=RespondRequest,
    ),
    Endpoint(
        path=f"{API}/actions",
        handler=reaching.act,
        answers=(AnswerReply,),
        methods=("POST",),
        scope=None,
        body=ActionRequest,
    ),
    Endpoint(path=f"{API}/twin/predict", handler=cards.predict, answers=(PredictAnswer,), query=cards.PredictQuery),
    Endpoint(
        path=f"{API}/crosspoll/trigger",
        handler=answers.trigger,
        answers=(TriggerAnswer,),
        methods=("POST",),
        scope="answer",
        body=TriggerRequest,
        body_may_be_empty=True,
    ),
    Endpoint(path=f"{API}/predictions", handler=cards.predictions, answers=(PredictionList,), query=cards.ListQuery),
    Endpoint(path=f"{API}/predictions/{{id}}", handler=cards.prediction, answers=(Prediction,)),
    Endpoint(path=f"{API}/predictions/{{id}}/why", handler=cards.why, answers=(WhyAnswer,)),
    Endpoint(path=f"{API}/predictions/{{id}}/similar", handler=likeness.similar_cards, answers=(SimilarAnswer,)),
    Endpoint(path=f"{API}/predictions/{{id}}/runs", handler=attempts.runs, answers=(RunList,), load="heavy"),
    Endpoint(path=f"{API}/sync", handler=overview.sync, answers=(SyncAnswer,)),
    Endpoint(path=f"{API}/agents", handler=agents.agents, answers=(AgentList,)),
    Endpoint(
        path=f"{API}/insight",
        handler=insight.insight,
        answers=(InsightAnswer,),
        query=insight.InsightQuery,
        load="heavy",
    ),
    Endpoint(
        path=f"{API}/export",
        handler=export.export,
        answers=(),
        query=export.ExportQuery,
        media_types=tuple(export.MEDIA_TYPES.values()),
        load="heavy",
    ),
    Endpoint(path=f"{API}/crosspoll/status", handler=steering.status, answers=(CrossPollStatus,)),
    Endpoint(path=f"{API}/crosspoll/metrics", handler=steering.metrics, answers=(MetricsAnswer,), load="heavy"),
    Endpoint(path=f"{API}/crosspoll/config", handler=steering.config, answers=(ConfigAnswer,)),
    Endpoint(
        path=f"{API}/crosspoll/config",
        handler=steering.configure,
        confirm=for_config,
        answers=(ConfigAnswer,),
        methods=("PATCH", "POST"),
        scope="admin",
        of_surfaces=True,
        body=ConfigPatch,
        load="stop",
    ),
    Endpoint(
        path=f"{API}/crosspoll/pause",
        handler=steering.pause,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
        body=PauseRequest,
        body_may_be_empty=True,
        load="stop",
    ),
    Endpoint(
        path=f"{API}/crosspoll/resume",
        handler=steering.resume,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
    ),
    Endpoint(path=f"{API}/ask", handler=asks.ask, answers=(AskReply,), methods=("POST",), scope="ask", body=AskRequest),
    Endpoint(path=f"{API}/ask/{{id}}", handler=asks.asked, answers=(AskReply,), scope="ask", query=asks.AskQuery),
    Endpoint(path=f"{API}/ask/{{id}}", handler=asks.withdraw, answers=(AskReply,), methods=("DELETE",), scope="ask"),
    Endpoint(
        path=f"{API}/messages",
        handler=steering.message,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
        body=MessageBody,
        body_may_be_empty=True,
    ),
    Endpoint(path=f"{API}/tasks", handler=tasks.tasks, answers=(TaskList,), query=tasks.TasksQuery),
    Endpoint(
        path=f"{API}/tasks",
        handler=tasks.add_task,
        answers=(TaskView,),
        methods=("POST",),
        scope="answer",
        body=TaskBody,
        status=201,
    ),
    Endpoint(path=f"{API}/tasks/{{id}}", handler=tasks.task, answers=(TaskView,)),
    Endpoint(
        path=f"{API}/tasks/{{id}}",
        handler=tasks.change_task,
        answers=(TaskView,),
        methods=("PATCH", "PUT"),
        scope="answer",
        body=TaskBody,
    ),
    Endpoint(
        path=f"{API}/tasks/{{id}}", handler=tasks.remove_task, answers=(TaskView,), methods=("DELETE",), scope="answer"
    ),
    Endpoint(path=f"{API}/devices", handler=clients.devices, answers=(DeviceList,)),
    Endpoint(
        path=f"{API}/devices",
        handler=clients.pair,
        confirm=pages,
        answers=(Login,),
        methods=("POST",),
        scope="admin",
        of_surfaces=True,
        body=DeviceRequest,
        status=201,
    ),
    Endpoint(
        path=f"{API}/devices/{{surface}}/{{device}}",
        handler=clients.unpair,
        confirm=pages,
        answers=(DeviceView,),
        methods=("DELETE",),
        scope="admin",
    ),
    Endpoint(
        path=f"{API}/devices/{{surface}}/{{device}}",
        handler=reaching.change,
        confirm=pages,
        answers=(DeviceView,),
        methods=("PATCH",),
        scope="admin",
        body=DevicePatch,
    ),
    Endpoint(
        path=f"{API}/devices/{{surface}}/{{device}}/test",
        handler=reaching.test,
        answers=(DeviceView,),
        methods=("POST",),
        scope="admin",
    ),
    Endpoint(
        path=f"{API}/devices/{{surface}}/{{device}}/address",
        handler=reaching.put_address,
        answers=(DeviceView,),
        methods=("PUT",),
        scope="answer",
        body=AddressRequest,
    ),
    Endpoint(
        path=f"{API}/devices/{{surface}}/{{device}}/address",
        handler=reaching.drop_address,
        answers=(DeviceView,),
        methods=("DELETE",),
        scope="answer",
    ),
    Endpoint(path=f"{API}/addresses/{{surface}}", handler=reaching.addresses, answers=(AddressList,), scope="deliver"),
    Endpoint(
        path=f"{API}/gateways",
        handler=reaching.gateway,
        answers=(Login,),
        methods=("POST",),
        scope="deliver",
        body=GatewayRequest,
        status=201,
    ),
    Endpoint(
        path=f"{API}/receipts",
        handler=reaching.receipt,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
        body=ReceiptRequest,
    ),
    Endpoint(
        path=f"{API}/pairing",
        handler=sessions.pairing,
        confirm=for_pairing,
        answers=(PairingAnswer,),
        methods=("POST",),
        scope="admin",
        body=PairingRequest,
        body_may_be_empty=True,
    ),
    Endpoint(
        path=f"{API}/pair",
        handler=sessions.pair,
        answers=(PairAnswer,),
        methods=("POST",),
        scope=None,
        body=PairRequest,
        status=201,
    ),
    Endpoint(path=f"{API}/session", handler=sessions.session, answers=(SessionAnswer,), scope=None),
    Endpoint(
        path=f"{API}/session",
        handler=sessions.sign_in,
        answers=(SessionAnswer,),
        methods=("POST",),
        scope=None,
        body=SessionRequest,
    ),
    Endpoint(
        path=f"{API}/session", handler=sessions.sign_out, answers=(SessionAnswer,), methods=("DELETE",), scope=None
    ),
    Endpoint(
        path=f"{API}/session/confirm",
        handler=reassuring.confirm,
        answers=(ConfirmAnswer,),
        methods=("POST",),
        body=ConfirmRequest,
    ),
    Endpoint(
        path=f"{API}/passkeys/options",
        handler=reassuring.options,
        answers=(PasskeyOptions,),
        methods=("POST",),
        body=PasskeyOptionsRequest,
    ),
    Endpoint(path=f"{API}/passkeys", handler=reassuring.passkeys, answers=(PasskeyList,)),
    Endpoint(
        path=f"{API}/passkeys",
        handler=reassuring.add_passkey,
        confirm=pages,
        answers=(PasskeyView,),
        methods=("POST",),
        scope="admin",
        body=PasskeyRequest,
        status=201,
    ),
    Endpoint(
        path=f"{API}/passkeys/{{id}}",
        handler=reassuring.remove_passkey,
        confirm=everybody,
        answers=(PasskeyView,),
        methods=("DELETE",),
        scope="admin",
    ),
    Endpoint(path=f"{API}/tokens", handler=clients.tokens, answers=(TokenList,), scope="admin"),
    Endpoint(
        path=f"{API}/tokens",
        handler=clients.add_token,
        confirm=everybody,
        answers=(TokenAnswer,),
        methods=("POST",),
        scope="admin",
        body=TokenRequest,
        status=201,
    ),
    Endpoint(
        path=f"{API}/tokens/{{id}}",
        handler=clients.drop_token,
        answers=(TokenView,),
        methods=("DELETE",),
        scope="admin",
    ),
    Endpoint(path=f"{API}/health", handler=health.health, answers=(HealthAnswer, HealthBrief), scope=None),
    Endpoint(path="/metrics", handler=health.prometheus, answers=()),
)
