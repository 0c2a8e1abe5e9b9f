"""Every endpoint of the HTTP API as one table: routes, checks and the OpenAPI document are all made from it."""

from hub.contract.access import (
    ActionRequest,
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
    PredictAnswer,
    Prediction,
    RespondRequest,
    TaskBody,
    TaskView,
    TriggerAnswer,
    TriggerRequest,
)
from hub.contract.attached import AgentProcess, AttachedAgents, AttachRequest
from hub.contract.control import (
    ConfigAnswer,
    HealthBrief,
    PauseRequest,
    PermissionList,
    PermissionReply,
    PredictionList,
    TaskList,
)
from hub.contract.events import DigestReady
from hub.contract.grants import GrantChoice, GrantList, GrantPreview, GrantRecord
from hub.contract.hooks import HookRequest
from hub.contract.insight import AgentList, InsightAnswer, MetricsAnswer, RunList, SimilarAnswer, SyncAnswer
from hub.contract.mutes import MuteList, MuteRequest
from hub.contract.permission import OverRequest, PermissionRequest, PermissionsOver
from hub.contract.repositories import RepositoryList
from hub.contract.rerun import ReplayAnswer
from hub.contract.story import WhyAnswer
from hub.contract.suggestions import SuggestionAnswer, SuggestionRequest
from hub.contract.training import ExportedRequest, ModelRequest, TrainingView
from hub.contract.twins import ServeAnswer, ServeRequest, TwinTestAnswer, TwinTestRequest
from hub.contract.words import AFTER_FAILURE, Verb
from hub.io.access.confirming import everybody, for_config
from hub.io.api import (
    answers,
    asks,
    attached,
    autonomy,
    cards,
    digest,
    export,
    grants,
    health,
    insight,
    mutes,
    permission_list,
    permissions,
    suggestions,
    tasks,
    training,
)
from hub.io.api import push_addresses as reaching
from hub.io.api.access_endpoints import ACCESS_ENDPOINTS
from hub.io.api.drive_endpoints import DRIVE_ENDPOINTS
from hub.io.api.endpoint import API, Endpoint, LateHandler
from hub.io.api.world_day import WORLD_DAY_ENDPOINTS
from hub.io.api.world_endpoints import WORLD_ENDPOINTS
from hub.io.server.concurrency_limits import Load


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
    *(_answer(verb.value, verb) for verb in AFTER_FAILURE),
    _answer("less", Verb.LESS),
    _answer("never", Verb.NEVER),
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
        path=f"{API}/twin/test",
        handler=LateHandler("twins", "test"),
        answers=(TwinTestAnswer,),
        methods=("POST",),
        scope="admin",
        body=TwinTestRequest,
        body_may_be_empty=True,
    ),
    Endpoint(
        path=f"{API}/twin/serve",
        handler=LateHandler("twins", "serve"),
        answers=(ServeAnswer,),
        methods=("POST",),
        scope="admin",
        body=ServeRequest,
    ),
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
    Endpoint(path=f"{API}/predictions/{{id}}/replay", handler=cards.replay, answers=(ReplayAnswer,), load="heavy"),
    Endpoint(
        path=f"{API}/predictions/{{id}}/similar",
        handler=LateHandler("similar_answers", "similar_cards"),
        answers=(SimilarAnswer,),
    ),
    Endpoint(
        path=f"{API}/predictions/{{id}}/runs", handler=LateHandler("attempts", "runs"), answers=(RunList,), load="heavy"
    ),
    Endpoint(path=f"{API}/sync", handler=LateHandler("overview", "sync"), answers=(SyncAnswer,)),
    Endpoint(path=f"{API}/agents", handler=LateHandler("agents", "agents"), answers=(AgentList,)),
    Endpoint(
        path=f"{API}/repositories",
        handler=LateHandler("repositories", "repositories"),
        answers=(RepositoryList,),
        load="heavy",
    ),
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
    Endpoint(path=f"{API}/training", handler=training.training, answers=(TrainingView,)),
    Endpoint(
        path=f"{API}/training/pairs",
        handler=training.pairs,
        answers=(),
        query=training.PairsQuery,
        media_types=("application/x-ndjson",),
        load="heavy",
    ),
    Endpoint(
        path=f"{API}/training/exported",
        handler=training.exported,
        answers=(TrainingView,),
        methods=("POST",),
        scope="answer",
        body=ExportedRequest,
    ),
    Endpoint(
        path=f"{API}/training/models",
        handler=training.trained,
        confirm=everybody,
        answers=(TrainingView,),
        methods=("POST",),
        scope="admin",
        body=ModelRequest,
    ),
    Endpoint(
        path=f"{API}/training/back",
        handler=training.back,
        confirm=everybody,
        answers=(TrainingView,),
        methods=("POST",),
        scope="admin",
    ),
    Endpoint(path=f"{API}/crosspoll/status", handler=autonomy.status, answers=(CrossPollStatus,)),
    Endpoint(path=f"{API}/crosspoll/metrics", handler=autonomy.metrics, answers=(MetricsAnswer,), load="heavy"),
    Endpoint(path=f"{API}/crosspoll/config", handler=autonomy.config, answers=(ConfigAnswer,)),
    Endpoint(
        path=f"{API}/crosspoll/config",
        handler=autonomy.configure,
        confirm=for_config,
        answers=(ConfigAnswer,),
        methods=("PATCH", "POST"),
        scope="admin",
        of_surfaces=True,
        body=ConfigPatch,
        load="stop",
    ),
    *(
        Endpoint(
            path=f"{API}/crosspoll/overrides{name}",
            handler=autonomy.reset_config,
            confirm=everybody,
            answers=(ConfigAnswer,),
            methods=("DELETE",),
            scope="admin",
        )
        for name in ("", "/{name}")
    ),
    Endpoint(
        path=f"{API}/crosspoll/pause",
        handler=autonomy.pause,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
        body=PauseRequest,
        body_may_be_empty=True,
        load="stop",
    ),
    Endpoint(
        path=f"{API}/crosspoll/resume",
        handler=autonomy.resume,
        answers=(CrossPollStatus,),
        methods=("POST",),
        scope="answer",
    ),
    Endpoint(
        path=f"{API}/predictions/{{id}}/grant",
        handler=grants.preview,
        answers=(GrantPreview,),
        methods=("POST",),
        scope="answer",
        body=GrantChoice,
    ),
    Endpoint(path=f"{API}/grants", handler=grants.grants, answers=(GrantList,)),
    Endpoint(path=f"{API}/grants/record", handler=grants.record, answers=(GrantRecord,)),
    Endpoint(
        path=f"{API}/grants/{{id}}",
        handler=grants.drop_grant,
        answers=(GrantList,),
        methods=("DELETE",),
        scope="answer",
    ),
    *DRIVE_ENDPOINTS,
    *WORLD_ENDPOINTS,
    *WORLD_DAY_ENDPOINTS,
    Endpoint(path=f"{API}/digest", handler=digest.digest, answers=(DigestReady,)),
    Endpoint(
        path=f"{API}/digest", handler=digest.give_digest, answers=(DigestReady,), methods=("POST",), scope="answer"
    ),
    Endpoint(path=f"{API}/mutes", handler=mutes.mutes, answers=(MuteList,)),
    Endpoint(
        path=f"{API}/mutes",
        handler=mutes.add_mute,
        answers=(MuteList,),
        methods=("POST",),
        scope="answer",
        body=MuteRequest,
        status=201,
    ),
    Endpoint(
        path=f"{API}/mutes/{{id}}", handler=mutes.drop_mute, answers=(MuteList,), methods=("DELETE",), scope="answer"
    ),
    Endpoint(
        path=f"{API}/permissions",
        handler=permissions.ask,
        answers=(PermissionReply,),
        methods=("POST",),
        scope="ask",
        body=PermissionRequest,
    ),
    Endpoint(
        path=f"{API}/permissions",
        handler=permission_list.listed,
        answers=(PermissionList,),
        scope="ask",
        query=permission_list.PermissionsQuery,
    ),
    Endpoint(
        path=f"{API}/permissions/over",
        handler=permissions.over,
        answers=(PermissionsOver,),
        methods=("POST",),
        scope="ask",
        body=OverRequest,
    ),
    Endpoint(
        path=f"{API}/permissions/{{id}}",
        handler=permissions.asked,
        answers=(PermissionReply,),
        scope="ask",
        query=permissions.PermissionQuery,
    ),
    Endpoint(
        path=f"{API}/permissions/{{id}}",
        handler=permissions.withdraw,
        answers=(PermissionReply,),
        methods=("DELETE",),
        scope="ask",
    ),
    Endpoint(
        path=f"{API}/hooks",
        handler=LateHandler("hooks", "hook"),
        answers=(),
        methods=("POST",),
        scope="ask",
        body=HookRequest,
        media_types=("application/json",),
    ),
    Endpoint(
        path=f"{API}/agents/attached",
        handler=attached.attach,
        answers=(AttachedAgents,),
        methods=("POST",),
        scope="admin",
        body=AttachRequest,
    ),
    Endpoint(
        path=f"{API}/agents/processes",
        handler=attached.name_process,
        answers=(AttachedAgents,),
        methods=("POST",),
        scope="ask",
        body=AgentProcess,
    ),
    Endpoint(
        path=f"{API}/suggestions",
        handler=suggestions.suggest,
        answers=(SuggestionAnswer,),
        methods=("POST",),
        scope="ask",
        body=SuggestionRequest,
    ),
    Endpoint(path=f"{API}/ask", handler=asks.ask, answers=(AskReply,), methods=("POST",), scope="ask", body=AskRequest),
    Endpoint(path=f"{API}/ask/{{id}}", handler=asks.asked, answers=(AskReply,), scope="ask", query=asks.AskQuery),
    Endpoint(path=f"{API}/ask/{{id}}", handler=asks.withdraw, answers=(AskReply,), methods=("DELETE",), scope="ask"),
    Endpoint(
        path=f"{API}/messages",
        handler=autonomy.message,
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
    *ACCESS_ENDPOINTS,
    Endpoint(path=f"{API}/health", handler=health.health, answers=(HealthAnswer, HealthBrief), scope=None),
    Endpoint(path="/metrics", handler=health.prometheus, answers=()),
)
