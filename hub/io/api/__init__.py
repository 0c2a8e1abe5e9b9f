"""The HTTP and WebSocket API (CROSSPOLL 8): Starlette's routes on uvicorn's protocols, see docs/adr/0040."""

from hub.io.api.serving import RunningApi, start_api
from hub.io.http.parts import ApiParts

__all__ = ["ApiParts", "RunningApi", "start_api"]
