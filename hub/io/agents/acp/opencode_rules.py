"""What OpenCode's settings deny, and the rules that a run is given to make it ask about the rest. Pure.

Theory: OpenCode lays its settings over each other, file by file and key by key, and of all rules that fit the last one
holds. A key keeps the place at which it was first named, so what is said last need not come last. Our rules therefore
go under keys that no file has (`bash*`, which fits `bash`): what is new is last, and is taken as it is written.
Rules of one of OpenCode's own agents come later still; `may_loosen` tells of a repository that brings such rules.
"""

import json
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from hub.kit.loose_json import LooseJson, object_of

ASKED = ("bash", "edit", "webfetch", "websearch", "external_directory")
"""The tools that OpenCode uses unasked by default."""
CHARS_MAX = 64_000
"""An environment variable holds 128 KiB on Linux."""
OWN_AGENTS = ("agent", "agents", "mode", "modes")
FROM_FILE = "{file:"
"""By this OpenCode puts another file's content into its settings, in names as well."""

Rules = Mapping[str, str]
"""What is to be done by what fits; the last that fits holds."""
Section = Mapping[str, str | Rules]
"""Rules by tool; the name may have `*` and `?`."""


def permission_text(own: Iterable[LooseJson], project: Iterable[LooseJson], *, alone: bool = False) -> tuple[str, bool]:
    """Return the rules for `OPENCODE_PERMISSION`, and whether they were too many and had to be made coarser.

    Whatever is allowed is asked about. What is denied stays so, with its exceptions (which ask); where the person and
    the project both deny something of one tool, the project's exceptions do not count.

    Args:
        own: the person's settings, in the order in which OpenCode lays them over each other.
        project: those of the repository.
        alone: whether OpenCode does not read the repository's itself, so that all of its denials come from here.
    """
    mine, theirs = _section(own), _section(project)
    taken = {*mine, *theirs, *ASKED}
    rules: dict[str, str | Rules] = dict.fromkeys(ASKED, "ask")
    for name, said in theirs.items():
        if alone and name not in ASKED and _denies(_patterns(said)):
            rules[_unused(name, taken)] = _asking(_patterns(said))
    for tool in ASKED:
        rules[_unused(tool, taken)] = _for_tool(_rules(tool, mine), _rules(tool, theirs))
    text = json.dumps(rules)
    return (text, False) if len(text) <= CHARS_MAX else (json.dumps(_coarse(rules)), True)


def may_loosen(project: LooseJson) -> bool:
    """Whether a repository's settings let an agent of OpenCode's do something, or hide what they say in other files."""
    agents = (one for kind in OWN_AGENTS for one in object_of(project, kind).values())
    return any(_lets(one) for one in agents) or _has_hidden_names(project)


def rules_in(document: LooseJson) -> int:
    """Return how many rules settings have."""
    said = object_of(document, "permission").values()
    return len(object_of(document, "tools")) + sum(len(one) if isinstance(one, Mapping) else 1 for one in said)


def _section(documents: Iterable[LooseJson]) -> dict[str, str | Rules]:
    tools: dict[str, str | Rules] = {}
    permissions: dict[str, str | Rules] = {}
    for one in documents:
        for name, wanted in object_of(one, "tools").items():
            tools["edit" if name in {"write", "patch"} else name] = "deny" if wanted is False else "allow"
        said = one.get("permission")
        _lay(permissions, {"*": said} if isinstance(said, str) else object_of(one, "permission"))
    _lay(tools, permissions)
    return tools


def _lay(below: dict[str, str | Rules], above: Mapping[str, object]) -> None:
    for name, said in above.items():
        before = below.get(name)
        if isinstance(said, str):
            below[name] = said
        elif isinstance(said, Mapping):
            texts = {pattern: action for pattern, action in said.items() if isinstance(action, str)}
            below[name] = {**before, **texts} if isinstance(before, Mapping) else texts


def _rules(tool: str, section: Section) -> Rules:
    """Return all rules that are about a tool, in their order."""
    found: dict[str, str] = {}
    for name, said in section.items():
        if name == tool or fnmatchcase(tool, name.replace("[", "[[]")):
            _append(found, _patterns(said))
    return found


def _patterns(said: str | Rules) -> Rules:
    return {"*": said} if isinstance(said, str) else said


def _append(rules: dict[str, str], more: Rules) -> None:
    for pattern, action in more.items():
        rules.pop(pattern, None)
        rules[pattern] = action


def _for_tool(mine: Rules, theirs: Rules) -> str | Rules:
    first, then = (mine, theirs) if _denies(mine) else (theirs, {})
    if not _denies(first):
        return "ask"
    rules = {"*": "ask"}
    _append(rules, _asking(first))
    _append(rules, {pattern: action for pattern, action in then.items() if action == "deny"})
    return rules


def _asking(rules: Rules) -> dict[str, str]:
    return {pattern: "deny" if action == "deny" else "ask" for pattern, action in rules.items()}


def _denies(rules: Rules) -> bool:
    return "deny" in rules.values()


def _coarse(rules: Section) -> dict[str, str]:
    """Return the same with nothing but a word for each tool: denied, where anything of it is."""
    short = {name: said for name, said in rules.items() if name in ASKED or name.rstrip("*") in ASKED}
    return {name: "deny" if not isinstance(said, str) else said for name, said in short.items()}


def _unused(name: str, taken: set[str]) -> str:
    """Return another name for the same tools, which no settings have; it is taken from now on."""
    found = f"{name}*"
    while found in taken:
        found += "*"
    taken.add(found)
    return found


def _lets(agent: object) -> bool:
    if not isinstance(agent, Mapping):
        return False
    said, tools = agent.get("permission", {}), agent.get("tools", {})
    listed = said.values() if isinstance(said, Mapping) else (said,)
    actions = (action for one in listed for action in (one.values() if isinstance(one, Mapping) else (one,)))
    wanted = tools.values() if isinstance(tools, Mapping) else (tools,)
    return any(action != "deny" for action in actions) or any(one is not False for one in wanted)


def _has_hidden_names(document: LooseJson) -> bool:
    left: list[object] = [document]
    while left:
        one = left.pop()
        if isinstance(one, Mapping):
            if any(FROM_FILE in str(name) for name in one):
                return True
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return False
