"""What an uncommitted change is: a message says what the diff shows and claims nothing else."""

import pytest

from hub.sense.changes import FileChange, changes_in, message_of

DIFF = """diff --git a/src/cart.py b/src/cart.py
index 1..2 100644
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,0 +2,4 @@ def total():
+    return 1
+def empty(cart):
+    pass
+-- a line that begins like a header
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
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
"""


def test_a_diff_is_read_file_by_file() -> None:
    cart, old = changes_in(DIFF)
    assert cart == FileChange(path="src/cart.py", added=5, removed=1, defined=("empty",))
    assert (old.path, old.is_gone, old.removed) == ("old.txt", True, 1)


@pytest.mark.parametrize(
    "line",
    ["def f1(x):", "async def f1():", "class f1:", "pub fn f1()", "pub(crate) fn f1() {", "func (s *Server) f1() {",
     "export default function f1() {", "public static class f1 {", "export interface f1 {"],
)  # fmt: skip
def test_definitions_of_many_languages(line: str) -> None:
    (change,) = changes_in(f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+{line}\n")
    assert change.defined == ("f1",)


def changed(path: str, *defined: str, dropped: tuple[str, ...] = ()) -> FileChange:
    return FileChange(path=path, defined=defined, dropped=dropped)


@pytest.mark.parametrize(
    ("changes", "new", "message"),
    [
        ((), (), ""),
        ((changed("a/cart.py"),), (), "Update cart.py"),
        ((changed("a/cart.py", "empty"),), (), "Add empty to cart.py"),
        ((changed("a/cart.py", "empty", "fill"),), (), "Add empty and fill to cart.py"),
        ((changed("a/cart.py", "a1", "b1", "c1"),), (), "Update cart.py"),
        ((changed("a/cart.py", dropped=("empty",)),), (), "Remove empty from cart.py"),
        ((changed("cart.py", "empty"), changed("tests/test_cart.py")), (), "Add empty to cart.py, with its test"),
        ((), ("docs/start.md",), "Add start.md"),
        ((changed("src/shop/__init__.py"),), (), "Update shop/__init__.py"),
        ((changed("README.md"),), (), "Update README.md"),
        ((FileChange(path="old.txt", is_gone=True),), (), "Remove old.txt"),
        ((changed("a.md"),), ("b.md",), "Update a.md and b.md"),
        (tuple(changed(f"src/a_rather_long_name_{n}.py") for n in range(5)), (), "Update 5 files in src"),
    ],
)  # fmt: skip
def test_the_message(changes: tuple[FileChange, ...], new: tuple[str, ...], message: str) -> None:
    assert message_of(changes, new) == message
