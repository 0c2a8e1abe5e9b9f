"""The OpenAPI document, served by FastAPI. Loaded when somebody asks: FastAPI takes 13 MB (docs/adr/0040)."""

from fastapi import FastAPI

from hub.io.api.endpoint import API
from hub.io.api.openapi import openapi


def document_app(version: str) -> FastAPI:
    """Return a FastAPI application with one address, the document's; whoever it is called for has been admitted."""
    document = openapi(version)
    app = FastAPI(title="Pulse", version=version, openapi_url=f"{API}/openapi.json", docs_url=None, redoc_url=None)
    app.openapi = lambda: document  # type: ignore[method-assign]  # how FastAPI's own documentation extends it
    return app
