import pytest

from hub.sense.git_output import status
from hub.sense.installed_files import written_by_people

OWN = ("src/shop/cart.py", "env.py", "environment/notes.md", "docs/venv")


@pytest.mark.parametrize(
    "installed",
    [
        (".venv/pyvenv.cfg", ".venv/lib/python3.11/site-packages/pytest/__init__.py"),
        ("tools/.venv/bin/activate",),
        ("env/pyvenv.cfg", "env/lib/six.py"),
        ("web/node_modules/left-pad/index.js",),
        ("src/shop/__pycache__/cart.pyc",),
        (".tox/py311/log/1.txt",),
    ],
)
def test_what_was_installed_is_nobodys_work(installed: tuple[str, ...]) -> None:
    assert written_by_people((*installed, *OWN)) == OWN


def test_a_repository_that_is_an_environment_itself_keeps_its_files() -> None:
    assert written_by_people(("pyvenv.cfg", "bin/tool.py")) == ("pyvenv.cfg", "bin/tool.py")


def test_what_is_tracked_stays_wherever_it_lies() -> None:
    zeros = "0" * 40
    changed = f"1 .M N... 100644 100644 100644 {zeros} {zeros} node_modules/patched/index.js"
    found = status(f"{changed}\0? node_modules/other/index.js\0? new.py\0".encode())
    assert found.tracked == ("node_modules/patched/index.js",)
    assert found.untracked == ("new.py",)
