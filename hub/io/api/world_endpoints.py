"""The endpoints of the world log."""

from hub.contract.world_api import (
    WorldAgentBody,
    WorldAnswer,
    WorldCheckBody,
    WorldEventBody,
    WorldLines,
    WorldPath,
    WorldRespondBody,
    WorldSessionsAnswer,
    WorldSessionView,
    WorldSpawnBody,
)
from hub.io.api import world, world_spawn
from hub.io.api.endpoint import API, Endpoint

WORLD_ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        path=f"{API}/world/events",
        handler=world.say,
        answers=(WorldAnswer,),
        methods=("POST",),
        scope="ask",
        body=WorldEventBody,
    ),
    Endpoint(
        path=f"{API}/world/agents",
        handler=world.say,
        answers=(WorldAnswer,),
        methods=("POST",),
        scope="ask",
        body=WorldAgentBody,
    ),
    Endpoint(
        path=f"{API}/world/sessions",
        handler=world.sessions,
        answers=(WorldSessionsAnswer,),
        query=world.SessionsQuery,
        of_agents=True,
    ),
    Endpoint(path=f"{API}/world/sessions/{{id}}", handler=world.session, answers=(WorldSessionView,), of_agents=True),
    Endpoint(
        path=f"{API}/world/sessions/{{id}}/respond",
        handler=world.respond,
        answers=(WorldAnswer,),
        methods=("POST",),
        scope="answer",
        body=WorldRespondBody,
    ),
    Endpoint(
        path=f"{API}/world/spawn",
        handler=world_spawn.spawn,
        answers=(WorldAnswer,),
        methods=("POST",),
        scope="answer",
        body=WorldSpawnBody,
    ),
    Endpoint(
        path=f"{API}/world/recent",
        handler=world.recent,
        answers=(WorldLines,),
        query=world.RecentQuery,
        load="heavy",
        of_agents=True,
    ),
    Endpoint(
        path=f"{API}/world/check",
        handler=world.check,
        answers=(WorldLines,),
        methods=("POST",),
        body=WorldCheckBody,
        load="heavy",
        of_agents=True,
    ),
    Endpoint(path=f"{API}/world/path", handler=world.path, answers=(WorldPath,), of_agents=True),
)
