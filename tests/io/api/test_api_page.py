"""The page's files: whole, compressed, cached by their content, and nothing beside them."""

import gzip
import re

import pytest

from hub.kit.phrase_files import all_phrases, phrases
from tests.io.api.running import PAGE, Api, problem


async def test_the_page_is_the_first_thing_that_anybody_sees(api: Api) -> None:
    answer = await api.http.get("/", headers={"Authorization": ""})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == (PAGE / "index.html").read_text(encoding="utf-8")
    assert (await api.http.head("/")).status_code == 200


async def test_foreign_code_is_kept_out(api: Api) -> None:
    answer = await api.http.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "'unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*src)|<style| on\w+=| style=", answer.text)


async def test_the_typeface_comes_with_the_page_and_its_licence(api: Api) -> None:
    font = await api.http.get("/app/fonts/inter.woff2")
    assert font.headers["content-type"] == "font/woff2"
    assert font.content[:4] == b"wOF2"
    assert "SIL OPEN FONT LICENSE" in (await api.http.get("/app/fonts/inter.txt")).text
    assert "font-src 'self'" in font.headers["content-security-policy"]


async def test_files_are_sent_packed_and_only_when_they_have_changed(api: Api) -> None:
    async with api.http.stream("GET", "/app/base.css", headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join([part async for part in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == (PAGE / "base.css").read_bytes()
    again = await api.http.get("/app/base.css", headers={"If-None-Match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/app/../__init__.py", "/app/%2e%2e/__init__.py", "/app/js", "/app/nothing.js", "/app//etc/passwd"]
)
async def test_there_is_nothing_beside_the_page(api: Api, path: str) -> None:
    assert problem(await api.http.get(path)).code == "unknown-page"


@pytest.mark.parametrize(("language", "dismissed"), [("en", "Dismissed"), ("de", "Abgelehnt")])
async def test_the_pages_words_are_those_of_every_surface(api: Api, language: str, dismissed: str) -> None:
    answer = await api.http.get(f"/app/words/{language}.json")
    assert "{=" not in answer.text
    assert answer.json()["push.told-reject"] == dismissed


@pytest.mark.parametrize("language", all_phrases())
async def test_the_page_can_say_whatever_the_hub_sends_as_a_code(api: Api, language: str) -> None:
    said = (await api.http.get(f"/app/words/{language}.json")).json()
    assert {name: said.get(f"worded.{name}") for name in phrases(language).texts} == dict(phrases(language).texts)
    assert not re.search(r'"worded\.', (PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))


async def test_who_renews_a_service_worker_that_is_not_the_pages_is_given_one_that_ends_itself(api: Api) -> None:
    asked = {"Service-Worker": "script", "Authorization": ""}
    for path in ("/evil.js", "/", "/api/v1/health", "/app/js/main.js"):
        answer = await api.http.get(path, headers=asked)
        assert answer.text == (PAGE / "end-worker.js").read_text(encoding="utf-8"), path
        assert answer.headers["content-type"].startswith("text/javascript")
        assert (answer.headers["service-worker-allowed"], answer.headers["clear-site-data"]) == ("/", '"cache"')
    own = await api.http.get("/sw.js", headers=asked)
    assert own.text == (PAGE / "sw.js").read_text(encoding="utf-8")
    assert "clear-site-data" not in own.headers
