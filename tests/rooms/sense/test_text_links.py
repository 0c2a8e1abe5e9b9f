"""Links in texts: only what surely means a file of the folder is a link, whatever the text holds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.sense.text_links import LINKS_MAX, links_in, meant_by, missing, name_key

FORMERLY = {"notes/a.png": "again/a new.png", "elsewhere.png": ""}
WRITTEN = datetime(2026, 3, 3, tzinfo=UTC)


def paths(content: str, path: str = "notes/a.md") -> list[tuple[int, str]]:
    return [(link.line, link.path) for link in links_in(path, content)]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("![Hero](hero.png)", "notes/hero.png"),
        ("see [it](../briefs/logo.md#colours) there", "briefs/logo.md"),
        ('![x](<my pictures/a b.png> "A title")', "notes/my pictures/a b.png"),
        ("![x](my%20pictures/%C3%A4.png?raw=1)", "notes/my pictures/ä.png"),
        ("![x](a_(final).png)", "notes/a_(final).png"),
        ("[logo]: ./logo.svg 'Logo'", "notes/logo.svg"),
        ('<img alt="" src="wide.jpg" />', "notes/wide.jpg"),
        ("<a href='flyer.pdf'>flyer</a>", "notes/flyer.pdf"),
    ],
)
def test_a_link_to_a_file_of_the_folder_is_found(line: str, path: str) -> None:
    assert paths(f"# Title\n\n{line}\n") == [(3, path)]


@pytest.mark.parametrize(
    "line",
    [
        "[x](https://example.org/a.png) [y](mailto:a@b.png) [z](//host/a.png)",
        "![x](/images/a.png) [y](#part.md) [z](C:/a.png)",
        "![x]({{ page.image }}.png) ![y](${name}.png) ![z](images\\a.png)",
        "[a page](about) [a folder](images/) [code](../src/main.py)",
        "![x](../../outside.png)",
        "`![x](a.png)` and ``![y](`b.png)``",
        "```\n![x](a.png)\n```",
        "~~~md\n![x](a.png)\n```\n![y](b.png)\n~~~",
        "<!-- ![x](a.png)\n![y](b.png) -->",
        '<script>img.src = "a.png"; x = "</a>"</script>',
        "[^1]: a.png is a note",
    ],
)
def test_what_is_no_link_to_such_a_file_is_passed_over(line: str) -> None:
    assert paths(line) == []


def test_a_page_is_read_by_its_attributes_alone() -> None:
    page = '<style>a { background: url(a.png) }</style>\n<img\n  src="b.png">\n![x](c.png)'
    assert paths(page, "site/index.html") == [(3, "site/b.png")]
    assert paths(f'<base href="https://example.org/">\n{page}', "site/index.html") == []


def test_what_is_not_there_is_named_with_the_one_file_of_that_name() -> None:
    there = ("notes/here.png", "moved/Gone.png", "twice/a.png", "again/a.png", "notes/page.md")
    by_name = {name_key(path): tuple(one for one in there if name_key(one) == name_key(path)) for path in there}
    links = links_in("notes/a.md", "![1](here.png)\n![2](gone.png)\n![3](a.png)\n[4](page.html)\n[5](never.pdf)\n")
    found = [
        (one.line, untrusted(one.target), untrusted(one.perhaps))
        for one in missing("notes/a.md", WRITTEN, links, there.__contains__, by_name=by_name, formerly=FORMERLY)
    ]
    assert found == [(2, "gone.png", "moved/Gone.png"), (3, "a.png", "again/a new.png"), (5, "never.pdf", "")]


def test_a_target_with_control_characters_is_none() -> None:
    assert meant_by("a.md", "b%0A.png") is None
    assert meant_by("a.md", "b\u202e.png") is None
    assert meant_by("a.md", "%FF.png") == "\ufffd.png"


def test_there_is_an_end_to_links_and_lines() -> None:
    many = "".join(f"![x](picture-{number}.png)\n" for number in range(2 * LINKS_MAX))
    assert len(paths(many)) == LINKS_MAX
    assert paths(f"{'x' * 5_000}![x](a.png)") == []
    for garbage in ("](" * 50_000, "`" * 100_000, "<!--" * 50_000, "[" * 100_000, "src=" * 50_000, "%41" * 50_000):
        assert paths(garbage) == []


@given(st.text(max_size=400), st.sampled_from(["a.md", "b/c.html", "d.markdown"]))
def test_any_text_is_read(content: str, path: str) -> None:
    for link in links_in(path, content):
        assert 1 <= link.line <= content.count("\n") + 1
        assert not link.path.startswith(("/", "../"))
