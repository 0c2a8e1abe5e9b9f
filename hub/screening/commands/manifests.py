"""Whether a text changes which packages a project is made of, and then has them fetched.

Theory: a package that is named to an installer may be anybody's. To write its name into the file that the installer
reads, or another place from which packages come, and to run the installer then, is the same in two steps. A step that
fetches nothing, and a file whose words name no package, are a change of the project like any other.
"""

import re
from collections.abc import Mapping

from hub.screening.commands.arrivals import Content, ContentOrigin
from hub.screening.commands.run import ProgramRun

_NAME_CHARS_MAX = 255
"""No file has a longer name."""
_JS = frozenset({"npm", "pnpm", "yarn", "bun", "yarnpkg"})
_PIP = frozenset({"pip", "pip3", "conda", "mamba", "micromamba"})
_PYTHON = frozenset({"uv", "poetry", "pdm", "rye", "pipenv", "hatch", "pixi", "tox", "nox", "python", "python3"})
_JVM = frozenset({"gradle", "gradlew", "mvn", "mvnw", "sbt", "mill", "ant", "java"})
_LIST = r"(?:.*[-_.])?(?:requirements|constraints|dev|test|base)(?:[-_.].*)?\.(?:txt|in)"
_ECOSYSTEMS = (
    (
        re.compile(
            r"package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(?:lock|workspace)\.ya?ml|bun\.lockb?"
            r"|bunfig\.toml|binding\.gyp|deno\.(?:jsonc?|lock)"
        ),
        _JS | {"deno"},
    ),
    (
        re.compile(
            rf"{_LIST}|pyproject\.toml|setup\.(?:py|cfg)|pipfile(?:\.lock)?|(?:poetry|uv|pdm)\.lock|uv\.toml|pip\.conf|environment\.ya?ml|tox\.ini|noxfile\.py|pixi\.\w+"
        ),
        _PIP | _PYTHON,
    ),
    (re.compile(r"gemfile(?:\.lock)?|gems\.(?:rb|locked)|.*\.gemspec"), frozenset({"bundle", "bundler", "gem"})),
    (re.compile(r"cargo\.(?:toml|lock)"), frozenset({"cargo"})),
    (re.compile(r"go\.(?:mod|sum|work)"), frozenset({"go"})),
    (re.compile(r".*\.gradle(?:\.kts)?|gradle-wrapper\.properties|.*versions\.toml|pom\.xml|build\.sbt"), _JVM),
    (re.compile(r"composer\.(?:json|lock)"), frozenset({"composer"})),
    (re.compile(r"mix\.(?:exs|lock)"), frozenset({"mix"})),
    (re.compile(r"pubspec\.(?:yaml|lock)"), frozenset({"dart", "flutter"})),
    (re.compile(r"podfile(?:\.lock)?|package\.swift"), frozenset({"pod", "swift", "xcodebuild"})),
    (re.compile(r".*\.(?:cs|fs)proj|nuget\.config|directory\..*|packages\.lock\.json"), frozenset({"dotnet"})),
)
"""Files that say of which packages a project is made, and what fetches those."""
_SOURCES = re.compile(
    r".*[-_.]lock(?:\.\w+)?|.*\.lock|.*lock(?:b|ed|\.\w+)|go\.sum|npm-shrinkwrap\.json|gradle-wrapper\.properties|uv\.toml"
    r"|pip\.conf|nuget\.config|bunfig\.toml"
)
"""Files that say nothing but where packages come from and which."""
_LISTS = re.compile(_LIST)
"""Files in which each line is a package."""
_NO_PACKAGE = re.compile(r"\s*(?:#.*|-[rce]\s*\.?/?(?!/|.*\.\.|.*://)[\w./\[\],-]*|\.(?:\[[\w,-]+\])?)?\s*")
_FETCHING = frozenset(
    {
        *("install", "i", "in", "ci", "add", "update", "up", "upgrade", "it", "install-test", "cit", "install-ci-test"),
        *("dedupe", "rebuild", "rb", "download", "wheel", "sync", "create", "env"),
    }
)
"""Subcommands of installers that fetch packages; any other of theirs runs what is there."""
_EMPTY_LIST = re.compile(r"dependencies[\"']?\s*+[:=]\s*+(?:\[\s*+\]|\{\s*+\})|\[[\w.-]*dependencies\]\s*+(?=\[|\Z)")
_BACKENDS = re.compile(
    r"\brequires\s*+=\s*+\[(?>(?:\s*+[\"'](?:setuptools|setuptools[-_]scm|wheel|hatchling|hatch-vcs|flit[-_]core|poetry-core"
    r"|pdm-backend|pdm-pep517|uv[-_]build|maturin|scikit-build-core|meson-python|cython|numpy|pybind11|cffi)"
    r"[<>=~!,.\w\s\[\]*]*+[\"']\s*+,?)*)\s*+\]"
    r"|\bbuild-backend\s*+=\s*+[\"'](?:setuptools\.build_meta|hatchling\.build|flit_core\.buildapi|poetry\.core\.masonry\.api"
    r"|pdm\.backend|uv_build|maturin|scikit_build_core\.build|mesonpy)[\"']"
)
"""What everybody builds a package of Python with."""
_NAMES = re.compile(
    r"dependenc|\brequires?\b(?!-python)|\breplace\b|\boverrides\b|\bresolutions\b|index-?url|registr(?:y|ies)"
    r"|^[ \t]*+source\b"
    r"|integrity|--hash|\bnpm:|\bgit\+|^[ \t]*+gem\b"
    r"|\b(?:implementation|classpath|plugins?|repositories|maven|distributionUrl)\b"
    r"|build-backend|backend-path|<(?:PackageReference|repository|plugin)\b|install_requires|setup_requires|\bpod\b|\.package\("
    r"|\bdeps\b",
    re.IGNORECASE | re.MULTILINE,
)
"""How a file says that it names a package, or where packages come from."""
_EDITED = re.compile(r"://|==|\s@\s")
"""What an edit puts into such a file, if it names one."""
_CRATE = re.compile(
    r"^(?!(?:rust-)?version|edition|resolver|name)[ \t]*+[\w-]++\s*+=\s*+(?:[\"'][\^~=<>]*\d|\{)", re.MULTILINE
)


def fetches_named(run: ProgramRun, files: Mapping[str, Content]) -> bool:
    """Return True if a call fetches packages which the text itself named in a file."""
    return any(
        run.name in programs and _fetches(run) and _names_package(name, content)
        for name, content in files.items()
        if len(name) <= _NAME_CHARS_MAX
        for pattern, programs in _ECOSYSTEMS
        if pattern.fullmatch(name)
    )


def _fetches(run: ProgramRun) -> bool:
    operands = run.arguments.operands
    if run.name in _JS:
        return not operands or operands[0] in _FETCHING
    return run.name not in _PIP or not _FETCHING.isdisjoint(operands[:1])


def _names_package(name: str, content: Content) -> bool:
    if _SOURCES.fullmatch(name):
        return True
    if content.origin is ContentOrigin.OWN and _LISTS.fullmatch(name):
        return not all(map(_NO_PACKAGE.fullmatch, content.text.splitlines()))
    text = _BACKENDS.sub("", _EMPTY_LIST.sub("", content.text))
    is_edited = content.origin is ContentOrigin.COMPUTED and _EDITED.search(text) is not None
    is_crate = name == "cargo.toml" and _CRATE.search(text) is not None
    return is_edited or is_crate or _NAMES.search(text) is not None
