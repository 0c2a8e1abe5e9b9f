"""An agent's name as an argument: what people call it counts too, and a mistyped name is answered with the nearest."""

from collections.abc import Iterable
from difflib import get_close_matches

import click

ALIASES = {"claude": "claude-code", "claude-code": "claude", "gemini-cli": "gemini", "codex-cli": "codex"}
"""Other names; each counts where the command has no agent by the name itself."""


class AgentName(click.Choice[str]):
    """The name of one of a command's agents."""

    def __init__(self, names: Iterable[str]) -> None:
        """Keep the names."""
        super().__init__(sorted(names))
        self._all = [*self.choices, *(alias for alias, name in ALIASES.items() if name in self.choices)]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name that is meant; fail by naming those that may be."""
        meant = next((name for name in (value, ALIASES.get(value)) if name in self.choices), None)
        if meant is None:
            near = next(iter(get_close_matches(value, self._all, n=1)), "")
            named = near if near in self.choices else ALIASES.get(near, "")
            hint = f"Did you mean {named}?" if named else f"Known: {', '.join(self.choices)}."
            self.fail(f"There is no agent {value!r}. {hint}", param, ctx)
        return meant
