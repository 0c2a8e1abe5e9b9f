"""The Python on the path, wherever its program really lies."""

from pathlib import Path

import pytest

from hub.io.sensors.project_look import common_python


def _installed(top: Path, *, has_pytest: bool = False) -> Path:
    """Make something like an installation of Python; return its program."""
    library = top / "lib" / "python3.13"
    (library / "ensurepip").mkdir(parents=True)
    (library / "ensurepip" / "__init__.py").touch()
    (library / "site-packages" / "six-1.17.dist-info").mkdir(parents=True)
    if has_pytest:
        (library / "site-packages" / "pytest").mkdir()
        (library / "site-packages" / "pytest" / "__init__.py").touch()
    program = top / "bin" / "python3.13"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("links", [1, 2])
def test_a_python_that_is_reached_by_links_is_known_by_where_it_lies(tmp_path: Path, links: int) -> None:
    """Homebrew and mise link into one folder what lies in another of its own; so do people."""
    target = _installed(tmp_path / "cellar" / "python", has_pytest=True)
    for number in range(links):
        link = tmp_path / f"farm{number}" / "bin" / "python3"
        link.parent.mkdir(parents=True)
        link.symlink_to(target)
        target = link
    found = common_python(str(target.parent))
    assert found is not None
    assert found.path == str(target), "it is called by the name that the person's path has for it"
    assert (found.makes_environments, found.has_pytest) == (True, True)
    assert "six" in found.packages


def test_an_environment_on_the_path_has_its_own_packages_alone(tmp_path: Path) -> None:
    base = _installed(tmp_path / "base", has_pytest=True)
    program = tmp_path / "active" / "bin" / "python3"
    program.parent.mkdir(parents=True)
    program.symlink_to(base)
    (tmp_path / "active" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (tmp_path / "active" / "lib" / "python3.13" / "site-packages").mkdir(parents=True)
    found = common_python(str(program.parent))
    assert found is not None
    assert (found.has_pytest, found.packages) == (False, frozenset())
    assert found.makes_environments, "venv of an environment is that of the Python that it was made with"
