"""Runs the benchmarks: `./pulse bench [NAME …]`. Prints a table, and writes docs/benchmarks.md when all were run."""

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figures import Figure, MissingError

BENCHES = (
    "answers",
    "agents",
    "process",
    "hook",
    "front_door",
    "real_races",
    "subagents",
    "connected",
    "unreached",
    "change",
    "hour",
    "websocket",
    "sessions",
    "webpush",
    "browser_push",
    "page",
    "discord",
    "apns",
    "kills",
    "store",
    "world",
    "checks",
    "world_intake",
    "world_week",
    "filter",
    "grants",
    "likely",
    "learning",
    "prior",
    "replay",
    "first_cards",
    "fresh_clones",
    "paths",
    "drives",
    "drives_idle",
    "voice",
    "speaker",
    "voice_path",
)
BY_HAND = "## Measured by hand"
"""What takes hours stands below this line of the page, and stays there when the page is made anew."""
REPORT = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="pulse bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(BENCHES)}; without one, all")
    chosen: list[str] = parser.parse_args(arguments).names
    unknown = [name for name in chosen if name not in BENCHES]
    if unknown:
        parser.error(f"there is no bench {unknown[0]!r}; there are: {', '.join(BENCHES)}")
    try:
        measure(chosen)
    except MissingError as error:
        parser.exit(1, f"pulse bench: {error}\n")


def measure(chosen: Sequence[str]) -> None:
    """Run the benches that are chosen, or all, and then write the page."""
    figures: list[Figure] = []
    appendices: list[str] = []
    for name in chosen or BENCHES:
        sys.stderr.write(f"bench {name} …\n")
        module = importlib.import_module(f"tests.bench.bench_{name}")
        measured = module.run()
        figures += measured
        sys.stdout.write(table(measured) + "\n")
        if hasattr(module, "appendix"):
            appendices.append(module.appendix())
            sys.stdout.write(f"\n{appendices[-1]}\n")
        sys.stdout.flush()
    if not chosen:
        REPORT.write_text(report(figures, [*appendices, *_by_hand()]))
        sys.stderr.write(f"written: {REPORT}\n")


def _by_hand() -> list[str]:
    """Return the part of the page that is not made by the benches."""
    _, line, rest = REPORT.read_text().partition(BY_HAND)
    return [line + rest.rstrip()] if line else []


def table(figures: Sequence[Figure]) -> str:
    """Return a Markdown table."""
    rows = [
        "| bench | what | measured | goal | met | reference in the same run | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        sign = "≤" if one.better == "lower" else "≥"
        goal = "" if one.goal is None else f"{sign} {one.goal:g} {one.unit}"
        met = {True: "yes", False: "**no**", None: ""}[one.met]
        named = one.reference and f"{one.reference}: {one.reference_value:.4g} {one.unit}"
        ratio = "" if one.ratio is None else f"{one.ratio:.2f}"
        rows.append(f"| {one.bench} | {one.what} | {one.value:.4g} {one.unit} | {goal} | {met} | {named} | {ratio} |")
    return "\n".join(rows)


def report(figures: Sequence[Figure], appendices: Sequence[str]) -> str:
    """Return docs/benchmarks.md; an appendix is what a bench found that is no figure."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
    machine += f", Python {platform.python_version()}"
    return (
        "# Benchmarks\n\n"
        f"`./pulse bench` made this page on {datetime.now(UTC):%Y-%m-%d} ({machine}). A ratio above 1 is better than\n"
        "the reference, which ran on the same machine in the same run; absolute figures depend on the machine and on\n"
        "what else it does.\n\n" + "\n\n".join([table(figures), *appendices]) + "\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
