"""What an uncommitted change is: a message says what the diff shows and claims nothing else."""

import pytest

from hub.domain.plan import Became
from hub.sense.changes import FileChange, changes_in, message_of, with_renames

DIFF = """diff --git a/src/cart.py b/src/cart.py
index 1..2 100644
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,4 +1,8 @@ def total():
 def kept():
+    return 1
+def empty(cart):
+    pass
+-- a line that begins like a header
--- another that does
@@ -9 +13 @@
-    x = 1
+    x = 2
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/logo.png b/logo.png
deleted file mode 100644
Binary files a/logo.png and /dev/null differ
"""
A, B, NONE = "a" * 40, "b" * 40, "0" * 40
NUMBERS = (
    f":100644 100644 {A} {NONE} M", "src/cart.py", f":100644 000000 {B} {NONE} D", "old.txt",
    f":100644 000000 {A} {NONE} D", "logo.png", "5\t2\tsrc/cart.py", "0\t1\told.txt", "-\t-\tlogo.png",
)  # fmt: skip


def test_a_diff_is_read_file_by_file() -> None:
    cart, old, logo = changes_in(NUMBERS, DIFF)
    assert cart == FileChange(path="src/cart.py", added=5, removed=2, blob=A, defined=("empty",))
    assert (old.path, old.became, old.removed) == ("old.txt", "deleted", 1)
    assert (logo.path, logo.became, logo.added) == ("logo.png", "deleted", None), "a picture that goes is told, too"


@pytest.mark.parametrize(
    "line",
    ["def f1(x):", "async def f1():", "class f1:", "pub fn f1()", "pub(crate) fn f1() {", "func (s *Server) f1() {",
     "export default function f1() {", "public static class f1 {", "export interface f1 {"],
)  # fmt: skip
def test_definitions_of_many_languages(line: str) -> None:
    diff = f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+{line}\n"
    (change,) = changes_in((f":100644 100644 {A} {NONE} M", "x", "1\t0\tx"), diff)
    assert change.defined == ("f1",)


def test_what_came_with_the_content_of_what_went_has_moved() -> None:
    gone, came = became("deleted", "a.md", blob=A, size_before=4), became("added", "docs/a.md", size=4)
    other = became("added", "b.md", size=4)
    moved, new = with_renames((gone, came, other), {"docs/a.md": A, "b.md": B})
    assert (moved.became, moved.was, moved.path, moved.size_before) == ("renamed", "a.md", "docs/a.md", 4)
    assert new == other
    assert with_renames((gone, came), {}) == (gone, came)
    assert len(with_renames((gone, came, became("added", "c.md")), {"docs/a.md": A, "c.md": A})) == 2, "one moved once"
    empty = became("deleted", "a.md", blob=A, size_before=0)
    assert with_renames((empty, came), {"docs/a.md": A}) == (empty, came), "empty files are all alike"


def changed(path: str, *defined: str, dropped: tuple[str, ...] = ()) -> FileChange:
    return FileChange(path=path, defined=defined, dropped=dropped)


def became(how: Became, path: str, **more: object) -> FileChange:
    return FileChange(path=path, became=how, **more)  # type: ignore[arg-type]  # a test's shorthand


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ((), ""),
        ((changed("a/cart.py"),), "Update cart.py"),
        ((changed("a/cart.py", "empty"),), "Add empty to cart.py"),
        ((changed("a/cart.py", "empty", "fill"),), "Add empty and fill to cart.py"),
        ((changed("a/cart.py", "a1", "b1", "c1"),), "Update cart.py"),
        ((changed("a/cart.py", dropped=("empty",)),), "Remove empty from cart.py"),
        ((changed("cart.py", "empty"), changed("tests/test_cart.py")), "Add empty to cart.py, with its test"),
        ((changed("cart.py", "empty"), became("deleted", "tests/test_a.py")),
         "Update cart.py and remove test_a.py"),
        ((became("added", "docs/start.md"),), "Add start.md"),
        ((changed("src/shop/__init__.py"),), "Update shop/__init__.py"),
        ((changed("README.md"),), "Update README.md"),
        ((became("deleted", "old.txt"),), "Remove old.txt"),
        ((became("renamed", "b.md", was="a.md"),), "Rename a.md to b.md"),
        ((became("renamed", "docs/a.md", was="a.md"),), "Rename a.md to docs/a.md"),
        ((changed("a.md"), became("added", "b.md")), "Update a.md and add b.md"),
        ((changed("newsletter.md"), became("deleted", "img/hero.png")), "Update newsletter.md and remove hero.png"),
        ((changed("a.md"), became("added", "b.md"), became("deleted", "c.md"), became("renamed", "e.md", was="d.md")),
         "Update a.md, add b.md, remove c.md and rename d.md to e.md"),
        ((changed("a/x.md"), changed("b/x.md")), "Update a/x.md and b/x.md"),
        (tuple(changed(f"src/a_rather_long_name_{n}.py") for n in range(5)), "Update 5 files in src"),
        ((*(changed(f"src/a_rather_long_name_{n}.py") for n in range(4)), became("deleted", "src/gone.py")),
         "Update 4 files and remove 1 file in src"),
    ],
)  # fmt: skip
def test_the_message(changes: tuple[FileChange, ...], message: str) -> None:
    assert message_of(changes) == message
