"""Coding agents that speak the protocol, and what makes them ask before they act.

Whoever is not named here works all the same: `argv` in the settings file is all it takes.
"""

from collections.abc import Mapping
from pathlib import Path, PurePath

from hub.contract.base import Value
from hub.io.agents.acp.opencode_settings import PERMISSION, MadeToAsk, opencode_made_to_ask


class KnownAgent(Value):
    """A coding agent: what people call it, how it is started and had, and what its runs are given to make it ask.

    Each of them names the kind of its own tools by what they are, and calls no other tool a look or an edit, so that
    its word for the kind counts (`OPENCODES_NAMES` are the exceptions). Of others nobody knows where they have it from.
    `asks_early`: it asks before it has told what a server's tool is given, which it then tells at once.
    `keys` are variables by which it signs in where its own login does not; they are handed on only once they are named
    in the settings. `environment` holds against what a repository says, and a variable of the person's own, once it is
    named in the settings, against that.
    """

    name: str
    title: str
    argv: tuple[str, ...]
    get: str
    asks_early: bool = False
    keys: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


KNOWN: tuple[KnownAgent, ...] = (
    KnownAgent(
        name="opencode",
        title="OpenCode",
        argv=("opencode", "acp"),
        get="npm install -g opencode-ai",
        asks_early=True,
        environment=(
            (
                PERMISSION,
                '{"bash":"ask","edit":"ask","webfetch":"ask","websearch":"ask","external_directory":"ask"}',
            ),
        ),
    ),
    KnownAgent(
        name="claude",
        title="Claude Code",
        argv=("claude-agent-acp",),
        get="npm install -g @agentclientprotocol/claude-agent-acp",
        keys=("ANTHROPIC_API_KEY",),
    ),
    KnownAgent(
        name="codex",
        title="Codex",
        argv=("codex-acp",),
        get="npm install -g @agentclientprotocol/codex-acp",
        keys=("CODEX_API_KEY", "OPENAI_API_KEY"),
    ),
    KnownAgent(
        name="gemini",
        title="Gemini CLI",
        argv=("gemini", "--acp"),
        get="npm install -g @google/gemini-cli",
        keys=("GEMINI_API_KEY",),
    ),
    KnownAgent(name="copilot", title="Copilot", argv=("copilot", "--acp"), get="npm install -g @github/copilot"),
)


OPENCODES_NAMES = frozenset({"apply_patch", "context7_get_library_docs", "context7_resolve_library_id"})
"""Tools that OpenCode calls an edit or a search by their names; a server called `apply` or `context7` may have them."""
_RUNS_PACKAGE = "npx"


def known_agent(argv: tuple[str, ...]) -> KnownAgent | None:
    """Return which of these the agent of this argv is, by its program or by the package that npx runs."""
    words = [PurePath(word).name for word in argv if not word.startswith("-")]
    name = next(iter(words[1:] if words[:1] == [_RUNS_PACKAGE] else words), "").partition("@")[0]
    return next((one for one in KNOWN if name in {one.argv[0], PurePath(one.get).name}), None)


def may_ask_early(argv: tuple[str, ...]) -> bool:
    """Return True if an empty input need not be all that the agent of this argv gives a tool; so of an unknown one."""
    known = known_agent(argv)
    return known is None or known.asks_early


def tells_in_words(argv: tuple[str, ...], kind: str, told: str) -> bool:
    """Return True if the title and these words are all that a tool is given: Gemini CLI tells it so (read in 0.61.0).

    A command is its title, beside the folder in which it runs, and the input of a server's tool is its words.
    """
    known = known_agent(argv)
    beginning = {"execute": ("[in ", "[current working directory "), "other": ("{",)}.get(kind)
    return known is not None and known.name == "gemini" and beginning is not None and told.startswith(beginning)


def environment_for(argv: tuple[str, ...]) -> Mapping[str, str]:
    """Return what makes the agent of this argv ask; nothing where it asks by itself, or is not known."""
    program = PurePath(argv[0]).name if argv else ""
    return next((dict(one.environment) for one in KNOWN if one.argv[0] == program), {})


def made_to_ask(argv: tuple[str, ...], folder: Path, environ: Mapping[str, str]) -> MadeToAsk:
    """Return what makes the agent of this argv ask in a folder, its own settings considered; this reads files.

    `environ` is what its run sees; a variable of the person's own is left as it is.
    """
    plain = environment_for(argv)
    if PERMISSION in plain and PERMISSION not in environ:
        return opencode_made_to_ask(folder, environ)
    return MadeToAsk(environment=plain)
