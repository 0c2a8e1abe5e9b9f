"""Which commands of a person's run a project's tests, told from their words. Anything else is no run."""

import re
import shlex

RUNNERS = frozenset(
    {
        *("pytest", "py.test", "tox", "nox", "nose2", "jest", "vitest", "mocha", "tape", "ava", "jasmine", "ctest"),
        *("rspec", "phpunit", "playwright", "karma", "cypress", "tap", "lab", "gotestsum"),
    }
)
MODULES = frozenset({"pytest", "unittest", "tox", "nox", "nose2"})
"""What `python -m` starts."""
BEFORE = frozenset(
    {
        *("npx", "bunx", "time", "nice", "env", "nyc", "c8", "command", "exec", "xvfb-run", "dotenv", "cross-env"),
        *("pnpx", "coverage", "run"),
    }
)
"""Programs that start what follows them."""
JS_MANAGERS = frozenset({"npm", "yarn", "pnpm", "bun"})
PYTHON_MANAGERS = frozenset({"uv", "poetry", "pdm", "hatch", "pipenv", "rye"})
WITH_VERB = {
    **dict.fromkeys(JS_MANAGERS, frozenset({"test", "t", "tst"})),
    **dict.fromkeys(
        ("cargo", "go", "mvn", "./mvnw", "gradle", "./gradlew", "deno", "zig", "swift"), frozenset({"test"})
    ),
    **dict.fromkeys(("make", "gmake"), frozenset({"test", "tests", "check"})),
    **dict.fromkeys(PYTHON_MANAGERS, frozenset({"run", "test"})),
    "dotnet": frozenset({"test"}),
    "node": frozenset({"--test"}),
}
PYTHON = re.compile(r"(?:.*/)?python[0-9.]*")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
WORDS_MAX = 40
ONLY_LOOKS = frozenset({"--help", "-h", "--version", "--collect-only", "--co", "--list", "--listTests"})


def is_test_run(line: str) -> bool:
    """Return True if the last command of a shell's line runs tests, so that the line's status is theirs."""
    last = re.split(r"&&|\|\||;", line)[-1]
    if "|" in last or last.rstrip().endswith("&"):
        return False  # another program's status, or none yet
    try:
        words = shlex.split(last)[:WORDS_MAX]
    except ValueError:
        return False
    return not ONLY_LOOKS & {*words} and _runs(words)


def _runs(words: list[str]) -> bool:
    while words and (ASSIGNMENT.match(words[0]) or words[0] in BEFORE or words[0].startswith("-")):
        words = words[1:]
    if not words:
        return False
    program, rest = words[0], words[1:]
    if PYTHON.fullmatch(program):
        return "-m" in rest and any(word in MODULES for word in rest[rest.index("-m") + 1 :][:1])
    name = program.rpartition("/")[2]
    if name in RUNNERS:
        return True
    verbs = WITH_VERB.get(program) or WITH_VERB.get(name, frozenset())
    verb = next((word for word in rest if not word.startswith("-") or word in verbs), "")
    if verb == "run" and name in PYTHON_MANAGERS:
        return _runs(rest[rest.index("run") + 1 :])
    if verb in {"run", "exec"} and name in JS_MANAGERS:
        after = rest[rest.index(verb) + 1 :]
        return bool(after) and (after[0].partition(":")[0] in {"test", "tests", "tests-only"} or _runs(after))
    return verb in verbs
