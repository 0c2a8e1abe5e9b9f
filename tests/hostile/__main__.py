"""The trials by hand: `./pulse test hostile [NAME …] [--short] [--json]`. Exit code 1 if anything got through."""

import argparse
import json
import sys
import time
from dataclasses import asdict

from tests.hostile.collect import trials
from tests.hostile.trial import Outcome, Trial

HEAD = "| trial | promise | attempts | got through | figures | seconds |\n|---|---|---|---|---|---|"


def main(arguments: list[str]) -> int:
    """Run the trials that are named, or all; print a row for each as soon as it is over."""
    known = {trial.name: trial for trial in trials()}
    parser = argparse.ArgumentParser(prog="pulse test hostile", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(known)}")
    parser.add_argument("--short", action="store_true", help="attack as seldom as the test suite does")
    parser.add_argument("--json", action="store_true", help="for machines: one JSON object a line")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"there is no trial {unknown[0]!r}; there are: {', '.join(known)}")
    if not options.json:
        say(HEAD)
    broken = [not attempted(known[name], options) for name in options.names or known]
    return 1 if any(broken) else 0


def attempted(trial: Trial, options: argparse.Namespace) -> bool:
    """Run one trial and print its row; say whether it held."""
    attempts = trial.short if options.short else trial.long
    sys.stderr.write(f"{trial.name}: {attempts} attempts …\n")
    began = time.monotonic()
    outcome = trial.run(attempts)
    took_s = time.monotonic() - began
    say(as_json(trial, outcome, took_s) if options.json else as_row(trial, outcome, took_s))
    return outcome.got_through == 0


def as_row(trial: Trial, outcome: Outcome, took_s: float) -> str:
    """Return a row of the report's table."""
    figures = "; ".join([*(f"{name} {value}" for name, value in outcome.figures.items()), *outcome.notes])
    return f"| {trial.name} | {trial.promise} | {outcome.attempts} | {outcome.got_through} | {figures} | {took_s:.0f} |"


def as_json(trial: Trial, outcome: Outcome, took_s: float) -> str:
    """Return the same for machines."""
    return json.dumps({"trial": trial.name, "promise": trial.promise, **asdict(outcome), "took_s": round(took_s, 1)})


def say(line: str) -> None:
    """Print one line of the report."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
