"""Lock files: true or silent."""

import hashlib

import pytest

from hub.sense.lock_files import stale_locks

CARGO = '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\nserde = "1"\nlogs = { package = "log" }\n'
CARGO_LOCK = '[[package]]\nname = "a"\nversion = "1.0.0"\ndependencies = ["serde 1.0.1", "log"]\n'
UV = '[project]\nname = "My_App"\ndependencies = ["HTTP.x>=1", "rich"]\n'
UV_LOCK = """[[package]]
name = "my-app"
source = { editable = "." }
[package.metadata]
requires-dist = [{ name = "http-x", specifier = ">=1" }, { name = "rich" }]
"""
GO = (
    "module a.dev/x\n\nrequire (\n\tgolang.org/x/text v0.3.0\n\tb.dev/y v1.0.0 // indirect\n)\nrequire c.dev/z v1.0.0\n"
)
GO_SUM = "golang.org/x/text v0.3.0 h1:a=\ngolang.org/x/text v0.3.0/go.mod h1:b=\nc.dev/z v1.0.0/go.mod h1:c=\n"
NPM = '{"dependencies": {"a": "^1"}}'
NPM_LOCK = '{"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "^1"}}}}'
POETRY = '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\npython = "^3.11"\n'
POETRY_HASH = hashlib.sha256(
    b'{"dependencies": {"python": "^3.11"}, "dev-dependencies": null, "extras": null, "source": null}'
).hexdigest()
POETRY_LOCK = f'[metadata]\ncontent-hash = "{POETRY_HASH}"\n'
PAIRS = {
    "Cargo": ("Cargo.toml", CARGO, CARGO.replace("serde =", 'rand = "1"\nserde ='), "Cargo.lock", CARGO_LOCK),
    "Cargo version": ("Cargo.toml", CARGO, CARGO.replace("1.0.0", "1.1.0"), "Cargo.lock", CARGO_LOCK),
    "uv": ("pyproject.toml", UV, UV.replace('"rich"', '"rich", "attrs"'), "uv.lock", UV_LOCK),
    "go": ("go.mod", GO, GO.replace("c.dev/z v1.0.0", "c.dev/z v1.2.0"), "go.sum", GO_SUM),
    "npm": ("package.json", NPM, NPM.replace("^1", "^2"), "package-lock.json", NPM_LOCK),
    "poetry": ("pyproject.toml", POETRY, POETRY.replace("^3.11", "^3.12"), "poetry.lock", POETRY_LOCK),
}


@pytest.mark.parametrize("name", PAIRS)
def test_in_step_and_out_of_date(name: str) -> None:
    manifest, same, other, lock, locked = PAIRS[name]
    assert stale_locks({manifest: same, lock: locked}, {manifest}) == ()
    (found,) = stale_locks({manifest: other, lock: locked}, {manifest})
    assert (found.manifest, found.lock) == (manifest, lock)


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_broken_or_alone_says_nothing(name: str) -> None:
    manifest, _, other, lock, locked = PAIRS[name]
    assert stale_locks({manifest: other}, {manifest}) == ()
    assert stale_locks({manifest: "]", lock: locked}, {manifest}) == ()
    for broken in ("", "]", "[]", "{}", '{"packages": 3}', "package = 3", "\x00"):
        assert stale_locks({manifest: other, lock: broken}, ()) == () or lock == "go.sum"


def test_poetrys_hash_alone_is_not_enough() -> None:
    manifest, _, other, lock, locked = PAIRS["poetry"]
    for changed in ((), (lock,), (manifest, lock)):
        assert stale_locks({manifest: other, lock: locked}, changed) == ()
