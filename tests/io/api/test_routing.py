"""A plain path is found at once; whatever is answered is what Starlette's own router answers."""

from collections.abc import Awaitable, Callable

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route, Router
from starlette.testclient import TestClient
from starlette.types import Scope

from hub.io.server.routing import PlainFirst


def answering(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return PlainTextResponse(f"{name} {request.path_params}")

    return answer


def routes() -> list[Route]:
    paths = {
        "/cards/{id}": ["GET"],
        "/cards/all": ["GET", "POST"],
        "/asks": ["POST"],
        "/asks/{id}": ["GET"],
        "/asks/{id}/runs": ["GET"],
        "/": ["GET"],
    }
    return [Route(path, answering(path), methods=methods) for path, methods in paths.items()]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "path", ["/", "/asks", "/asks/", "/asks/1", "/asks/1/runs", "/cards/1", "/cards/all", "/cards", "/nothing", "//"]
)
def test_it_answers_as_the_plain_router_does(method: str, path: str) -> None:
    ours, theirs = (
        TestClient(router, follow_redirects=False).request(method, path)
        for router in (PlainFirst(routes()), Router(routes(), redirect_slashes=False))
    )
    assert (ours.status_code, ours.text, ours.headers.get("allow")) == (
        theirs.status_code,
        theirs.text,
        theirs.headers.get("allow"),
    )


def test_a_plain_path_is_found_without_trying_the_routes_before_it() -> None:
    class Tried(Route):
        def matches(self, scope: Scope) -> tuple[Match, Scope]:
            raise AssertionError(scope["path"])

    found = PlainFirst([Tried("/other/{id}", answering("other")), *routes()])
    assert TestClient(found).post("/asks").text == "/asks {}"
