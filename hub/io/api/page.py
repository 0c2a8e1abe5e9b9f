"""The browser's page: plain files, sent compressed, each with the headers that keep foreign code out."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hub.contract.base import Value
from hub.io.http.bodies import header_of
from hub.io.http.errors import NoSuchPageError
from hub.io.http.problems import response_of
from hub.kit.phrase_files import phrases

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
"""Only files of these kinds are sent."""
PACKED = frozenset({".html", ".js", ".css", ".json", ".webmanifest", ".svg", ".txt"})
PACK_LEVEL = 9
FILES_KEPT_MAX = 200
WORDS = "words"
"""The folder of the page's texts, one file a language: they name what the phrasebook says."""
WORKER, END_WORKER = "sw.js", "end-worker.js"
ROOT_FILES = (WORKER, END_WORKER, "manifest.webmanifest")
"""Served from the top, for a service worker rules only what lies below its own address."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-cache",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
}


class StaticFile(Value):
    """One file, ready to be sent."""

    media_type: str
    plain: bytes
    packed: bytes | None
    etag: str
    changed_ns: int


class Page:
    """The files of one folder; each is read, hashed and packed once, and again when it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[str, StaticFile] = {}

    def routes(self) -> list[BaseRoute]:
        """Return where the page is: `/`, its files below `/app/`, and what must lie at the top."""
        top = [Route(f"/{name}", self._serve(name), methods=["GET"]) for name in ROOT_FILES]
        start = Route("/", self._serve("index.html"), methods=["GET"])
        return [start, *top, Route("/files.json", self._list, methods=["GET"]), Route("/app/{path:path}", self._below)]

    def without_other_workers(self, app: ASGIApp) -> ASGIApp:
        """Return `app`, but where a browser asks for a service worker that is not the page's, one that ends itself.

        A browser renews a worker past that worker itself, so even one that answers for the whole page is ended so. Its
        cached pages go with it.
        """
        end = self._serve(END_WORKER)

        async def handed_on(scope: Scope, receive: Receive, send: Send) -> None:
            is_worker = scope["type"] == "http" and header_of(scope, b"service-worker") == "script"
            if not is_worker or scope["path"] == f"/{WORKER}":
                await app(scope, receive, send)
                return
            answer = await end(Request(scope))
            answer.headers.update({"clear-site-data": '"cache"', "service-worker-allowed": "/"})
            await answer(scope, receive, send)

        return handed_on

    def _serve(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return self._send(request, name)

        return endpoint

    async def _below(self, request: Request) -> Response:
        return self._send(request, request.path_params["path"])

    async def _list(self, _request: Request) -> Response:
        """Name the files, and a version that changes with any of them: the service worker keeps whole sets."""
        names = sorted(
            path.relative_to(self._folder).as_posix()
            for path in self._folder.rglob("*")
            if path.suffix in TYPES and path.name not in ROOT_FILES
        )
        files = {name: file for name in names if (file := self._file(name)) is not None}
        version = hashlib.sha256("".join(f"{name}{file.etag}" for name, file in files.items()).encode())
        listing = {"version": version.hexdigest()[:16], "files": [f"/app/{name}" for name in files]}
        return Response(json.dumps(listing), 200, {**HEADERS, "cache-control": "no-store"}, TYPES[".json"])

    def _send(self, request: Request, name: str) -> Response:
        file = self._file(name)
        if file is None:
            return response_of(NoSuchPageError(f"There is no file {name!r} here.", fix="Open `/`."), request.url.path)
        headers = {**HEADERS, "etag": file.etag}
        if request.headers.get("if-none-match") == file.etag:
            return Response(None, 304, headers)
        if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, 200, {**headers, "content-encoding": "gzip"}, file.media_type)
        return Response(file.plain, 200, headers, file.media_type)

    def _file(self, name: str) -> StaticFile | None:
        """Return a file of the folder; None for what is no file in it, or of no kind that is sent."""
        try:
            path = self._folder.joinpath(*PurePosixPath("/", name).parts[1:]).resolve()
            kind = TYPES.get(path.suffix)
            if kind is None or not path.is_relative_to(self._folder) or not path.is_file():
                return None
            changed_ns = path.stat().st_mtime_ns
        except (OSError, ValueError):  # no system has such a name, or the file went away just now
            return None
        kept = self._files.get(name)
        if kept is not None and kept.changed_ns == changed_ns:
            return kept
        file = _read(path, kind, changed_ns)
        if len(self._files) < FILES_KEPT_MAX:
            self._files[name] = file
        return file


def _read(path: Path, media_type: str, changed_ns: int) -> StaticFile:
    import gzip  # noqa: PLC0415  with the first file of the page

    plain = path.read_bytes()
    if path.parent.name == WORDS:
        plain = with_phrases(plain, path.stem)
    packed = gzip.compress(plain, PACK_LEVEL, mtime=0) if path.suffix in PACKED else None
    etag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
    return StaticFile(media_type=media_type, plain=plain, packed=packed, etag=etag, changed_ns=changed_ns)


def with_phrases(plain: bytes, language: str) -> bytes:
    """Put the phrases that a language's texts name in, so that the page says what every surface says.

    All phrases come along under `worded.`, so that the page can say whatever the hub sends as a code.
    """
    words = phrases(language)
    texts = {key: words.fill(text) for key, text in json.loads(plain).items()}
    said = {f"worded.{name}": text for name, text in words.texts.items()}
    return json.dumps({**texts, **said}, ensure_ascii=False).encode()
