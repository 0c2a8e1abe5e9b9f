"""Versions by their names: what the names tell, and when that contradicts the times."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.domain.situation import OldVersion
from hub.sense.text_links import Link
from hub.sense.versions import FolderFile, as_version, old_versions, versions_of

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def file(path: str, hours_ago: float, size: int = 10) -> FolderFile:
    return FolderFile(path=path, size=size, written_at=NOW - hours_ago * HOUR)


def found(
    *files: FolderFile, links: dict[str, tuple[Link, ...]] | None = None, differ: bool = True
) -> list[OldVersion]:
    return list(old_versions(files, links or {}, lambda _one, _other: differ, NOW))


def pairs(*files: FolderFile) -> list[tuple[str, str, int]]:
    return [(untrusted(one.older), untrusted(one.newest), one.count) for one in found(*files)]


@pytest.mark.parametrize(
    ("names", "document"),
    [
        (("plan.md", "plan v2.md", "plan_final.md", "Plan_final2 (1).md", "Copy of plan.md"), "plan"),
        (("Angebot_V1.docx", "Angebot-v1.2.docx", "Angebot endgültig.docx", "Kopie von Angebot.docx"), "Angebot"),
        (("logo version 3.svg", "logo-old.svg", "logo.Entwurf.svg", "logo v2 final.svg"), "logo"),
    ],
)
def test_names_of_one_document_are_known(names: tuple[str, ...], document: str) -> None:
    assert {as_version(file(name, 1)).name.casefold() for name in names} == {document.casefold()}


@pytest.mark.parametrize("name", ["chapter 2.md", "v2.md", "finals.md", "hero-2.png", "2026-03-01.md", "moldavia.md"])
def test_a_name_that_only_looks_like_a_version_is_none(name: str) -> None:
    assert as_version(file(name, 1)).name == name.rpartition(".")[0]


def test_names_tell_an_order() -> None:
    names = ("a draft.md", "a v1.md", "a v1.2.md", "a v2.md", "a v2 final.md", "a v10.md", "a final.md", "a final2.md")
    ranks = [as_version(file(name, 1)).rank for name in names]
    assert None not in ranks
    assert ranks == sorted(ranks, key=lambda rank: rank or ())
    assert as_version(file("a v2 (1).md", 1)).rank is None


def test_an_older_version_that_was_edited_last_is_told() -> None:
    assert pairs(file("d/plan v2.md", 1), file("d/plan final.md", 30), file("d/plan.md", 50)) == [
        ("d/plan v2.md", "d/plan final.md", 3)
    ]


@pytest.mark.parametrize(
    "files",
    [
        (file("plan v2.md", 30), file("plan final.md", 1)),
        (file("plan v2.md", 1), file("plan final.md", 1.1)),
        (file("plan v2.md", 24 * 20), file("plan final.md", 24 * 30)),
        (file("plan.md", 1), file("plan v1.md", 20), file("plan v2.md", 10)),
        (file("plan (1).md", 1), file("plan v1.md", 20), file("plan v2.md", 10)),
        (file("a/plan v2.md", 1), file("b/plan final.md", 30)),
        (file("plan v2.md", 1), file("plan final.pdf", 30)),
        (file("plan.md", 1), file("plan (1).md", 30), file("plan (2).md", 30)),
        (file("main v2.py", 1), file("main final.py", 30)),
        tuple(file(f"frame v{number}.png", number) for number in range(1, 60)),
    ],
    ids=[
        "in order",
        "together",
        "long ago",
        "working file",
        "a copy",
        "folders",
        "exports",
        "copies",
        "code",
        "series",
    ],
)
def test_what_is_in_order_or_could_be_is_not(files: tuple[FolderFile, ...]) -> None:
    assert pairs(*files) == []


def test_the_same_content_is_no_matter() -> None:
    assert found(file("plan v2.md", 1), file("plan final.md", 30), differ=False) == []


def test_a_text_that_links_to_an_old_version_is_told() -> None:
    files = (file("poster_v1.pdf", 50), file("poster_v2.pdf", 10), file("site.md", 60))
    old = Link(line=4, target="poster_v1.pdf", path="poster_v1.pdf")
    new = Link(line=5, target="poster_v2.pdf", path="poster_v2.pdf")
    (one,) = found(*files, links={"site.md": (old,)})
    assert (untrusted(one.linked_in), one.line, untrusted(one.older)) == ("site.md", 4, "poster_v1.pdf")
    assert found(*files, links={"site.md": (old, new)}) == []
    assert found(*files, links={"site.md": (old,)}, differ=False) == []


def test_one_version_more_of_many_in_order_is_told() -> None:
    files = tuple(
        file(f"poster-{name}.txt", 5 - place) for place, name in enumerate(("v1", "v2", "v3", "final", "final2"))
    )
    (one,) = found(*files)
    assert (one.is_many, untrusted(one.newest), one.count) == (True, "poster-final2.txt", 5)
    assert found(*files[:4]) == []
    assert found(*(file(one.path, 48 + place) for place, one in enumerate(reversed(files)))) == []


def test_the_versions_of_a_file_are_found() -> None:
    files = (file("plan v2.md", 1), file("plan final.md", 30), file("other.md", 2))
    assert versions_of("plan final.md", files) == files[:2]
    assert versions_of("other.md", files) == ()


@given(st.lists(st.tuples(st.text(max_size=20), st.integers(0, 500)), max_size=8))
def test_any_names_are_read(names: list[tuple[str, int]]) -> None:
    for one in found(*(file(f"{name}.md", hours) for name, hours in names)):
        assert one.count > 1
        assert one.older != one.newest
