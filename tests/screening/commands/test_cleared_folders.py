"""A clean-up that is told which folder to clear deletes it, unless that is called like what is built."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
CLEARING = (
    "cargo clean --target-dir .",
    "cargo clean --target-dir dist/../src",
    "cargo clean --target-dir=/home/me/shop/src",
    "CARGO_TARGET_DIR=src cargo clean",
    "env CARGO_TARGET_DIR=src cargo clean",
    "export CARGO_TARGET_DIR=src; cargo clean",
    "cargo tarpaulin --force-clean --target-dir src",
    "npx jest --ci --cacheDirectory=. --clearCache",
    "jest --clearCache --cacheDirectory src",
    "uv --cache-dir src cache clean",
    "gradle clean -PbuildDir=src",
    "ORG_GRADLE_PROJECT_buildDir=src ./gradlew clean",
    "mvn clean -Dproject.build.directory=src",
    "yarn --cache-folder src cache clean",
    "bundle exec jekyll clean -d src",
    "swift package --scratch-path src reset",
    "stack --work-dir src clean --full",
    "STACK_WORK=src stack clean --full",
    "MIX_DEPS_PATH=src mix deps.clean --all",
    "latexmk -C -outdir=src",
    "dotnet clean -o src",
    "make clean BUILD=src",
    "make -s clean B=..",
    "BUILD=src make clean",
    "ant clean -Dbuild.dir=src",
    "npm run clean -- --dir src",
    # what empties its folder without being told so
    *("sam build -b src", "trunk build --dist src", "vue-cli-service build --dest .", "webpack --output-clean -o src"),
    *("BUILD_PATH=src npm run build", "yarn --modules-folder src install", "UV_VENV_CLEAR=1 uv venv src"),
)
FILLED = (
    *(f'{fill}; make clean BUILD="$x"' for fill in ("read x <<< src", "x=build; read x <<< src", "printf -v x %s src")),
    *('mapfile -t x <<< src; make clean BUILD="${x[0]}"', "read <<< src; make clean BUILD=$REPLY"),
    *("getopts a: o -a src; make clean BUILD=$OPTARG", "while read x; do make clean BUILD=$x; done < list"),
    *(
        "make clean BUILD=$x",
        "make clean BUILD=$1",
        "make clean BUILD=$(cat x)",
        "clear() { make clean OUT=$1; }; clear src",
    ),
    *("read x <<< src; cargo clean --target-dir $x", "read x <<< src; uv venv -c $x", "go mod vendor -o $x"),
)
WRITTEN = (
    "pytest --junitxml=src/a.py",
    "pytest --log-file src/a.py",
    "pytest --cov-report xml:src/a.py",
    "go build -o src/main.go",
    "go test -coverprofile=src/a.go ./...",
    "uv export -o pyproject.toml",
    "coverage combine --data-file=src/a.py",
    "eslint --cache-location src/a.js .",
    "ruff check --output-file src/a.py",
    "curl --trace src/a.py http://localhost:3000/",
    "npx jest --json --outputFile src/a.js",
    "eslint -o src/a.js .",
    "coverage xml -o src/a.py",
    "gcc src/b.c -o src/a.c",
)
SILENT = (
    *(
        "cargo clean",
        "cargo clean --target-dir target/x",
        "x=build; make clean BUILD=$x",
        "make clean BUILD=$BUILD_DIR",
        "make clean BUILD=$(pwd)/build",
        "cargo clean --target-dir $(mktemp -d)",
        "cargo clean -p shop --release",
        "npm run clean",
        "make clean",
    ),
    *("CARGO_TARGET_DIR=target/ci cargo clean", "make -C docs clean", "make clean V=1", "make clean all CC=gcc"),
    *("cmake --build build --target clean", "ninja -C build clean", "mvn clean install", "mvn -B clean verify"),
    *("mvn clean -B verify", "mvn clean -o install", "mvn -pl web clean package", "./gradlew clean build -x test"),
    *("gradle -p web clean", "gradle clean -Pversion=1.2.0", "cargo clean --manifest-path crates/a/Cargo.toml"),
    *("dotnet clean src/App.csproj -c Release", "npm --prefix web run clean", "yarn workspace web clean"),
    *(
        "flutter clean",
        "jest --clearCache",
        "jest --clearMocks --rootDir src",
        "CI=1 NODE_ENV=production npm run clean",
    ),
    *("turbo run clean --filter=web", "hugo --cleanDestinationDir -d public", "vite build --outDir dist --emptyOutDir"),
    *(
        "jest --clearMocks --rootDir src",
        "vite --clearScreen false",
        "sam build",
        "sam build -b .aws-sam/build",
        "BUILD_PATH=dist npm run build",
    ),
    *("OUT_DIR=out make clean", "webpack --output-clean -o dist", "tox -r", "sphinx-build -M clean docs docs/_build"),
    *("mix deps.clean --all", "swift package clean", "bundle exec jekyll clean", "pytest tests/test_clean.py -k clean"),
    *("uv venv .venv", "bazel clean", "just clean", "task clean"),
    # reports, and code where code is made
    *("pytest --junitxml=report.xml", "go build -o bin/x ./cmd/x", "pytest --cov-report=xml:coverage.xml"),
    *("eslint --cache --cache-location .cache/eslint .", "esbuild src/a.ts --outfile=dist/a.js", "gcc -o app src/a.c"),
    *(
        "go test -coverprofile=cover.out ./...",
        "git diff --output=a.patch",
        "git show HEAD:src/a.py",
        "tsc --outDir dist",
    ),
    *("npx quicktype -o src/types.ts a.json", "bison -o src/parser.c src/parser.y", "uv export -o requirements.txt"),
    *(
        "npx playwright codegen -o tests/a.spec.ts localhost:3000",
        "gcc -S -o a.s src/a.c",
        "mypy --junit-xml out.xml .",
    ),
)


@pytest.mark.parametrize("command", [*CLEARING, *FILLED])
def test_what_is_lost_is_deleted(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", [*SILENT, *WRITTEN])
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
