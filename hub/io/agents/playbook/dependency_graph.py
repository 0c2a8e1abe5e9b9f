"""What a project's parts depend on, as a Mermaid diagram."""

import asyncio
from collections import Counter
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.provenance import say
from hub.io.agents.playbook.imports import python_edges
from hub.io.agents.playbook.manifests import MANIFESTS, manifest_edges
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace

FILES_MAX = 5_000
EDGES_MAX = 300


async def draw(place: Workplace) -> RunResult:
    """Read Python imports, package.json and Cargo.toml files, and write who needs whom."""
    listed = await place.git.ask("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if not listed.ok:
        return not_started(NO_GIT)
    names = listed.fields("\0")[:FILES_MAX]
    place.say(f"Reading {len(names)} files")
    edges = await asyncio.to_thread(_edges, place.workspace, names)
    if not edges:
        return not_started(
            say("No Python imports and no {names} with dependencies were found here.", names=" or ".join(MANIFESTS))
        )
    place.say(f"Found {len(edges)} dependencies")
    return place.note(f"Dependencies in {place.name}", _diagram(edges), topic="dependencies", form="mmd")


def _edges(workspace: Path, names: tuple[str, ...]) -> Counter[tuple[str, str]]:
    """Count how often one part names another."""
    sources = [name for name in names if name.endswith(".py")]
    manifests = [name for name in names if Path(name).name in MANIFESTS]
    return python_edges(workspace, sources) + manifest_edges(workspace, manifests)


def _diagram(edges: Counter[tuple[str, str]]) -> tuple[str, ...]:
    """Draw the most frequent edges, in the order of their names, so that the same project gives the same text."""
    chosen = sorted(edge for edge, _ in edges.most_common(EDGES_MAX))
    ids = {name: f"n{number}" for number, name in enumerate(sorted({name for edge in chosen for name in edge}))}
    lines = ["graph LR"]
    lines += [f'  {key}["{_label(name)}"]' for name, key in ids.items()]
    lines += [f"  {ids[start]} --> {ids[end]}" for start, end in chosen]
    if len(edges) > len(chosen):
        lines.append(f"%% {len(edges) - len(chosen)} rarer dependencies left out")
    return tuple(lines)


def _label(name: str) -> str:
    """Make a name safe inside quotation marks."""
    return "".join(letter if letter.isprintable() and letter not in '"<>&#;' else "_" for letter in name)


PLAYBOOK = Playbook(
    name="dependency-graph",
    description="Draw what the project's parts depend on, as a Mermaid file in the notes.",
    risk=Risk.LOW,
    needs="a git repository with Python sources, a package.json or a Cargo.toml",
    work=draw,
)
