"""One table: which files decide what a runner runs, and which of its options leave it at that.

What is not in this table is an unknown runner: its own file and the files that it is given are hashed all the same, and
it never runs unasked. `files` are looked for in the folder in which it is started, `upwards` there and in each folder
above, since the runner does so, too; `at_home` are the person's own settings for all projects. `flags` and `valued`
are options that name neither a file, a folder, a module nor a program; any other option makes it unclear. `reads` names
the reader that follows what the runner starts in its turn:

- `make`: the makefiles with their includes, and the recipes of the targets that are asked for;
- `scripts`: the scripts of a package.json, with those before and after;
- `tox`: the commands of its environments;
- `inner`: the rest of the arguments is another command;
- `python`, `shell`: a module, a file of code or a line;
- `pytest`: its settings wherever they are, each conftest.py, and the plugins that they load;
- `javascript`: its settings, and the files of the project that they name;
- `git`: the repository's settings and hooks;
- `nothing`: what the files say is all;
- `program`: the files are a program of their own (a noxfile, a build.gradle): hashed and shown, but never unasked.

What is installed (site-packages, node_modules, a toolchain) and the code that is tested are no part of this: a
test run runs the project's code as it is, which is what it is for.
"""

from typing import Literal

from hub.contract.base import Value

Reads = Literal[
    "make", "scripts", "tox", "inner", "python", "shell", "pytest", "javascript", "git", "nothing", "program"
]


class Runner(Value):
    """What decides what one runner runs."""

    reads: Reads
    files: tuple[str, ...] = ()
    upwards: tuple[str, ...] = ()
    at_home: tuple[str, ...] = ()
    """Names below the home folder, with `*` for several, or full paths."""
    flags: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    """The subcommands that are known, where there are any; another one is unclear."""
    loading: tuple[tuple[str, str], ...] = ()
    """A file and a word in it, in small letters, that names a program or code to load, which nobody followed."""


PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg")
PACKAGE_FILES = (
    "package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnp.cjs", "pnpm-workspace.yaml",
    "bunfig.toml",
)  # fmt: skip
_CARGO = (".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml", "Cargo.toml")
_SPELLINGS = ("js", "cjs", "mjs", "ts", "cts", "mts", "json")
VERSION_FILES = (".tool-versions", ".python-version", ".node-version", ".nvmrc", "mise.toml", ".mise.toml")
"""What decides for a program that only stands for the chosen version's."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _spelled(*stems: str) -> tuple[str, ...]:
    return tuple(f"{stem}.{spelling}" for stem in stems for spelling in _SPELLINGS)


_BACKEND = (("pyproject.toml", "backend-path"),)
_WRAPPERS = tuple(
    (file, word)
    for file in (".cargo/config.toml", ".cargo/config")
    for word in ("runner", "rustc", "rustdoc", "linker", "[env", "[patch", "paths")
)
_NPM_WORDS = ("shell", "node-options", "config")
_PACKAGES_AT_HOME = (
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".bunfig.toml", ".config/.bunfig.toml", ".config/pnpm/*",
    "Library/Preferences/pnpm/*",
)  # fmt: skip
_SHELLS = (
    *((".npmrc", word) for word in _NPM_WORDS),
    (".yarnrc.yml", "plugins"),
    *((file, "preload") for file in ("bunfig.toml", ".bunfig.toml", ".config/.bunfig.toml")),
    (".config/pnpm/*", "shell"),
)
_GO_SETTINGS = (".config/go/env", "Library/Application Support/go/env")
_GO_WORDS = ("flags", "toolchain", "goroot", "goauth", "pkg_config", "cc=", "cxx=")
_GIT_SETTINGS = (".gitconfig", ".config/git/config", ".config/git/attributes", "/etc/gitconfig")
_GIT_WORDS = ("hookspath", "[include", "[filter", "fsmonitor")
_MYPY_SETTINGS = ("mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml", ".config/mypy/config")
_MOCHA = (".mocharc.yml", ".mocharc.yaml", ".mocharc.jsonc", *_spelled(".mocharc"))
_BABEL = (".babelrc", *_spelled("babel.config", ".babelrc"))
_PACKAGES = Runner(
    reads="scripts",
    files=PACKAGE_FILES,
    upwards=(".yarnrc", ".yarnrc.yml"),
    at_home=_PACKAGES_AT_HOME,
    flags=_words("-s --silent --if-present"),
    loading=_SHELLS,
)
_BUILD = ("setup.py", "setup.cfg", "pyproject.toml")

RUNNERS: dict[str, Runner] = {
    "make": Runner(
        reads="make",
        flags=_words("-s -k -i -B -S -w -r -R --silent --quiet --keep-going --always-make --no-print-directory"),
    ),
    "npm": _PACKAGES,
    "pnpm": _PACKAGES,
    "yarn": _PACKAGES,
    "bun": _PACKAGES,
    "tox": Runner(
        reads="tox",
        files=("tox.ini", "tox.toml", *_BUILD),
        at_home=(".config/tox/config.ini", ".config/pip/pip.conf", ".pip/pip.conf", ".pydistutils.cfg"),
        flags=_words("-q -v -r -p"),
        valued=_words("-e"),
        loading=(*_BACKEND, (".config/tox/config.ini", "override")),
    ),
    "uv": Runner(
        reads="inner",
        files=("uv.lock", "uv.toml", *_BUILD),
        upwards=("uv.toml", "pyproject.toml", ".python-version"),
        at_home=(".config/uv/uv.toml",),
        flags=_words("--frozen --locked --no-sync --offline --all-extras --all-groups --dev --no-dev -q --quiet"),
        valued=_words("--extra --group"),
        commands=_words("run lock"),
        loading=_BACKEND,
    ),
    "poetry": Runner(
        reads="inner",
        files=("poetry.lock", "poetry.toml", *_BUILD),
        at_home=(".config/pypoetry/config.toml",),
        flags=_words("-q"),
        commands=_words("run lock"),
        loading=_BACKEND,
    ),
    "coverage": Runner(
        reads="inner",
        files=(".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"),
        flags=_words("--branch -p --parallel-mode -a --append"),
        valued=_words("--source --omit --include"),
        commands=_words("run report xml html combine erase"),
        loading=tuple((file, "plugins") for file in (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini")),
    ),
    "python": Runner(reads="python", files=("pyvenv.cfg",)),
    "sh": Runner(reads="shell"),
    "bash": Runner(reads="shell"),
    "dash": Runner(reads="shell"),
    "pytest": Runner(
        reads="pytest",
        upwards=(*PYTEST_FILES, "conftest.py"),
        flags=_words(
            "-q -qq -v -vv -vvv -x -s -l -ra -rA -rs -rf -rfE -rxXs --lf --ff --sw --exitfirst --last-failed "
            "--failed-first --no-header --no-summary --strict-markers --strict-config --strict --showlocals "
            "--no-cov --doctest-modules --quiet --verbose --cache-clear --disable-warnings --benchmark-skip"
        ),
        valued=_words(
            "-k -m -n --tb --maxfail --durations --durations-min --color --capture --numprocesses --dist --timeout "
            "--verbosity --cov --cov-report --cov-fail-under --cov-branch --log-level --log-cli-level "
            "--import-mode --asyncio-mode --randomly-seed"
        ),
    ),
    "unittest": Runner(
        reads="nothing",
        flags=_words("-v -q -f -b -c --verbose --quiet --failfast --buffer"),
        valued=_words("-k -s -t -p"),
    ),
    "jest": Runner(
        reads="javascript",
        files=("package.json", *_spelled("jest.config"), *_BABEL),
        flags=_words("--ci --coverage --silent --verbose --runInBand -i --passWithNoTests --bail --no-cache --colors"),
        valued=_words("--maxWorkers -w --testTimeout -t --testNamePattern --shard"),
    ),
    "vitest": Runner(
        reads="javascript",
        files=("package.json", *_spelled("vitest.config", "vite.config", "vitest.workspace")),
        flags=_words("--run --coverage --silent --passWithNoTests --no-color"),
        valued=_words("--testTimeout -t --testNamePattern --shard --retry --bail"),
        commands=_words("run"),
    ),
    "mocha": Runner(
        reads="javascript",
        files=("package.json", *_MOCHA),
        upwards=_MOCHA,
        flags=_words("--bail -b --exit --parallel --recursive --color -c"),
        valued=_words("--timeout -t --grep -g --reporter -R --retries"),
    ),
    "tsc": Runner(
        reads="javascript", files=("tsconfig.json", "package.json"), flags=_words("--noEmit --pretty --strict")
    ),
    "eslint": Runner(
        reads="javascript",
        files=("package.json", ".eslintrc", ".eslintrc.yml", ".eslintrc.yaml", *_spelled("eslint.config", ".eslintrc")),
        upwards=(*_spelled("eslint.config"), ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json"),
        flags=_words("--quiet --no-color"),
        valued=_words("--max-warnings --format"),
    ),
    "cargo": Runner(
        reads="nothing",
        files=("Cargo.lock", "build.rs"),
        upwards=_CARGO,
        at_home=(".cargo/config.toml", ".cargo/config", ".rustup/settings.toml"),
        flags=_words(
            "-q --quiet -v --workspace --all --release --locked --frozen --offline --all-features --lib --bins "
            "--tests --all-targets --no-fail-fast --no-default-features --doc"
        ),
        valued=_words("-j --jobs --features -F --test --bin --profile --message-format --color"),
        commands=_words("test check clippy build fmt generate-lockfile"),
        loading=(*_WRAPPERS, ("rust-toolchain.toml", "path"), ("Cargo.toml", "[workspace")),
    ),
    "go": Runner(
        reads="nothing",
        files=("go.sum", "vendor/modules.txt"),
        upwards=("go.mod", "go.work"),
        at_home=_GO_SETTINGS,
        flags=_words("-v -race -short -cover -failfast -json -x"),
        valued=_words("-run -count -timeout -p -parallel -tags -cpu"),
        commands=_words("test vet build mod tidy"),
        loading=tuple((file, word) for file in _GO_SETTINGS for word in _GO_WORDS),
    ),
    "ruff": Runner(
        reads="nothing",
        upwards=("ruff.toml", ".ruff.toml", "pyproject.toml"),
        at_home=(".config/ruff/*",),
        flags=_words("-q --quiet --no-cache --check --diff"),
        valued=_words("--output-format --select --ignore"),
        commands=_words("check format"),
    ),
    "mypy": Runner(
        reads="nothing",
        files=("mypy.ini", ".mypy.ini", "setup.cfg"),
        upwards=("pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg"),
        at_home=(".mypy.ini", ".config/mypy/config"),
        flags=_words("--strict --no-error-summary --no-color-output --pretty"),
        valued=_words("--cache-dir"),
        loading=tuple((file, "plugins") for file in _MYPY_SETTINGS),
    ),
    "pyright": Runner(
        reads="nothing", files=("pyrightconfig.json", "pyproject.toml"), flags=_words("--outputjson --warnings")
    ),
    "git": Runner(
        reads="git",
        at_home=_GIT_SETTINGS,
        flags=_words("--ff-only --quiet -q --no-edit --no-follow-tags --no-recurse-submodules --"),
        valued=_words("-m --message"),
        commands=_words("commit push merge pull fetch add"),
        loading=tuple((file, word) for file in _GIT_SETTINGS for word in _GIT_WORDS),
    ),
    "rspec": Runner(reads="program", files=(".rspec",), at_home=(".rspec", ".config/rspec/options")),
    "nox": Runner(reads="program", files=("noxfile.py",)),
    "mvn": Runner(
        reads="program",
        files=("pom.xml", ".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config",
               ".mvn/wrapper/maven-wrapper.properties"),
        at_home=(".mavenrc", ".m2/*.xml", ".m2/*.properties"),
    ),
    "gradle": Runner(
        reads="program",
        files=("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties",
               "gradle/wrapper/gradle-wrapper.properties", "gradle/libs.versions.toml"),
        at_home=(".gradle/gradle.properties", ".gradle/init.gradle*", ".gradle/init.d/*"),
    ),
    "node": Runner(reads="program", files=("package.json", ".npmrc")),
}  # fmt: skip
OTHER_NAMES = {"mvnw": "mvn", "gradlew": "gradle", "gmake": "make", "py.test": "pytest", "python3": "python"}
STARTS_NOTHING = frozenset({"true", "false", ":", "echo", "printf", "exit", "sleep", "pwd", "date", "ls", "cat", "set"})
"""Commands that start nothing, and write nothing that could decide what a later one starts."""
OWN_PROGRAMS = (".venv/bin", "venv/bin", "node_modules/.bin")
"""Where a project keeps programs that are installed for it: their names are believed, since their files are hashed."""


def runner_of(name: str) -> tuple[str, Runner | None]:
    """Return a program's name in the table, and its line there, if it has one."""
    if name.startswith("python3."):
        name = "python" if name.removeprefix("python3.").isdigit() else name
    name = OTHER_NAMES.get(name, name)
    return name, RUNNERS.get(name)
