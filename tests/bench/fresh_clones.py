"""Twelve repositories as they are just after a clone, of as many ecosystems and layouts; made here, without a network.

What they ask for can be installed: wheels are made of packages that the tests' own Python has, and of one that is
written here, and lie in a folder that pip is pointed to; npm's packages lie in the repositories themselves. Where the
Python on the path brings pytest along, a project that needs no more than that can be tested as it is.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

from tests.fetched import fetched, install

RUNNER = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
"""What pytest needs on Linux, as it is installed beside these tests."""
BUILD_TOOLS = ("setuptools==84.2.1", "wheel==0.48.0")
"""What pip fetches for a project that has nothing but a setup.py; had once, like all that tests run beside Pulse."""
NEEDS = "import pytest\n\nfrom shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == pytest.approx(3)\n"
SHOP = "import tinydep\n\n\ndef total(prices):\n    return tinydep.add(prices)\n"
PLAIN = "def total(prices):\n    return sum(prices)\n"
BACKEND = '''"""A build backend of its own: what is installed is a line that leads here."""
import base64, hashlib, pathlib, zipfile
NAME = "shop-1.0-py3-none-any.whl"
META = "Metadata-Version: 2.1\\nName: shop\\nVersion: 1.0\\nRequires-Dist: tinydep\\nProvides-Extra: test\\n" \\
    "Requires-Dist: pytest; extra == 'test'\\n"
WHEEL = "Wheel-Version: 1.0\\nGenerator: shop\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
def build_editable(folder, settings=None, metadata=None):
    here = pathlib.Path(__file__).resolve().parent
    place = here / "src" if (here / "src").is_dir() else here
    files = {"shop.pth": f"{place}\\n", "shop-1.0.dist-info/METADATA": META, "shop-1.0.dist-info/WHEEL": WHEEL}
    record = "".join(f"{name},,\\n" for name in files) + "shop-1.0.dist-info/RECORD,,\\n"
    with zipfile.ZipFile(pathlib.Path(folder, NAME), "w") as out:
        for name, text in {**files, "shop-1.0.dist-info/RECORD": record}.items():
            out.writestr(name, text)
    return NAME
build_wheel = build_editable
'''
PROJECT = (
    "[project]\nname = 'shop'\nversion = '1.0'\ndependencies = ['tinydep']\n"
    "[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n"
)
EXTRA = "[project.optional-dependencies]\ntest = ['pytest']\n"
GROUP = "[dependency-groups]\ndev = ['pytest']\n"
PACKAGE = {"name": "shop", "version": "1.0.0", "private": True, "scripts": {"test": "node --test"}}
NODE_TEST = (
    "const test = require('node:test');\nconst assert = require('node:assert');\n"
    "const { total } = require('./shop.js');\n"
    "test('total', () => assert.strictEqual(total([1, 2]), 3));\n"
)
NODE_SHOP = "exports.total = (prices) => prices.reduce((sum, one) => sum + one, 0);\n"
TAPE = {"name": "tiny-tape", "version": "1.0.0", "bin": {"tiny-tape": "tape.js"}}
TAPE_RUNNER = (
    "#!/usr/bin/env node\nrequire(require('path').resolve('test.js'));\n"
    "console.log('# tests 1\\n# pass  1\\n\\n# ok');\n"
)
TAPE_TEST = "if (require('./shop.js').total([1, 2]) !== 3) process.exit(1);\n"
RUST = (
    "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n"
    "    fn adds() {\n        assert_eq!(super::total(&[1, 2]), 3);\n    }\n}\n"
)
PICTURE = bytes.fromhex("89504e470d0a1a0a") + bytes(2_000)


class FreshClone(NamedTuple):
    """One repository, and how its first card may begin; `edited` is the file that a person then changes."""

    name: str
    files: Mapping[str, str]
    first: tuple[str, ...]
    edited: str
    change: Callable[[Path], None] | None = None


def _in_docs(folder: Path) -> None:
    """Leave a text changed, a picture deleted and another one new, since two hours ago."""
    (folder / "hero.png").unlink()
    (folder / "shot.png").write_bytes(PICTURE + b"\1")
    with (folder / "news.md").open("a") as file:
        file.write("More.\n")
    then = (folder / "news.md").stat().st_mtime - 2 * 3_600
    for name in ("shot.png", "news.md"):
        os.utime(folder / name, (then, then))


SET_UP, INSTALL, RUN, COMMIT = "Create .venv and install", "Install what", "Run the tests", "Commit 3 files"
CLONES = (
    FreshClone("extra", {"pyproject.toml": PROJECT + EXTRA, "backend.py": BACKEND, "shop.py": SHOP,
                         "tests/test_shop.py": NEEDS}, (SET_UP,), "shop.py"),
    FreshClone("source-layout", {"pyproject.toml": PROJECT + GROUP, "backend.py": BACKEND, "src/shop/__init__.py": SHOP,
                                 "tests/test_shop.py": NEEDS}, (SET_UP,), "src/shop/__init__.py"),
    FreshClone("requirements", {"requirements.txt": "tinydep\n", "requirements-dev.txt": "pytest\n", "shop.py": SHOP,
                                "tests/test_shop.py": NEEDS}, (SET_UP,), "shop.py"),
    FreshClone("setup-py", {"setup.py": "from setuptools import setup\n\nsetup(name='shop', version='1.0', "
                            "py_modules=['shop'], install_requires=['tinydep'])\n", "shop.py": SHOP,
                            "tests/test_shop.py": NEEDS}, (SET_UP,), "shop.py"),
    FreshClone("uv-without-uv", {"pyproject.toml": PROJECT + GROUP, "uv.lock": "version = 1\n", "backend.py": BACKEND,
                                 "shop.py": SHOP, "tests/test_shop.py": NEEDS}, (SET_UP,), "shop.py"),
    FreshClone("tox-without-tox", {"tox.ini": "[tox]\nenvlist = py3\n[pytest]\naddopts = -q\n", "shop.py": PLAIN,
                                   "tests/test_shop.py": NEEDS}, (SET_UP, RUN), "shop.py"),
    FreshClone("unittest", {"shop.py": PLAIN, "test_shop.py": "import unittest\n\nfrom shop import total\n\n\n"
                            "class Shop(unittest.TestCase):\n    def test_total(self):\n"
                            "        self.assertEqual(total([1, 2]), 3)\n"}, (RUN,), "shop.py"),
    FreshClone("node-test", {"package.json": json.dumps(PACKAGE), "shop.js": NODE_SHOP, "shop.test.js": NODE_TEST},
               (RUN,), "shop.js"),
    FreshClone("tape", {"package.json": json.dumps({**PACKAGE, "scripts": {"test": "tiny-tape"},
                                                    "devDependencies": {"tiny-tape": "file:./vendor/tiny-tape"}}),
                        "vendor/tiny-tape/package.json": json.dumps(TAPE), "vendor/tiny-tape/tape.js": TAPE_RUNNER,
                        "shop.js": NODE_SHOP, "test.js": TAPE_TEST, ".gitignore": "node_modules\n"},
               (INSTALL,), "shop.js"),
    FreshClone("cargo", {"Cargo.toml": "[package]\nname = 'shop'\nversion = '1.0.0'\nedition = '2021'\n",
                         "src/lib.rs": RUST, ".gitignore": "target\n"}, (RUN,), "src/lib.rs"),
    FreshClone("make", {"Makefile": "test:\n\t@sh check.sh\n", "check.sh": "grep -q total shop.sh\n",
                        "shop.sh": "total() { echo $(($1 + $2)); }\n"}, (RUN,), "shop.sh"),
    FreshClone("pages", {"news.md": "# News\n", "index.html": "<h1>News</h1>\n"}, (COMMIT,), "news.md", _in_docs),
)  # fmt: skip


def clone(case: FreshClone, folder: Path) -> Path:
    """Make the repository with a single commit of now, and clone it."""
    origin = folder / "origin" / case.name
    for name, text in case.files.items():
        path = origin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if case.change is not None:
        (origin / "hero.png").write_bytes(PICTURE)
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for arguments in (("init", "-q", "-b", "main"), ("add", "--all"), (*who, "commit", "-q", "-m", "Everything")):
        subprocess.run(("git", *arguments), cwd=origin, check=True, capture_output=True)
    place = folder / "work" / case.name
    subprocess.run(("git", "clone", "-q", "--depth", "1", f"file://{origin}", str(place)), check=True)
    return place


def person_in(folder: Path) -> Path:
    """Make a person's home in which pip and npm find what there is, and ask nobody."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    for name in RUNNER:
        _wheel_of(distribution(name), wheels)
    tools = fetched(f"build-tools-{'-'.join(BUILD_TOOLS)}", _fetch_build_tools)
    for wheel in tools.glob("*.whl"):
        shutil.copy(wheel, wheels)
    _wheel(wheels, "tinydep", "1.0", (("tinydep.py", b"def add(numbers):\n    return sum(numbers)\n"),))
    home = folder / "person"
    for name, text in {
        ".config/pip/pip.conf": f"[global]\nno-index = true\nfind-links = {wheels}\ndisable-pip-version-check = true\n",
        ".npmrc": "offline = true\naudit = false\nfund = false\nupdate-notifier = false\n",
        ".gitconfig": "[user]\nname = Ada\nemail = ada@example.org\n",
    }.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    return home


def _fetch_build_tools(folder: Path) -> None:
    install(sys.executable, "-m", "pip", "download", "-q", "--no-deps", *BUILD_TOOLS, "-d", folder)


def _wheel_of(found: Distribution, wheels: Path) -> None:
    """Pack an installed package of plain Python as the wheel that it came from."""
    files = (file for file in found.files or () if ".." not in file.parts and file.suffix != ".pyc")
    kept = ((str(file), Path(str(file.locate())).read_bytes()) for file in files if ".dist-info" not in str(file))
    _wheel(wheels, found.name, found.version, kept, requires=[one for one in found.requires or () if ";" not in one])


def _wheel(
    wheels: Path, name: str, version: str, files: Iterable[tuple[str, bytes]], requires: Iterable[str] = ()
) -> None:
    info = f"{name}-{version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata = head + "".join(f"Requires-Dist: {one}\n" for one in requires)
    whole = dict(files)
    whole[f"{info}/METADATA"] = metadata.encode()
    whole[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in whole.items())
    whole[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(wheels / f"{name}-{version}-py3-none-any.whl", "w") as out:
        for path, content in whole.items():
            out.writestr(path, content)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
