"""Finding the endpoint of a path: one without parameters at once, the others as Starlette does, one after the other.

Starlette tries every route until one fits, some seventy regular expressions for an agent's question. A path without
parameters can be looked up, where none that stands before its route would take it.
"""

from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute, Match, Route, Router
from starlette.types import Receive, Scope, Send


class PlainFirst(Router):
    """A router that knows the plain paths among its routes; what it answers is what `Router` would."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        super().__init__(routes, redirect_slashes=False)
        self._plain = {
            route.path: route
            for place, route in enumerate(routes)
            if isinstance(route, Route) and not route.param_convertors and not _is_taken(route.path, routes[:place])
        }

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to its endpoint."""
        route = self._plain.get(scope["path"])
        if route is not None:
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.setdefault("router", self)
                scope.update(found)
                await route.handle(scope, receive, send)
                return
        await super().app(scope, receive, send)


def _is_taken(path: str, before: Sequence[BaseRoute]) -> bool:
    """Return True if one of these routes, which come first, may take that path."""
    return any(_regex_of(route).match(path) is not None for route in before)


def _regex_of(route: BaseRoute) -> Any:  # noqa: ANN401  every route with a path has one, which Starlette does not say
    return route.path_regex  # type: ignore[attr-defined]  # as above
